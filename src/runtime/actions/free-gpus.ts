import type { Host } from '../../host/host.js';
import { run } from '../../host/run.js';
import { quote } from '../../remote/quote.js';

export type GpuRelease =
  | { readonly outcome: 'free' }
  /** No nvidia-smi on the host. */
  | { readonly outcome: 'no-gpus' }
  /** nvidia-smi gave no answer that can be read. */
  | { readonly outcome: 'unknown'; readonly reason: string }
  /** Still held when the time was over. */
  | { readonly outcome: 'held'; readonly holders: readonly GpuHolder[] };

export interface GpuHolder {
  readonly pid: number;
  readonly gpu: string;
  /** Null where nvidia-smi does not say (`[N/A]`). */
  readonly memMiB: number | null;
}

/**
 * Waits until none of `pids` is listed with memory on a GPU any more; 30 s at most by default. The driver gives memory
 * back some time after a process has gone. Within a container nvidia-smi lists pids of the host or none: then this
 * is free at once.
 */
export async function waitForGpus(
  host: Host,
  pids: readonly number[],
  options: { readonly limitMs?: number; readonly everyMs?: number; readonly abort?: AbortSignal } = {},
): Promise<GpuRelease> {
  const end = performance.now() + (options.limitMs ?? 30_000);
  for (;;) {
    const reading = await readHolders(host, options.abort);
    if ('outcome' in reading) return reading;
    const held = reading.holders.filter(({ pid }) => pids.includes(pid));
    if (held.length === 0) return { outcome: 'free' };
    if (performance.now() > end) return { outcome: 'held', holders: held };
    await pause(options.everyMs ?? 1000, options.abort);
  }
}

/** One line a process and GPU: `PID, GPU-uuid, MiB`. A hung driver is not waited for: the call is bounded. */
const query = `PATH=$PATH:/usr/bin:/usr/local/bin:/usr/local/nvidia/bin:/usr/local/cuda/bin
command -v nvidia-smi >/dev/null 2>&1 || { echo absent; exit 0; }
limit=
timeout -s KILL 1 true 2>/dev/null && limit="timeout -s KILL 10"
$limit nvidia-smi --query-compute-apps=pid,gpu_uuid,used_memory --format=csv,noheader,nounits </dev/null && echo complete`;

async function readHolders(
  host: Host,
  abort?: AbortSignal,
): Promise<{ readonly holders: readonly GpuHolder[] } | GpuRelease> {
  const command = `exec sh -c ${quote(query.replaceAll('\n', '; '))}`;
  const { stdout, stderr } = await run(host, command, {
    timeoutMs: 20_000,
    ...(abort === undefined ? {} : { signal: abort }),
  });
  const lines = stdout.trim().split('\n');
  if (lines.at(-1) === 'absent') return { outcome: 'no-gpus' };
  if (lines.at(-1) !== 'complete') {
    const reason = `${stderr}\n${stdout}`.trim().split('\n')[0] ?? '';
    return { outcome: 'unknown', reason: reason === '' ? 'nvidia-smi gave no answer' : reason };
  }
  const holders = lines.flatMap((line) => {
    const [, pid, gpu, memory = ''] = /^\s*(\d+)\s*,\s*([^,]+?)\s*,\s*(.*?)\s*$/.exec(line) ?? [];
    if (pid === undefined || gpu === undefined) return [];
    return [{ pid: Number(pid), gpu, memMiB: /^\d+$/.test(memory) ? Number(memory) : null }];
  });
  return { holders };
}

function pause(ms: number, abort?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(abort?.reason);
    };
    const timer = setTimeout(() => {
      abort?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (abort?.aborted) stop();
    else abort?.addEventListener('abort', stop, { once: true });
  });
}
