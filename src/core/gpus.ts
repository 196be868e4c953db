import type { GpuReading } from '../ingest/telemetry.js';
import type { GpuState, State } from './state.js';

/** Samples kept per GPU for the spark line. */
const historyLength = 120;

/** GPU memory that came between two readings and counts as a sign of life (MiB). */
const growthMiB = 8;

/** Folds one answer of the GPU tool; a failed one keeps the last good rows, with their age. */
export function reduceGpus(state: State, reading: GpuReading, at: number): State {
  const before = state.gpus;
  if (reading.status !== 'ok') {
    const kept: GpuState = before ?? {
      lastGood: null,
      goodAt: null,
      trouble: null,
      troubleAt: null,
      history: [],
      growthMiBps: 0,
    };
    return { ...state, gpus: { ...kept, trouble: reading, troubleAt: at } };
  }
  const history = reading.gpus.map((gpu, index) => {
    const share = gpu.memUsedMiB === null || !gpu.memTotalMiB ? null : gpu.memUsedMiB / gpu.memTotalMiB;
    return [...(before?.history[index] ?? []).slice(1 - historyLength), share];
  });
  const grownMiB = before?.lastGood ? usedMiB(reading) - usedMiB(before.lastGood) : 0;
  const seconds = before?.goodAt ? Math.max(0.001, (at - before.goodAt) / 1000) : 1;
  const gpus: GpuState = {
    lastGood: reading,
    goodAt: at,
    trouble: null,
    troubleAt: null,
    history,
    growthMiBps: Math.max(0, grownMiB / seconds),
  };
  const moved = Math.abs(grownMiB) >= growthMiB;
  return { ...state, gpus, activity: moved ? { ...state.activity, movedAt: at } : state.activity };
}

function usedMiB(reading: Extract<GpuReading, { status: 'ok' }>): number {
  return reading.gpus.reduce((sum, gpu) => sum + (gpu.memUsedMiB ?? 0), 0);
}
