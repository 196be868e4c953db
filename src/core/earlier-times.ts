import type { HistoryEntry, HistoryPhaseId } from './history.js';
import { currentId } from './run-identity.js';
import { modelName } from './server-args.js';
import type { State } from './state.js';

/** The attempts before the present one at the same model (as far as both are known), the newest first. */
export function earlierRuns(state: State): readonly HistoryEntry[] {
  const id = currentId(state);
  const model = modelName(state.reading.findings().serverArgs);
  return state.history
    .filter((entry) => entry.id !== id && (model === null || entry.model === null || entry.model === model))
    .reverse();
}

/** How long a phase took in the newest earlier attempt that finished it (seconds); null where none did. */
export function earlierSeconds(runs: readonly HistoryEntry[], phase: HistoryPhaseId): number | null {
  for (const { phases } of runs) {
    const same = phases.find(({ id, model }) => id === phase.id && model === phase.model);
    if (same?.isDone && same.seconds !== null) return same.seconds;
  }
  return null;
}
