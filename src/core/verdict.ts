import type { DatedLine, Findings } from '../triage/findings.js';
import { judgeDeath, judgeFinishedLog, judgeGone } from './crash.js';
import { judgeDoubt } from './doubt.js';
import { foreignListener, logEvidence, processEvidence, restartText } from './evidence.js';
import { firstJudgement } from './first-judgement.js';
import { judgeLeftShell } from './left-shell.js';
import { judgeReady } from './ready.js';
import { absentForMs, loading, over, phaseName, type Ruling, unknown } from './ruling.js';
import { judgeDeadRank, judgeQuiet } from './stall.js';
import type { ActionState, Evidence, State, Verdict } from './state.js';
import { deathOfThisRun, ofThisRun, runOf } from './this-run.js';
import { actionUnderWay } from './under-way.js';

/** Judges after every event by the five rules of the contract; the same state comes back where nothing changed. */
export function judge(state: State): State {
  const ruling = firstJudgement(state, rule(state));
  const { verdict } = state;
  const same =
    verdict.outcome === ruling.outcome &&
    verdict.provisional === ruling.provisional &&
    verdict.summary === ruling.summary &&
    sameEvidence(verdict.evidence, ruling.evidence);
  if (same) return state;
  const since = verdict.outcome === ruling.outcome ? verdict.since : state.now;
  const hasJudged = state.hasJudged || ruling.outcome !== 'unknown' || !ruling.provisional;
  return { ...state, verdict: { ...ruling, since }, hasJudged };
}

function rule(state: State): Ruling {
  const { link, log, verdict } = state;
  if (link.status === 'lost') return unknown(`connection lost for good: ${link.reason}`, 'link');
  if (link.status === 'down')
    return isOver(verdict) ? verdict : unknown(`connection lost: ${link.reason}`, 'link');
  if (link.status === 'waiting') return isOver(verdict) ? verdict : unknown(waitingText(link), 'link');
  if (link.status === 'connecting') return unknown(`connecting to ${state.target.host}`, null);
  if (isFromBefore(state)) {
    return isOver(verdict) ? verdict : unknown('connected again: looking what has become of it', 'link');
  }
  if (isUnheard(state)) {
    if (isOver(verdict)) return verdict;
    return log.heardAt === null
      ? unknown('waiting for the first word of the log', null)
      : unknown('connected again: looking what has become of its log', 'link');
  }
  if (isBetweenRuns(state)) {
    return isOver(verdict) ? verdict : unknown('started again: waiting for the log of this run', null);
  }
  if (log.ahead?.head) return provisional(judgeWitnesses(state));
  if ((!log.caughtUp || log.ahead) && log.status === 'open') {
    const percent = log.size > 0 ? Math.floor((100 * log.offset) / log.size) : 0;
    // Of a container's log nobody knows the size.
    const far = log.run === null ? ` (${percent} %)` : '';
    return unknown(`reading what the log holds already${far}`, null);
  }
  return judgeWitnesses(state);
}

/** By beginning and end of the log alone: the numbers of its lines are not known, and nothing is final. */
const provisional = (ruling: Ruling): Ruling => ({
  ...ruling,
  provisional: true,
  evidence: ruling.evidence.map((item) => ({ ...item, lineNumber: null })),
});

function judgeWitnesses(state: State): Ruling {
  const { process } = state;
  const findings = state.reading.findings();
  const ours = actionUnderWay(state);
  if (ours) return loading(underWayText(ours));

  const gone = process.fact?.status === 'gone' ? process.fact : null;
  if (gone && wasEndedByUs(state)) return over('stopped', 'stopped by us', [processEvidence(state)]);
  const death = deathOfThisRun(findings.death, state);
  const stopped = ofThisRun(findings.stopped, state);
  if (stopped && !death && (gone || process.fact?.status === 'absent')) {
    return over('stopped', 'shut down by a signal from outside', [
      logEvidence(stopped),
      processEvidence(state),
    ]);
  }
  if (death) return judgeDeath(state, death);
  if (gone) return judgeGone(state, findings);
  if (process.fact?.status === 'absent' && isFinishedLog(state)) return judgeFinishedLog(state, findings);
  const left = judgeLeftShell(state, findings);
  if (left) return left;
  const doubt = judgeDoubt(state, findings);
  if (doubt) return doubt;
  return judgeReady(state, findings) ?? stillReady(state, withRestarts(state, judgeLoading(state, findings)));
}

/**
 * A server that was ready before the connection broke, and whose process lives, is not loading again: until its port
 * has spoken anew, nothing is known.
 */
function stillReady(state: State, ruling: Ruling): Ruling {
  const { process, readySince, upSince, now } = state;
  const began = state.reading.findings().runStart?.at ?? 0;
  const wasReady = readySince !== null && readySince < upSince && began <= readySince;
  if (!wasReady || ruling.outcome !== 'loading' || process.fact?.status !== 'alive') return ruling;
  if (now - upSince > lookAgainMs / state.target.timeScale) return ruling;
  const how =
    state.health?.okSince == null ? 'looking again' : 'its port answers again: 5 s of that are READY';
  return { ...unknown(`was READY before the connection broke; ${how}`, null), evidence: ruling.evidence };
}

/** A few answers of the readiness path, from a server that is busy (ms). */
const lookAgainMs = 30_000;

/**
 * Nothing has been heard of the log over this connection: what it holds by now may be the very end. Not for ever: where
 * it cannot be looked at, the process and the port are all there is.
 */
function isUnheard({ target, attempt, log, upSince, beganAt, now }: State): boolean {
  if (target.log === null && attempt === null && log.heardAt === null) return false;
  const since = Math.max(upSince, beganAt);
  return (log.heardAt ?? -1) < since && now - since < logPatienceMs;
}

/** On a slow link our scripts themselves take a while to get there (ms). */
const logPatienceMs = 60_000;

/** What was seen last was seen over another connection: the process may have ended meanwhile, the port may be shut. */
function isFromBefore({ process, health, target, upSince }: State): boolean {
  if (process.fact !== null && process.at < upSince) return true;
  return target.port !== null && health !== null && health.answer.port === target.port && health.at < upSince;
}

/** A container that its restart policy starts again and again is not just loading. */
function withRestarts({ process }: State, ruling: Ruling): Ruling {
  const container = process.fact?.status === 'alive' ? process.fact.container : undefined;
  if (container === undefined || container.restarts === 0) return ruling;
  return { ...ruling, summary: `${ruling.summary}${restartText(container)}` };
}

/** A container's process and its log are not of the same run: one of the two has come first. */
function isBetweenRuns({ process, log }: State): boolean {
  const run = runOf(process.fact);
  return run !== null && log.run !== null && log.status === 'open' && run !== log.run;
}

function waitingText({ needs, trying, reason }: Extract<State['link'], { status: 'waiting' }>): string {
  if (trying) return `connection lost, logging in again: ${reason}`;
  return needs === 'answer'
    ? `connection lost, login needed (c): ${reason}`
    : `connection lost, tried again only by c: ${reason}`;
}

function judgeLoading(state: State, findings: Findings): Ruling {
  const { log } = state;
  // The processes tell of it, whatever is known of the log.
  const dead = judgeDeadRank(state);
  if (dead?.kind === 'stalled') return over('stalled', dead.summary, dead.evidence);
  if (state.target.log === null && state.attempt === null) return judgeWithoutLog(state);
  if (log.status === 'unknown') return unknown('waiting for the first word of the log', null);
  if (log.status === 'unreadable') return unknown(`the log cannot be read: ${log.detail ?? ''}`, null);
  if (log.status === 'missing') {
    // Nothing is known to be loading: it may yet be started.
    if (log.detail === null && !state.process.seenAlive && state.attempt === null) {
      const text = 'waiting for the log: its file is not there yet, and no process is known';
      return { ...unknown(text, null), evidence: [processEvidence(state)] };
    }
    const other = log.detail === null ? '' : `; the process writes to ${log.detail}`;
    return { ...loading(`the log file is not there yet${other}`), evidence: [processEvidence(state)] };
  }
  if (state.process.fact?.status === 'absent') {
    return { ...loading('no process writes this log'), evidence: [processEvidence(state)] };
  }
  const quiet = judgeQuiet(state);
  if (quiet.kind === 'stalled') {
    return over('stalled', quiet.summary, quiet.evidence);
  }
  const foreign = foreignListener(state);
  if (foreign) return { ...loading(foreign.text), evidence: [foreign] };
  if (findings.ready) return notOfThisRun('ready', findings.ready);
  if (findings.death) return notOfThisRun('dying', findings.death);
  if (quiet.kind === 'slow') return loading(`${phaseName(findings)}: ${quiet.text}`);
  return loading(findings.phase === null ? 'no phase seen yet' : phaseName(findings));
}

/** Why a line that decides is not taken: nothing shows that the process of now has written it. */
function notOfThisRun(kind: 'ready' | 'dying', line: DatedLine): Ruling {
  const text = `the log's ${kind} line (${line.lineNumber}) is not known to be of this process; waiting for a new one`;
  return { ...loading(text), evidence: [logEvidence(line)] };
}

/** A server whose output goes to no file that can be read: its process and its port are all there is. */
function judgeWithoutLog(state: State): Ruling {
  if (state.process.fact === null) return unknown('looking for the process', null);
  const foreign = foreignListener(state);
  const evidence = foreign ? [foreign, processEvidence(state)] : [processEvidence(state)];
  return { ...loading('no log is known: give it with --log; until then process and port tell'), evidence };
}

/** Whether nothing that happens elsewhere can change it: the process is known to be gone. */
const isOver = ({ outcome, provisional }: Verdict): boolean =>
  !provisional && (outcome === 'crashed' || outcome === 'stopped');

function isFinishedLog(state: State): boolean {
  const { process, log, attempt } = state;
  if (attempt !== null || process.seenAlive || log.status !== 'open') return false;
  return process.changedAt !== null && state.now - process.changedAt >= absentForMs;
}

/** A kill, or a relaunch that ends it first: by this firedup or, as its launch's folder tells, by another. */
const wasEndedByUs = ({ attempt, process }: State): boolean =>
  attempt?.wasKilled === true || process.endedByUs;

/** What is being done now; while nothing has been told yet, that it is under way. */
function underWayText({ kind, steps }: ActionState): string {
  const step = steps.at(-1);
  if (step === undefined) return `${kind} under way`;
  // A command by itself would look like anything.
  return step.step === 'before' ? `before the start: ${step.text}` : step.text;
}

function sameEvidence(one: readonly Evidence[], other: readonly Evidence[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      (item, index) => item.text === other[index]?.text && item.lineNumber === other[index]?.lineNumber,
    )
  );
}
