import type { GpuApp, GpuReading } from './telemetry.js';
import { amdReading } from './telemetry-amd.js';
import { nvidiaApp, nvidiaReading } from './telemetry-nvidia.js';

/** What the GPU loop of the sampler says (`remote/telemetry-gpus.sh`, stderr). */
export type GpuFrame =
  | { readonly kind: 'begin'; readonly tool: string }
  | { readonly kind: 'reading'; readonly reading: GpuReading };

interface Call {
  readonly id: string;
  readonly tool: string;
  readonly cells: number;
  readonly gpuLines: string[];
}

/**
 * Takes the lines of the GPU loop one by one and returns what they amount to, or null. What is not of its form
 * (a shell's `Killed`, the chatter of an rc file) is skipped. The loop says only what has changed: rows, processes,
 * MIG devices and AMD's answers stand until the next.
 */
export function gpuFrameReader(): (line: string) => GpuFrame | null {
  let call: Call | null = null;
  /** By place, of this call and those before. */
  const rows: string[] = [];
  let apps: GpuApp[] = [];
  let list: string[] = [];
  const texts: Record<string, string> = {};

  const takeRow = (row: string | null): null => {
    if (call === null || row === null) return null;
    rows[call.gpuLines.length] = row;
    call.gpuLines.push(row);
    return null;
  };

  return (line) => {
    const [mark, id = '', word = '', first = '', second = ''] = line.split(' ');
    switch (mark) {
      case 'G':
        return takeRow(line.slice(2));
      case 'd':
        return takeRow(withCells(rows[Number(id)], line.slice(id.length + 3)));
      case 'a':
        apps = [];
        return null;
      case 'A': {
        const app = nvidiaApp(line.slice(2));
        if (app !== null) apps.push(app);
        return null;
      }
      case 'l':
        list = [];
        return null;
      case 'L':
        list.push(line.slice(2));
        return null;
      case 'J':
        texts[id] = line.slice(id.length + 3);
        return null;
      case 'g':
        break;
      default:
        return null;
    }
    if (id === 'absent') return { kind: 'reading', reading: { status: 'absent' } };
    if (word === 'stuck') {
      return { kind: 'reading', reading: stuckReading(`an earlier call (pid ${first}) hangs in the driver`) };
    }
    if (word === 'begin') {
      call = { id, tool: first, cells: Number(second), gpuLines: [] };
      return { kind: 'begin', tool: first };
    }
    if (word !== 'end' || call?.id !== id) return null;
    const { tool, cells, gpuLines } = call;
    call = null;
    const [code, tookMs] = [Number(first), Number(second) * 10];
    const reading =
      tool === 'nvidia-smi'
        ? nvidiaReading({ cells, gpuLines, apps, list, code, tookMs })
        : ((gpuLines.length === 0 ? amdReading(texts, tookMs) : null) ?? failed(tool, gpuLines, code));
    return { kind: 'reading', reading };
  };
}

/** For a call that was begun and does not end. */
export const stuckReading = (reason: string): GpuReading => ({ status: 'stuck', reason });

/** The row as before with other last cells; null where there is none. */
function withCells(row: string | undefined, cells: string): string | null {
  if (row === undefined) return null;
  const parts = row.split(', ');
  const fresh = cells.trim().split(', ');
  return [...parts.slice(0, -fresh.length), ...fresh].join(', ');
}

function failed(tool: string, lines: readonly string[], code: number): GpuReading {
  const words = lines.map((line) => line.trim()).find((line) => line !== '');
  return { status: 'failed', reason: words ?? `${tool} said nothing (exit ${code})`, code };
}
