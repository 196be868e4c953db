import type { PhaseFinding } from '../triage/findings.js';
import { fromLogClock } from './log-clock.js';
import type { State } from './state.js';

/**
 * How long a phase took, or has taken so far (seconds): by arrival where both ends were seen live, else by the
 * log's own clock. Null where neither tells.
 */
export function phaseSeconds(phase: PhaseFinding, state: State): number | null {
  if (phase.status === 'done') {
    // The log's clock has whole seconds; what we saw ourselves is finer.
    return span(phase.startedAt, phase.endedAt) ?? span(phase.startedLogMs, phase.endedLogMs);
  }
  if (phase.status !== 'active' && phase.status !== 'failed') return null;
  const startedAt = phaseStartedAt(phase, state);
  return startedAt === null ? null : Math.max(0, (lastMoment(state) - startedAt) / 1000);
}

/** Start of a phase by our clock (ms); through the log's clock where its line is older than our watch. */
export function phaseStartedAt(phase: PhaseFinding, state: State): number | null {
  return phase.startedAt ?? fromLogClock(phase.startedLogMs, state);
}

/** Now, or when it was over: the clock of a crashed launch stands still. */
export function lastMoment(state: State): number {
  const { outcome, since } = state.verdict;
  return outcome === 'crashed' || outcome === 'stopped' || outcome === 'ready' ? since : state.now;
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
  return from === null || to === null ? null : Math.max(0, (to - from) / 1000);
}
