import type { Host } from '../../host/host.js';
import { pause } from '../pause.js';
import { type GpuHolder, type GpuReading, type GpuUse, readGpuHolders } from './gpu-holders.js';
import type { KillTarget, ProcessId } from './kill-target.js';

export type GpuRelease =
  | { readonly outcome: 'free' }
  /** No nvidia-smi on the host. */
  | { readonly outcome: 'no-gpus' }
  /** nvidia-smi gave no answer that can be read. */
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** Still held when the time was over. */
  | {
      readonly outcome: 'held';
      /** Processes of the server; and others that may be of it: ours, started after it, without a parent. */
      readonly holders: readonly GpuHolder[];
      /** What is in use beyond what was before the launch, and no process accounts for. */
      readonly unexplained: readonly { readonly gpu: string; readonly memMiB: number }[];
    };

export interface ReleaseOptions {
  readonly limitMs?: number;
  readonly everyMs?: number;
  readonly abort?: AbortSignal;
}

/**
 * Waits until the GPUs have what they had before: none of `processes` is listed with memory on one, and, where it is
 * known what was in use before the launch, no more is in use than that and what others account for. 30 s at most by
 * default: the driver gives memory back some time after a process has gone. Within a container nvidia-smi lists pids of
 * the host or none: then only the sum can tell.
 */
export async function waitForGpus(
  host: Host,
  target: Pick<KillTarget, 'startTicks' | 'launch' | 'gpusBefore'>,
  processes: readonly (ProcessId & { readonly owner?: string })[],
  options: ReleaseOptions = {},
): Promise<GpuRelease> {
  const end = performance.now() + (options.limitMs ?? 30_000);
  for (;;) {
    const reading = await readGpuHolders(host, options.abort);
    if (reading.kind === 'no-gpus') return { outcome: 'no-gpus' };
    if (reading.kind === 'unknown') return { outcome: 'unknown', reason: reading.reason };
    const release = releaseOf(reading, target, processes);
    if (release.outcome === 'free' || performance.now() > end) return release;
    await pause(options.everyMs ?? 1000, options.abort);
    options.abort?.throwIfAborted();
  }
}

/** Drivers keep some MiB a GPU now and then (persistence, ECC pages): not a server's memory. */
const toleranceMiB = 256;

function releaseOf(
  { holders, used }: Extract<GpuReading, { kind: 'listed' }>,
  target: Pick<KillTarget, 'startTicks' | 'launch' | 'gpusBefore'>,
  processes: readonly (ProcessId & { readonly owner?: string })[],
): GpuRelease {
  const left = holders.flatMap((holder) => {
    const known = processes.find((process) => isSame(holder, process));
    return known
      ? [{ ...holder, owner: holder.startTicks === null ? (known.owner ?? '?') : holder.owner }]
      : [];
  });
  const before: GpuUse = target.gpusBefore ?? new Map();
  const suspects =
    target.gpusBefore == null ? [] : holders.filter((holder) => mayBeOfTree(holder, target, left));
  const unexplained = [...before].flatMap(([gpu, beforeMiB]) => {
    const here = holders.filter((holder) => holder.gpu === gpu);
    const now = used.get(gpu);
    // Without every holder's share it cannot be told whose the rest is.
    if (now === undefined || here.some(({ memMiB }) => memMiB === null)) return [];
    const known = here.reduce((sum, { memMiB }) => sum + (memMiB ?? 0), 0);
    const memMiB = Math.min(now - beforeMiB, now - known);
    return memMiB > toleranceMiB ? [{ gpu, memMiB }] : [];
  });
  if (left.length + suspects.length + unexplained.length === 0) return { outcome: 'free' };
  return { outcome: 'held', holders: [...left, ...suspects], unexplained };
}

/** By pid and start: the pid may be another's by now. Who has no start any more is on its way out. */
const isSame = ({ pid, startTicks }: GpuHolder, process: ProcessId): boolean =>
  pid === process.pid && (startTicks === null || startTicks === process.startTicks);

/** Cut every tie to the server, perhaps: nobody else's, born after it, an orphan, and of no other launch. */
function mayBeOfTree(
  { foreign, orphan, startTicks, launchId, pid }: GpuHolder,
  target: Pick<KillTarget, 'startTicks' | 'launch'>,
  left: readonly GpuHolder[],
): boolean {
  if (foreign || !orphan || startTicks === null || left.some((other) => other.pid === pid)) return false;
  if (launchId !== null && launchId !== target.launch?.id) return false;
  return Number(startTicks) >= Number(target.startTicks);
}

/** How it stands with the GPUs, for people. */
export function releaseText(release: GpuRelease): string {
  switch (release.outcome) {
    case 'free':
      return 'The GPUs have given its memory back';
    case 'no-gpus':
      return 'There is no nvidia-smi to ask';
    case 'unknown':
      return `The GPUs cannot be asked: ${release.reason}`;
    case 'held': {
      const holders = release.holders.map(
        ({ pid, owner, memMiB, command }) => `pid ${pid} (${owner}, ${memMiB ?? '?'} MiB) ${command}`,
      );
      const rest = release.unexplained.map(
        ({ gpu, memMiB }) => `${memMiB} MiB on ${gpu} by nobody that can be seen`,
      );
      return `GPU memory is still held: ${[...holders, ...rest].join('; ')}`;
    }
  }
}
