import { phaseSeconds } from './phase-times.js';
import type { State } from './state.js';

/** Below this share, a rate says too little. */
const leastProgress = 0.05;

/**
 * Time left in the active phase at its present rate, as a range (ms); null without a rate. What comes after that
 * phase is not in it: nothing is known of that yet.
 */
export function phaseEta(state: State): { readonly lowMs: number; readonly highMs: number } | null {
  if (state.verdict.outcome !== 'loading') return null;
  const phase = state.reading.findings().phases.findLast(({ status }) => status === 'active');
  if (!phase || phase.progress === null || phase.progress < leastProgress || phase.progress >= 1) return null;
  const seconds = phaseSeconds(phase, state);
  if (seconds === null || seconds < 1) return null;
  const leftMs = (1000 * seconds * (1 - phase.progress)) / phase.progress;
  const spread = 0.1 + 0.3 * (1 - phase.progress);
  return { lowMs: leftMs * (1 - spread), highMs: leftMs * (1 + spread) };
}
