import type { Findings } from '../triage/findings.js';
import type { Report } from '../triage/report.js';
import { describeChange, remedyTaken, whetherHelped } from './attempt-change.js';
import { causeText } from './cause-text.js';
import {
  type HistoryEntry,
  type HistoryOutcome,
  type HistoryPhase,
  type HistoryPhaseId,
  laterWord,
  previousOf,
  serverKey,
  withEntry,
} from './history.js';
import { lastLogLines } from './last-lines.js';
import { pageCache } from './page-cache.js';
import { phaseSeconds } from './phase-times.js';
import { isEndedByUs, processEndedAt } from './process.js';
import { readyAt } from './ready-moment.js';
import { reportFacts } from './report-facts.js';
import { type RunIdentity, runIdentity } from './run-identity.js';
import { runPhases } from './run-phases.js';
import { modelName, tensorParallelSize } from './server-args.js';
import type { State } from './state.js';
import { standingVerdict } from './under-way.js';

/** Lines kept of an attempt. */
const keptLines = 40;

/**
 * The attempt that is watched, as the history would keep it now; null while no process of it is known. What an action
 * of ours did to it afterwards is no crash, and a crash before it stays one.
 */
export function currentEntry(state: State): HistoryEntry | null {
  const who = runIdentity(state);
  if (who === null) return null;
  const { sealed } = state;
  const isSpoilt = sealed?.outcome === 'crashed' || sealed?.outcome === 'stalled';
  if (sealed !== null && sealed.id === who.id && isSpoilt) return sealed;
  const previous = previousOf(state.history, who.id);
  const entry = withChange(asItStands(state, who), previous);
  const known = state.history.find(({ id }) => id === who.id);
  return known === undefined ? entry : laterWord(known, entry);
}

/** The attempts of this server, oldest first, the one that is watched as it stands now. */
export function allEntries(state: State): readonly HistoryEntry[] {
  const current = currentEntry(state);
  return current === null ? state.history : withEntry(state.history, current);
}

/** The same when the next attempt has begun: what still ran was stopped for it. */
export function closedEntries(state: State): readonly HistoryEntry[] {
  const current = currentEntry(state);
  if (current === null) return state.history;
  const isOver = current.outcome !== 'ready' && (isFinal(current.outcome) || current.outcome === 'stalled');
  const entry: HistoryEntry = isOver
    ? current
    : { ...current, outcome: 'stopped', endedAt: processEndedAt(state) ?? state.now };
  return withEntry(state.history, entry);
}

/** Whether an outcome ends an attempt, as far as the history goes. A hang may still dissolve. */
export function isFinal(outcome: HistoryOutcome): boolean {
  return outcome !== 'loading' && outcome !== 'unknown' && outcome !== 'stalled';
}

function asItStands(state: State, who: RunIdentity): HistoryEntry {
  const { attempt, target, log } = state;
  const findings = state.reading.findings();
  const outcome = outcomeOf(state);
  const isWrong = outcome === 'crashed' || outcome === 'stalled';
  const report = isWrong ? state.reading.report(reportFacts(state)) : null;
  return {
    schema: 2,
    id: who.id,
    host: target.host,
    name: attempt?.name ?? serverKey(target),
    attempt: attempt?.number ?? null,
    outcome,
    cause:
      report === null || outcome !== 'crashed'
        ? null
        : {
            text: report.rootCause ? causeText(report.rootCause) : state.verdict.summary,
            category: report.rootCause?.category ?? null,
          },
    reached: reachedBy(findings, report),
    startedAt: who.startedAt,
    readyAt: readyAt(state),
    endedAt: endedAt(state, outcome),
    engine: findings.engine,
    engineVersion: findings.engineVersion,
    model: modelName(findings.serverArgs),
    tensorParallel: tensorParallelSize(findings.serverArgs),
    command: who.command,
    env: attempt?.env ?? null,
    cwd: attempt?.cwd === undefined ? null : (attempt.cwd ?? '~'),
    before: state.ranBefore ?? attempt?.before ?? null,
    log: log.path ?? target.log,
    change: null,
    remedy: null,
    helped: null,
    remedies: (report?.remedies ?? []).map(({ id, title, change }) => ({ id, title, change })),
    phases: phasesOf(state),
    serverArgs: findings.serverArgs,
    packages: findings.packages,
    cache: pageCache(state),
    lastLines: lastLogLines(state, keptLines),
  };
}

/** The phase in which it died, else the last one that was reached. */
function reachedBy(findings: Findings, report: Report | null): HistoryPhaseId | null {
  const failed = (report?.phases ?? findings.phases).find(({ status }) => status === 'failed');
  if (failed !== undefined) return { id: failed.id, model: failed.model };
  const { phase: id, phaseModel: model } = report ?? findings;
  return id === null ? null : { id, model };
}

/** With what was done differently, and what came of it. */
function withChange(entry: HistoryEntry, previous: HistoryEntry | null): HistoryEntry {
  if (previous === null) return entry;
  const change = describeChange(previous, entry);
  return {
    ...entry,
    change,
    remedy: remedyTaken(previous, entry),
    helped: change === null ? null : whetherHelped(previous, entry),
  };
}

function outcomeOf(state: State): HistoryOutcome {
  const { outcome, provisional } = standingVerdict(state);
  if (isEndedByUs(state) && outcome !== 'crashed' && outcome !== 'stalled') return 'stopped';
  // What a part of the log makes likely is not kept.
  if (provisional) return 'unknown';
  return outcome === 'unknown' && state.process.fact?.status === 'gone' ? 'gone' : outcome;
}

/** When its outcome was known; of what has ended, its end. */
function endedAt(state: State, outcome: HistoryOutcome): number | null {
  if (outcome === 'loading' || outcome === 'unknown') return null;
  const { outcome: standing, since } = standingVerdict(state);
  if (outcome === 'ready' || outcome === 'stalled') return since;
  const end = processEndedAt(state) ?? since;
  return standing === outcome ? Math.min(since, end) : end;
}

function phasesOf(state: State): readonly HistoryPhase[] {
  return runPhases(state)
    .filter(({ status }) => status !== 'pending' && status !== 'skipped')
    .map((phase) => ({
      id: phase.id,
      model: phase.model,
      seconds: phaseSeconds(phase, state),
      isDone: phase.status === 'done',
    }));
}
