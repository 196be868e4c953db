import { earlierRuns } from './earlier-times.js';
import type { HistoryEntry } from './history.js';
import { tensorParallelSize } from './server-args.js';
import type { State } from './state.js';

/** An earlier launch that this one may be measured by. */
export type PastLaunch = Pick<HistoryEntry, 'cache' | 'phases'>;

/**
 * Earlier launches of the same model by the same engine on as many GPUs of this host, as far as each is known, that
 * became ready; the newest last.
 */
export function pastLaunches(state: State): readonly PastLaunch[] {
  const { engine, serverArgs } = state.reading.findings();
  const size = tensorParallelSize(serverArgs);
  return earlierRuns(state)
    .filter(
      (entry) =>
        entry.readyAt !== null &&
        entry.engine === engine &&
        (size === null || entry.tensorParallel === null || entry.tensorParallel === size),
    )
    .reverse();
}
