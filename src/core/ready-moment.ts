import { fromLogClock } from './log-clock.js';
import { processStartedAt } from './process.js';
import { currentId } from './run-identity.js';
import type { State } from './state.js';

/** What a watch may begin late by, and clocks in whole seconds differ by, without missing anything (ms). */
const slackMs = 2000;

/**
 * When what is watched became ready, by our clock (ms): as an earlier view has kept it, as we saw it, else by the clock
 * of the log. Null where it never was, and where it was ready already when we came and nothing dates that.
 */
export function readyAt(state: State): number | null {
  if (state.readySince === null) return null;
  const kept = keptReadyAt(state);
  if (kept !== null) return kept;
  const { ready } = state.reading.findings();
  const at = ready === null ? null : (ready.at ?? fromLogClock(ready.logMs, state));
  const startedAt = processStartedAt(state);
  // An undated line may be of any time, one from before the process of another run.
  if (at !== null && (startedAt === null || at >= startedAt - slackMs)) return at;
  return sawItCome(state) ? state.readySince : null;
}

/** Whether we have watched since its start, or have seen its port begin to answer 200. */
function sawItCome(state: State): boolean {
  const becameOkAt = state.health?.becameOkAt ?? null;
  return watchedFromStart(state) || (becameOkAt !== null && becameOkAt >= (processStartedAt(state) ?? 0));
}

/** Whether this view began with what it watches. */
export function watchedFromStart(state: State): boolean {
  const startedAt = processStartedAt(state);
  return startedAt !== null && state.beganAt <= startedAt + slackMs;
}

function keptReadyAt(state: State): number | null {
  const id = currentId(state);
  return id === null ? null : (state.history.find((entry) => entry.id === id)?.readyAt ?? null);
}
