import type { State } from './state.js';

/** What a file's time of change may be older than its last line (ms). */
const slackMs = 2000;

/**
 * Host's clock minus the log's own (ms). A log's times have no zone: exact once a dated line has arrived live; before
 * that the host's zone or UTC (containers), whichever puts the last dated line nearer to the file's last change, and
 * not after it. Null where nothing tells.
 */
export function logClockOffsetMs(state: State): number | null {
  const { log, host } = state;
  if (log.clockOffsetMs !== null) return log.clockOffsetMs;
  const { lastLogMs } = state.reading.findings();
  if (lastLogMs === null || log.modifiedAt === null) return null;
  const latest = log.modifiedAt + slackMs;
  const possible = [0, -(host?.utcOffsetMs ?? 0)].filter((offsetMs) => lastLogMs + offsetMs <= latest);
  return possible.length === 0 ? null : Math.max(...possible);
}

/** A time of the log's own clock by our clock (ms); null where it cannot be told. */
export function fromLogClock(logMs: number | null, state: State): number | null {
  const offsetMs = logClockOffsetMs(state);
  return logMs === null || offsetMs === null ? null : logMs + offsetMs - (state.host?.clockSkewMs ?? 0);
}
