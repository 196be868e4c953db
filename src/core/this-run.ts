import type { DatedLine } from '../triage/findings.js';
import { fromLogClock } from './log-clock.js';
import { processStartedAt } from './process.js';
import type { ProcessFact } from './process-fact.js';
import type { State } from './state.js';

/** What a start time and a line's time may differ by before they count as different moments (ms). */
const slackMs = 2000;

/**
 * `line` where it belongs to what runs now, or ran last; else null (contract, rule 2). The reading has already dropped
 * the earlier runs of the file; what is left to tell is a process that has not written its first line yet. A line that
 * was there before us and that nothing dates does not count: the port and the process can still tell.
 */
export function ofThisRun(line: DatedLine | null, state: State): DatedLine | null {
  if (line === null) return null;
  const startedAt = processStartedAt(state);
  if (startedAt === null || isOwnLog(state) || isLogOfRun(state)) return line;
  if (isOfPredecessor(line, state)) return null;
  const isSince = (at: number | null): boolean => at !== null && at >= startedAt - slackMs;
  return isSince(line.at ?? fromLogClock(line.logMs, state)) || isSince(writtenAfter(line, state))
    ? line
    : null;
}

/**
 * Started anew at once, it may differ from the one before by less than clocks do. What came before its birth is not its
 * own.
 */
function isOfPredecessor({ at }: DatedLine, { process }: State): boolean {
  const { successor } = process;
  return successor !== null && at !== null && at < successor.bornAt - lateMs;
}

/** The same of a dying line, which may be followed at once by the next start. */
export function deathOfThisRun(death: DatedLine | null, state: State): DatedLine | null {
  const { successor } = state.process;
  const isBefore = successor?.endAt != null && death?.at != null && death.at <= successor.endAt;
  return isBefore ? null : ofThisRun(death, state);
}

/** What is said of a process may be on its way for longer than a line of its log (ms). */
const lateMs = 300;

/** The log of one run of a container, and the process of the same one. */
const isLogOfRun = ({ log, process }: State): boolean => log.run !== null && log.run === runOf(process.fact);

/** The least that is known of a line that was written while the connection was away. */
const writtenAfter = ({ lineNumber }: DatedLine, { log }: State): number | null =>
  log.before !== null && lineNumber > log.before.line ? log.before.at : null;

/** The log of a launch by us that was empty at its start: all of it is this run's. */
const isOwnLog = ({ attempt, log }: State): boolean =>
  attempt?.logIsFresh === true && log.path === attempt.log;

/** Which run of a container the process is, or was; null where it is none. */
export const runOf = (fact: ProcessFact | null): string | null =>
  fact?.status === 'alive' || fact?.status === 'gone' ? (fact.container?.started ?? null) : null;
