import type { State } from './state.js';

/** What a file's time of change may be older than its last line (ms). */
const slackMs = 2000;

const dayMs = 86_400_000;

/** `triage/clock.ts` reads stamps without a year as of 2000, and those without a day as of its first day. */
const noYearBefore = Date.UTC(2010, 0);
const noDayBefore = Date.UTC(2000, 0, 2);

/**
 * Host's clock minus the log's own (ms). A log's times have no zone, some no year and some no day: exact once a dated
 * line has arrived live; before that by the host's zone or UTC (containers), in the latest year or on the latest day
 * that puts the last dated line before the file's last change. Null where nothing tells: a line must then not be
 * taken for new.
 */
export function logClockOffsetMs(state: State): number | null {
  const { log, host } = state;
  if (log.clockOffsetMs !== null) return log.clockOffsetMs;
  const { lastLogMs } = state.reading.findings();
  if (lastLogMs === null || log.modifiedAt === null) return null;
  const latest = log.modifiedAt + slackMs;
  const possible = [0, -(host?.utcOffsetMs ?? 0)].flatMap((zoneMs) =>
    calendarShifts(lastLogMs, latest).map((shiftMs) => shiftMs + zoneMs),
  );
  const fitting = possible.filter((offsetMs) => lastLogMs + offsetMs <= latest);
  return fitting.length === 0 ? null : Math.max(...fitting);
}

/** What a stamp may lack to the full date: nothing, years or days, near to `latest`. */
function calendarShifts(logMs: number, latest: number): readonly number[] {
  if (logMs >= noYearBefore) return [0];
  if (logMs < noDayBefore) {
    const today = Math.floor(latest / dayMs) * dayMs - Date.UTC(2000, 0);
    return [today - dayMs, today, today + dayMs];
  }
  const date = new Date(logMs);
  const year = new Date(latest).getUTCFullYear();
  return [year - 1, year, year + 1].map((candidate) => new Date(date).setUTCFullYear(candidate) - logMs);
}

/** A time of the log's own clock by our clock (ms); null where it cannot be told. */
export function fromLogClock(logMs: number | null, state: State): number | null {
  const offsetMs = logClockOffsetMs(state);
  return logMs === null || offsetMs === null ? null : logMs + offsetMs - (state.host?.clockSkewMs ?? 0);
}
