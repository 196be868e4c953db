import type { GpuReading } from '../ingest/telemetry.js';
import { gpuWork } from './gpu-work.js';
import type { GpuState, State } from './state.js';

/** Samples kept per GPU for the spark line. */
const historyLength = 120;

/** Memory of one GPU that came or went and counts as a sign of life (MiB), within this time (ms). */
const growthMiB = 8;
const windowMs = 10_000;

/** Folds one answer of the GPU tool; a failed one keeps the last good rows, with their age. */
export function reduceGpus(state: State, reading: GpuReading, at: number): State {
  const before = state.gpus ?? nothing;
  if (reading.status !== 'ok') return { ...state, gpus: { ...before, trouble: reading, troubleAt: at } };
  const history = reading.gpus.map((gpu, index) => {
    const share = gpu.memUsedMiB === null || !gpu.memTotalMiB ? null : gpu.memUsedMiB / gpu.memTotalMiB;
    return [...(before.history[index] ?? []).slice(1 - historyLength), share];
  });
  const used = usedMiB(reading);
  const grownMiB = before.lastGood ? used - usedMiB(before.lastGood) : 0;
  const seconds = before.goodAt ? Math.max(0.001, (at - before.goodAt) / 1000) : 1;
  const idleW = { ...before.idleW };
  for (const { uuid, powerW } of reading.gpus) {
    if (powerW !== null) idleW[uuid] = Math.min(powerW, idleW[uuid] ?? powerW);
  }
  const work = reading.gpus.map((gpu) => gpuWork(gpu, idleW[gpu.uuid] ?? null));
  const { mark } = before;
  const usedEach = reading.gpus.map(({ memUsedMiB }) => memUsedMiB ?? 0);
  const isGrown =
    mark !== null && usedEach.some((each, index) => Math.abs(each - (mark.usedMiB[index] ?? 0)) >= growthMiB);
  const gpus: GpuState = {
    lastGood: reading,
    goodAt: at,
    trouble: null,
    troubleAt: null,
    history,
    growthMiBps: Math.max(0, grownMiB / seconds),
    work,
    idleW,
    mark: mark === null || isGrown || at - mark.at >= windowMs ? { at, usedMiB: usedEach } : mark,
  };
  const { activity } = state;
  const moved = isGrown || work.includes('working');
  const isUnclear = work.includes('unclear');
  if (!moved && !isUnclear) return { ...state, gpus };
  return {
    ...state,
    gpus,
    activity: {
      ...activity,
      movedAt: moved ? at : activity.movedAt,
      busyAt: isUnclear ? at : activity.busyAt,
    },
  };
}

const nothing: GpuState = {
  lastGood: null,
  goodAt: null,
  trouble: null,
  troubleAt: null,
  history: [],
  growthMiBps: 0,
  work: [],
  idleW: {},
  mark: null,
};

function usedMiB(reading: Extract<GpuReading, { status: 'ok' }>): number {
  return reading.gpus.reduce((sum, gpu) => sum + (gpu.memUsedMiB ?? 0), 0);
}
