import type { GpuApp, GpuReading, GpuSample } from './telemetry.js';

/** The JSON texts that the sampler sent of amd-smi (`metric`, `static`, `process`) or of rocm-smi (`rocm`). */
export type AmdTexts = Readonly<Partial<Record<string, string>>>;

/**
 * What the AMD tools say, by the shapes that their documentation and bug reports show; never run on such hardware.
 * amd-smi (ROCm 6 and later) gives a list of GPUs, or since ROCm 7 an object with the list in `gpu_data`; figures are
 * `{"value":20,"unit":"W"}`, or `"N/A"`. rocm-smi gives an object with `card0`, …, whose keys differ by version.
 * Null where there is no GPU in them.
 */
export function amdReading(texts: AmdTexts, tookMs: number): GpuReading | null {
  const gpus = texts.rocm === undefined ? amdSmiGpus(texts) : rocmSmiGpus(parsed(texts.rocm));
  if (gpus === null) return null;
  return { status: 'ok', gpus, apps: amdSmiApps(texts), tookMs };
}

function amdSmiGpus(texts: AmdTexts): readonly GpuSample[] | null {
  const metrics = listOf(texts.metric);
  const statics = new Map(listOf(texts.static).map((each) => [each.gpu, each]));
  if (metrics.length === 0) return null;
  return metrics.map((each, place) => {
    const about = statics.get(each.gpu) ?? {};
    const memory = part(each, 'mem_usage');
    const power = part(each, 'power');
    const index = typeof each.gpu === 'number' ? each.gpu : place;
    return {
      index,
      uuid: idOf(index),
      name: word(part(about, 'asic').market_name) ?? 'AMD GPU',
      memTotalMiB: mebibytes(memory.total_vram),
      memUsedMiB: mebibytes(memory.used_vram),
      utilPercent: figure(part(each, 'usage').gfx_activity),
      temperatureC: figure(part(each, 'temperature').hotspot) ?? figure(part(each, 'temperature').edge),
      powerW: figure(power.socket_power) ?? figure(power.current_socket_power),
      powerLimitW: powerLimit(part(about, 'limit')),
      busId: word(part(about, 'bus').bdf),
      fault: null,
    };
  });
}

/** `max_power`, or by sockets: `{"ppt0":{"socket_power_limit":{…}}}`. */
function powerLimit(limit: Json): number | null {
  return (
    figure(limit.socket_power) ??
    figure(part(limit, 'ppt0').socket_power_limit) ??
    figure(limit.max_power) ??
    figure(part(limit, 'ppt0').max_power_limit)
  );
}

function amdSmiApps(texts: AmdTexts): readonly GpuApp[] {
  return listOf(texts.process).flatMap((each, place) => {
    const uuid = idOf(typeof each.gpu === 'number' ? each.gpu : place);
    const processes = Array.isArray(each.process_list) ? each.process_list.filter(isJson) : [];
    return processes.flatMap((entry) => {
      // A word stands there when nothing runs.
      const about = part(entry, 'process_info');
      const pid = figure(about.pid);
      if (pid === null) return [];
      const memory = mebibytes(part(about, 'memory_usage').vram_mem) ?? mebibytes(about.mem_usage);
      return { uuid, pid, memUsedMiB: memory };
    });
  });
}

function rocmSmiGpus(root: unknown): readonly GpuSample[] | null {
  if (!isJson(root)) return null;
  const cards = Object.entries(root).flatMap(([key, card]) => {
    const index = /^card(\d+)$/.exec(key)?.[1];
    return index === undefined || !isJson(card) ? [] : [{ index: Number(index), card }];
  });
  if (cards.length === 0) return null;
  return cards.map(({ index, card }) => {
    const find = (pattern: RegExp): unknown => Object.entries(card).find(([key]) => pattern.test(key))?.[1];
    return {
      index,
      uuid: idOf(index),
      name: word(find(/^card (series|model)$/i)) ?? 'AMD GPU',
      memTotalMiB: bytes(find(/^vram total memory \(b\)/i)),
      memUsedMiB: bytes(find(/^vram total used memory \(b\)/i)),
      utilPercent: figure(find(/^gpu use \(%\)/i)),
      temperatureC: figure(find(/sensor junction/i)) ?? figure(find(/sensor edge/i)),
      powerW: figure(find(/(average|current socket) graphics package power/i)),
      powerLimitW: figure(find(/^max graphics package power/i)),
      busId: word(find(/^pci bus$/i)),
      fault: null,
    };
  });
}

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

function listOf(text: string | undefined): readonly Json[] {
  const root = parsed(text);
  const list = isJson(root) ? root.gpu_data : root;
  return Array.isArray(list) ? list.filter(isJson) : [];
}

/** An empty one where the place is taken by `"N/A"` or missing. */
function part(of: Json, key: string): Json {
  const value = of[key];
  return isJson(value) ? value : {};
}

/** A number, a text that is one, or the `value` of either; null for `"N/A"`. */
function figure(value: unknown): number | null {
  if (isJson(value)) return figure(value.value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : null;
}

/** amd-smi writes `MB` and means 2^20 bytes. */
function mebibytes(value: unknown): number | null {
  const number = figure(value);
  if (number === null) return null;
  const unit = isJson(value) ? value.unit : 'MB';
  return unit === 'B' ? Math.round(number / 2 ** 20) : unit === 'GB' ? number * 1024 : number;
}

function bytes(value: unknown): number | null {
  const number = figure(value);
  return number === null ? null : Math.round(number / 2 ** 20);
}

const word = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' && value !== 'N/A' ? value : null;

const idOf = (index: number): string => `AMD-${index}`;
