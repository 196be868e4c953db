import type { PhaseFinding } from '../triage/findings.js';
import { fromLogClock } from './log-clock.js';
import { processEndedAt, processStartedAt } from './process.js';
import { readyAt, watchedFromStart } from './ready-moment.js';
import type { State } from './state.js';
import { standingVerdict } from './under-way.js';

/** How long a phase took, or has taken so far (seconds); null where nothing tells. */
export function phaseSeconds(phase: PhaseFinding, state: State): number | null {
  if (phase.status === 'done') {
    const tookMs = phaseTookMs(phase);
    return tookMs === null ? null : tookMs / 1000;
  }
  if (phase.status !== 'active' && phase.status !== 'failed') return null;
  const [startedAt, until] = [phaseStartedAt(phase, state), lastMoment(state)];
  return startedAt === null || until === null ? null : Math.max(0, (until - startedAt) / 1000);
}

/**
 * How long a phase that is done took (ms). What we saw ourselves is finer than the log's clock, which has whole seconds;
 * but lines that were written while we were stopped, asleep or cut off came all at once: where the two disagree, the log's
 * counts, unless it was set back meanwhile. Null where neither tells.
 */
export function phaseTookMs({ startedAt, endedAt, startedLogMs, endedLogMs }: PhaseFinding): number | null {
  const seen = span(startedAt, endedAt);
  const logged = span(startedLogMs, endedLogMs);
  if (logged === null || logged < 0) return seen === null ? null : Math.max(0, seen);
  return seen === null || Math.abs(seen - logged) > clockGrainMs ? logged : Math.max(0, seen);
}

/** Two stamps in whole seconds, and the way of the lines. */
const clockGrainMs = 3000;

/** Start of a phase by our clock (ms); through the log's clock where its line is older than our watch. */
export function phaseStartedAt(phase: PhaseFinding, state: State): number | null {
  return phase.startedAt ?? fromLogClock(phase.startedLogMs, state);
}

/**
 * How long the launch took, or has taken so far (ms): from its start to READY, or to its end. Null where one of the two
 * is not known: how long we have been watching is no answer.
 */
export function launchTookMs(state: State): number | null {
  const { outcome } = standingVerdict(state);
  const until = lastMoment(state);
  if (until === null) return null;
  const isOver = state.readySince !== null || ['ready', 'crashed', 'stopped'].includes(outcome);
  // Of what is still coming, the start may yet be found.
  const startedAt = runStartedAt(state) ?? (isOver ? null : state.beganAt);
  return startedAt === null ? null : Math.max(0, until - startedAt);
}

/**
 * Now, or when it was over: the clock of a launch stands still from its end on, or from READY on. What we do to a server,
 * or a lost connection, does not set it going again. Null where that was before we came, and nothing tells when.
 */
function lastMoment(state: State): number | null {
  const { outcome, since } = standingVerdict(state);
  if (outcome === 'crashed' || outcome === 'stopped') {
    const endedAt = endedBefore(state);
    return endedAt === null ? null : Math.min(since, endedAt);
  }
  if (state.readySince !== null) return readyAt(state);
  return outcome === 'ready' ? since : (processEndedAt(state) ?? logEndedAt(state) ?? state.now);
}

/** When the process ended or, while it dies, now. That it was gone when we came says nothing of when it went. */
function endedBefore(state: State): number | null {
  const { fact, lastSeen } = state.process;
  const { death, lastLogMs } = state.reading.findings();
  const lastLineAt = fromLogClock(lastLogMs, state);
  if (fact?.status === 'absent') return lastLineAt;
  if (fact?.status !== 'gone') return death === null ? state.now : (death.at ?? lastLineAt);
  const isMissed = lastSeen !== null || fact.exit?.at != null || watchedFromStart(state);
  return isMissed ? processEndedAt(state) : lastLineAt;
}

/** Of a log that nobody writes any more, when its last dated line was written, by our clock; null for any other. */
function logEndedAt(state: State): number | null {
  return state.process.fact?.status === 'absent'
    ? fromLogClock(state.reading.findings().lastLogMs, state)
    : null;
}

/** Start of the run that is watched, by our clock: our launch, the process or the first dated phase; null without any. */
function runStartedAt(state: State): number | null {
  const skewMs = state.host?.clockSkewMs ?? 0;
  if (state.attempt) return state.attempt.startedAt - skewMs;
  const startedAt = processStartedAt(state);
  if (startedAt !== null) return startedAt;
  const first = state.reading.findings().phases.find((phase) => phase.startedLogMs !== null);
  return first === undefined ? null : phaseStartedAt(first, state);
}

function span(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}
