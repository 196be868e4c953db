import type { PhaseFinding } from '../triage/findings.js';
import type { State } from './state.js';

const mebibyte = 1024 * 1024;

/** Marks the beginning of the weights; to be folded after every event. */
export function markWeights(state: State): State {
  const isLoading = activeWeights(state) !== null;
  if (!isLoading) return state.weightsMark === null ? state : { ...state, weightsMark: null };
  const mark = state.weightsMark;
  if (mark !== null && (mark.usedMiB !== null || state.gpus?.goodAt == null)) return state;
  return {
    ...state,
    weightsMark: { usedMiB: usedMiB(state), readBytes: mark?.readBytes ?? readBytes(state) },
  };
}

/**
 * Share of the checkpoint that has been loaded, where the engine draws no bar: growth of GPU memory over its size on
 * disk (over all ranks, so tensor parallelism cancels out), else what the processes have read. Null without a size.
 */
export function weightsShare(state: State, phase: PhaseFinding): number | null {
  const { weightsMark: mark, modelBytes } = state;
  if (phase.id !== 'weights' || phase.model === 'draft' || modelBytes === null || mark === null) return null;
  const used = usedMiB(state);
  const loaded =
    used !== null && mark.usedMiB !== null
      ? (used - mark.usedMiB) * mebibyte
      : readBytes(state) - (mark.readBytes ?? 0);
  // Other ranks may read the same files, and engines keep more on the GPU than weights: it is never known to be over.
  return Math.min(0.99, Math.max(0, loaded / modelBytes));
}

function activeWeights(state: State): PhaseFinding | null {
  const { phases } = state.reading.findings();
  return phases.findLast(({ id, status }) => id === 'weights' && status === 'active') ?? null;
}

function usedMiB({ gpus }: State): number | null {
  if (gpus?.lastGood == null || gpus.lastGood.gpus.every(({ memUsedMiB }) => memUsedMiB === null))
    return null;
  return gpus.lastGood.gpus.reduce((sum, gpu) => sum + (gpu.memUsedMiB ?? 0), 0);
}

function readBytes({ activity }: State): number {
  return (activity.sample?.processes ?? []).reduce(
    (sum, { readBytes: bytes, readChars }) => sum + Math.max(bytes ?? 0, readChars ?? 0),
    0,
  );
}
