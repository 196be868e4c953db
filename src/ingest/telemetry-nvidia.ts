import type { GpuApp, GpuReading, GpuSample } from './telemetry.js';

/** One call of nvidia-smi as the sampler saw it. */
export interface NvidiaCall {
  /** Cells after the name: 6, or 3 where the driver does not know temperature and power. */
  readonly cells: number;
  readonly gpuLines: readonly string[];
  readonly apps: readonly GpuApp[];
  readonly code: number;
  readonly tookMs: number;
}

/**
 * What a finished call says. nvidia-smi writes its errors to stdout, with status 9 (no driver), 12 (no NVML), 15
 * (fell off the bus) and others: what is no row of the table is an error text.
 */
export function nvidiaReading(call: NvidiaCall): GpuReading {
  const gpus = call.gpuLines.flatMap((line) => nvidiaGpu(line, call.cells) ?? []);
  if (gpus.length > 0) return { status: 'ok', gpus, apps: call.apps, tookMs: call.tookMs };
  const words = call.gpuLines.map((line) => line.trim()).find((line) => line !== '' && line !== 'Killed');
  const reason =
    words ?? (isTimeout(call.code) ? 'nvidia-smi gave no answer in 15 s' : 'nvidia-smi said nothing');
  return { status: 'failed', reason, code: call.code };
}

/**
 * One row of `--query-gpu=index,uuid,name,memory.total,memory.used,utilization.gpu[,temperature.gpu,power.draw,
 * power.limit] --format=csv,noheader,nounits`; null when the line is no row. A name may hold commas.
 */
export function nvidiaGpu(line: string, cells: number): GpuSample | null {
  const parts = line.split(',').map((part) => part.trim());
  const index = parts[0] ?? '';
  const uuid = parts[1] ?? '';
  // The text of an error may hold commas too; only a row begins with a number and has all its cells.
  if (!/^\d+$/.test(index) || parts.length < 3 + cells) return null;
  const values = parts.slice(-cells);
  const [total, used, util, temperature, power, powerLimit] = values.map(numberOf);
  return {
    index: Number(index),
    uuid,
    name: parts.slice(2, -cells).join(', '),
    memTotalMiB: total ?? null,
    memUsedMiB: used ?? null,
    utilPercent: util ?? null,
    temperatureC: temperature ?? null,
    powerW: power ?? null,
    powerLimitW: powerLimit ?? null,
    fault: [uuid, ...values].map(faultOf).find((fault) => fault !== null) ?? null,
  };
}

/** One row of `--query-compute-apps=gpu_uuid,pid,used_memory`; null when the line is none. */
export function nvidiaApp(line: string): GpuApp | null {
  const [uuid = '', pid = '', memory] = line.split(',').map((part) => part.trim());
  return /^\d+$/.test(pid) ? { uuid, pid: Number(pid), memUsedMiB: numberOf(memory) } : null;
}

/** `[N/A]`, `[Not Supported]`, `[Insufficient Permissions]` and the like are null, never zero. */
function numberOf(cell: string | undefined): number | null {
  return cell !== undefined && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : null;
}

/** Cells that tell of a broken GPU: `[Unknown Error]`, `[GPU is lost]`, `[GPU requires reset]`. */
function faultOf(cell: string): string | null {
  return /unknown error|is lost|requires reset|fallen off/i.test(cell) ? cell.replace(/^\[|\]$/g, '') : null;
}

const isTimeout = (code: number): boolean => code === 124 || code === 137;
