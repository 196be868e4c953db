import type { Host } from '../../host/host.js';
import { decodeHex } from './remote-text.js';
import { runScript } from './run-script.js';
import { commandOf, ownersOf } from './told-process.js';

/** MiB in use on each GPU, by its uuid. */
export type GpuUse = ReadonlyMap<string, number>;

export interface GpuHolder {
  readonly pid: number;
  readonly gpu: string;
  /** Null where nvidia-smi does not say (`[N/A]`). */
  readonly memMiB: number | null;
  readonly owner: string;
  /** Of another user. */
  readonly foreign: boolean;
  readonly command: string;
  /** Null where the process cannot be seen: it has just gone, or runs in another pid namespace. */
  readonly startTicks: string | null;
  /** Its parent has gone. */
  readonly orphan: boolean;
  /** The launch that it belongs to by its environment; null: none, or unreadable. */
  readonly launchId: string | null;
}

export type GpuReading =
  | { readonly kind: 'listed'; readonly holders: readonly GpuHolder[]; readonly used: GpuUse }
  /** No nvidia-smi on the host. */
  | { readonly kind: 'no-gpus' }
  /** nvidia-smi gave no answer that can be read. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** Who has memory on the GPUs now. A driver that hangs is waited for 10 s. Rejects as `runScript` does. */
export async function readGpuHolders(host: Host, signal?: AbortSignal): Promise<GpuReading> {
  const answers = await runScript(host, 'gpus', [], signal === undefined ? {} : { signal });
  const end = answers.find(({ key }) => key === 'end')?.words ?? [];
  if (end[0] === 'absent') return { kind: 'no-gpus' };
  if (end[0] !== 'listed') {
    const reason = decodeHex(end[1] ?? '')
      .trim()
      .split('\n')[0];
    return { kind: 'unknown', reason: reason || 'nvidia-smi gave no answer' };
  }
  const ownerOf = ownersOf(answers);
  const holders = answers
    .filter(({ key }) => key === 'holder')
    .map(
      ({
        words: [pid, gpu = '', memory = '', uid = '-', ticks = '-', parent, mark = '-', command = ''],
      }) => ({
        pid: Number(pid),
        gpu,
        memMiB: miB(memory),
        ...(uid === '-' ? { owner: '?', foreign: true } : ownerOf(uid)),
        command: commandOf(command),
        startTicks: ticks === '-' ? null : ticks,
        orphan: parent === 'init',
        launchId: mark === '-' ? null : mark,
      }),
    );
  return {
    kind: 'listed',
    holders,
    used: usedMiB(answers.filter(({ key }) => key === 'gpu').map((a) => a.words)),
  };
}

/** What `launch.sh` recorded: `UUID, MIB` a line. Null where it recorded nothing that can be read. */
export function parseGpuUse(text: string): GpuUse | null {
  const use = usedMiB(text.split('\n').map((line) => line.split(/ *, */)));
  return use.size === 0 ? null : use;
}

function usedMiB(rows: readonly (readonly string[])[]): GpuUse {
  const use = new Map<string, number>();
  for (const [gpu = '', memory = ''] of rows) {
    const used = miB(memory);
    if (gpu !== '' && used !== null) use.set(gpu, used);
  }
  return use;
}

const miB = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);
