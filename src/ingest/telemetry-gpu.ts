import type { GpuApp, GpuReading } from './telemetry.js';
import { nvidiaApp, nvidiaReading } from './telemetry-nvidia.js';

/** What the GPU loop of the sampler says (`remote/telemetry.sh`, stderr). */
export type GpuFrame =
  | { readonly kind: 'begin' }
  | { readonly kind: 'reading'; readonly reading: GpuReading };

/**
 * Takes the lines of the GPU loop one by one and returns what they amount to, or null. What is not of its form
 * (a shell's `Killed`, the chatter of an rc file) is skipped. The processes on the GPUs are asked for less often
 * than the GPUs: the last answer stands until the next.
 */
export function gpuFrameReader(): (line: string) => GpuFrame | null {
  let call: { id: string; cells: number; gpuLines: string[]; apps: GpuApp[] | null } | null = null;
  let lastApps: readonly GpuApp[] = [];

  return (line) => {
    const [mark, id = '', word = '', first = '', second = ''] = line.split(' ');
    if (mark === 'G' && call?.id === id) call.gpuLines.push(line.slice(id.length + 3));
    if (mark === 'A' && call?.id === id) {
      // The answer is there, even where nothing runs on the GPUs.
      call.apps ??= [];
      const app = nvidiaApp(line.slice(id.length + 3));
      if (app !== null) call.apps.push(app);
    }
    if (mark !== 'g') return null;
    if (id === 'absent') return { kind: 'reading', reading: { status: 'absent' } };
    if (word === 'stuck') {
      return { kind: 'reading', reading: stuckReading(`nvidia-smi (pid ${first}) hangs in the driver`) };
    }
    if (word === 'begin') {
      call = { id, cells: Number(first), gpuLines: [], apps: null };
      return { kind: 'begin' };
    }
    if (word !== 'end' || call?.id !== id) return null;
    const { cells, gpuLines } = call;
    lastApps = call.apps ?? lastApps;
    call = null;
    const reading = nvidiaReading({
      cells,
      gpuLines,
      apps: lastApps,
      code: Number(first),
      tookMs: Number(second) * 10,
    });
    return { kind: 'reading', reading };
  };
}

/** For a call that was begun and does not end. */
export const stuckReading = (reason: string): GpuReading => ({ status: 'stuck', reason });
