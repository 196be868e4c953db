import type { DatedLine } from '../triage/findings.js';
import { fromLogClock } from './log-clock.js';
import { processStartedAt } from './process.js';
import type { State } from './state.js';

/** What a start time and a line's time may differ by before they count as different moments (ms). */
const slackMs = 2000;

/**
 * `line` where it belongs to what runs now, or ran last; else null (contract, rule 2). The reading has already dropped
 * the earlier runs of the file; what is left to tell is a process that has not written its first line yet.
 */
export function ofThisRun(line: DatedLine | null, state: State): DatedLine | null {
  const startedAt = processStartedAt(state);
  if (line === null || startedAt === null) return line;
  const writtenAt = line.at ?? writtenBy(line, state);
  return writtenAt === null || writtenAt >= startedAt - slackMs ? line : null;
}

/**
 * When an old line was written, by our clock (ms): through the log's clock where that is known; else the file's last
 * change is the latest that it can be. Null where nothing dates it.
 */
function writtenBy(line: DatedLine, state: State): number | null {
  const byLog = fromLogClock(line.logMs, state);
  if (byLog !== null || state.log.modifiedAt === null) return byLog;
  return state.log.modifiedAt - (state.host?.clockSkewMs ?? 0);
}
