import type { PhaseFinding } from '../triage/findings.js';
import { fromLogClock } from './log-clock.js';
import { processEndedAt } from './process.js';
import type { State } from './state.js';
import { standingVerdict } from './under-way.js';

/** How long a phase took, or has taken so far (seconds); null where nothing tells. */
export function phaseSeconds(phase: PhaseFinding, state: State): number | null {
  if (phase.status === 'done') {
    const tookMs = phaseTookMs(phase);
    return tookMs === null ? null : tookMs / 1000;
  }
  if (phase.status !== 'active' && phase.status !== 'failed') return null;
  const startedAt = phaseStartedAt(phase, state);
  return startedAt === null ? null : Math.max(0, (lastMoment(state) - startedAt) / 1000);
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
 * Now, or when it was over: the clock of a launch stands still from its end on, or from READY on. What we do to a server,
 * or a lost connection, does not set it going again.
 */
export function lastMoment(state: State): number {
  const { readySince, now } = state;
  const { outcome, since } = standingVerdict(state);
  const endedAt = processEndedAt(state) ?? logEndedAt(state);
  if (outcome === 'crashed' || outcome === 'stopped') return Math.min(since, endedAt ?? since);
  if (readySince !== null) return readySince;
  return outcome === 'ready' ? since : (endedAt ?? now);
}

/** Of a log that nobody writes any more, when its last dated line was written, by our clock; null for any other. */
function logEndedAt(state: State): number | null {
  return state.process.fact?.status === 'absent'
    ? fromLogClock(state.reading.findings().lastLogMs, state)
    : null;
}

/** Start of the run that is watched, by our clock: our launch, the process, the first dated phase, or our watch. */
export function runStartedAt(state: State): number {
  const { fact } = state.process;
  const skewMs = state.host?.clockSkewMs ?? 0;
  if (state.attempt) return state.attempt.startedAt - skewMs;
  if (fact?.status === 'alive' && fact.startedAt !== null) return fact.startedAt - skewMs;
  const first = state.reading.findings().phases.find((phase) => phase.startedLogMs !== null);
  return (first && phaseStartedAt(first, state)) ?? state.beganAt;
}

function span(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : to - from;
}
