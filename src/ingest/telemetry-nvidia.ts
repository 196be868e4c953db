import type { GpuApp, GpuReading, GpuSample } from './telemetry.js';
import { busOf } from './telemetry-kernel.js';

/** One call of nvidia-smi as the sampler saw it. */
export interface NvidiaCall {
  /** Cells after the name: 8, or 7 or 4 where the driver does not know MIG, or temperature and power. */
  readonly cells: number;
  readonly gpuLines: readonly string[];
  readonly apps: readonly GpuApp[];
  /** Lines of `nvidia-smi -L`, which alone names the MIG devices. */
  readonly list: readonly string[];
  readonly code: number;
  readonly tookMs: number;
}

/**
 * What a finished call says. nvidia-smi writes its errors to stdout, with status 9 (no driver), 12 (no NVML), 15
 * (fell off the bus) and others: what is no row of the table is an error text, and a GPU that it names is lost.
 */
export function nvidiaReading(call: NvidiaCall): GpuReading {
  const { apps, tookMs, code } = call;
  const mig = migDevices(call.list);
  const rows = call.gpuLines.map((line) => nvidiaGpu(line, call.cells));
  const warnings = call.gpuLines.filter((line, place) => rows[place] === null && isWarning(line));
  const gpus = rows.flatMap((gpu) => {
    if (gpu === null) return [];
    const words = warnings.find((line) => isAbout(line, gpu.busId ?? null));
    const instances = mig.instances.get(gpu.uuid) ?? gpu.migInstances;
    return {
      ...gpu,
      fault: gpu.fault ?? (words === undefined ? null : faultWords(words)),
      ...(gpu.migInstances && instances ? { migInstances: instances } : {}),
    };
  });
  if (gpus.length > 0) {
    const onParents = apps.map((app) => ({ ...app, uuid: mig.parents.get(app.uuid) ?? app.uuid }));
    const besides = warnings.length === 0 ? {} : { warnings: warnings.map((line) => line.trim()) };
    return { status: 'ok', gpus, apps: onParents, tookMs, ...besides };
  }
  const reason = warnings[0]?.trim();
  if (reason !== undefined) return { status: 'failed', reason, code };
  if (isTimeout(code)) return { status: 'failed', reason: 'nvidia-smi gave no answer in 15 s', code };
  return { status: 'failed', reason: `nvidia-smi said nothing (exit ${code})`, code };
}

/** Whether a line of the tool names the GPU at that PCI bus id. */
export function isAbout(line: string, busId: string | null): boolean {
  if (busId === null) return false;
  const named = /[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\.\d/i.exec(line)?.[0];
  return named !== undefined && busOf(named) === busOf(busId);
}

/** `GPU is lost` of `Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system …`. */
export function faultWords(line: string): string {
  const words = line.replace(/^.*[0-9a-f]{2}:[0-9a-f]{2}\.\d: */i, '').replace(/\.? {2,}.*$/, '');
  return words.replace(/\.$/, '') || line;
}

const isWarning = (line: string): boolean => line.trim() !== '' && line.trim() !== 'Killed';

/**
 * One row of `--query-gpu=index,uuid,name,pci.bus_id,memory.total,power.limit,mig.mode.current,memory.used,
 * utilization.gpu,temperature.gpu,power.draw --format=csv,noheader,nounits`; null when the line is no row. Without
 * MIG mode it has 7 cells after the name; 4 without power and temperature. A name may hold commas.
 */
export function nvidiaGpu(line: string, cells: number): GpuSample | null {
  const parts = line.split(',').map((part) => part.trim());
  const index = parts[0] ?? '';
  const uuid = parts[1] ?? '';
  // The text of an error may hold commas too; only a row begins with a number and has all its cells.
  if (!/^\d+$/.test(index) || parts.length < 3 + cells) return null;
  const values = parts.slice(-cells);
  const [busId = '', total] = values;
  const limit = cells >= 7 ? values[2] : undefined;
  const mig = cells >= 8 ? values[3] : undefined;
  const [used, util, temperature, power] = cells >= 7 ? values.slice(-4) : values.slice(-2);
  return {
    index: Number(index),
    uuid,
    name: parts.slice(2, -cells).join(', '),
    memTotalMiB: numberOf(total),
    memUsedMiB: numberOf(used),
    utilPercent: numberOf(util),
    temperatureC: numberOf(temperature),
    powerW: numberOf(power),
    powerLimitW: numberOf(limit),
    busId: /^[0-9a-f:.]+$/i.test(busId) ? busId : null,
    ...(mig === 'Enabled' ? { migInstances: [] } : {}),
    fault: [uuid, ...values].map(faultOf).find((fault) => fault !== null) ?? null,
  };
}

/** One row of `--query-compute-apps=gpu_uuid,pid,used_memory`; null when the line is none. */
export function nvidiaApp(line: string): GpuApp | null {
  const [uuid = '', pid = '', memory] = line.split(',').map((part) => part.trim());
  return /^\d+$/.test(pid) ? { uuid, pid: Number(pid), memUsedMiB: numberOf(memory) } : null;
}

/**
 * The MIG devices of `nvidia-smi -L`: a line `GPU 0: NAME (UUID: GPU-…)`, and below it for each device
 * `  MIG 3g.71gb     Device  0: (UUID: MIG-…)`.
 */
function migDevices(list: readonly string[]) {
  const instances = new Map<string, string[]>();
  const parents = new Map<string, string>();
  let parent = '';
  for (const line of list) {
    const uuid = /\(UUID: ([^)]+)\)/.exec(line)?.[1] ?? '';
    if (/^GPU \d+:/.test(line)) parent = uuid;
    const profile = /^\s+MIG (\S+)/.exec(line)?.[1];
    if (profile === undefined) continue;
    instances.set(parent, [...(instances.get(parent) ?? []), profile]);
    parents.set(uuid, parent);
  }
  return { instances, parents };
}

/** `[N/A]`, `[Not Supported]`, `[Insufficient Permissions]`, `ERR!` and the like are null, never zero. */
function numberOf(cell: string | undefined): number | null {
  return cell !== undefined && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : null;
}

/** Cells that tell of a broken GPU: `[Unknown Error]`, `ERR!`, `[GPU is lost]`, `[GPU requires reset]`. */
function faultOf(cell: string): string | null {
  if (/^\[?ERR!\]?$/.test(cell)) return 'ERR! (the driver cannot read it)';
  return /unknown error|is lost|requires reset|fallen off/i.test(cell) ? cell.replace(/^\[|\]$/g, '') : null;
}

const isTimeout = (code: number): boolean => code === 124 || code === 137;
