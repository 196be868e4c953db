import { lastWordsMs } from './crash.js';
import { isOk, steadyMs } from './health.js';
import { absentForMs, type Ruling, unknown } from './ruling.js';
import type { State } from './state.js';

/**
 * Before a watch has judged for the first time, LOADING may only mean that a witness of a server that has long been up,
 * or has long been over, has not spoken yet: that is no state to tell. `ruling` comes back where it is one, and at the
 * latest after `patienceMs`.
 */
export function firstJudgement(state: State, ruling: Ruling): Ruling {
  if (ruling.outcome !== 'loading' || state.hasJudged) return ruling;
  if (state.action !== null || state.now - Math.max(state.upSince, state.beganAt) > patienceMs) return ruling;
  const awaited = awaitedWitness(state);
  return awaited === null ? ruling : unknown(awaited, null);
}

/** A first look at processes and port takes a few rounds over the link (ms). */
const patienceMs = 15_000;

/** Whose word may end it at once; null where all have spoken. */
function awaitedWitness({ process, log, target, attempt, health, host, reading, now }: State): string | null {
  const { fact, changedAt } = process;
  if (fact === null) return 'looking for the process';
  const forMs = now - (changedAt ?? 0);
  if (fact.status === 'gone' && forMs < lastWordsMs) return 'the process is gone; reading its last words';
  if (fact.status === 'absent' && forMs < absentForMs && log.status === 'open')
    return 'looking for its process once more';
  const { ready, death } = reading.findings();
  // The times of a log are those of the host's zone.
  if (host === null && (ready ?? death) !== null) return 'asking for the time on the host';
  const hasLog = target.log !== null || attempt !== null;
  if (target.port !== null && health === null && (ready !== null || !hasLog))
    return `asking port ${target.port}`;
  // Looked up after the answer; the tree may not have been known yet.
  const isUnowned =
    target.port !== null && health !== null && isOk(health.answer) && health.answer.owned === null;
  if (isUnowned && ready !== null) return `port ${target.port} answers; looking whose it is`;
  const isSteady = health?.okSince != null && now - health.okSince < steadyMs;
  return isSteady ? 'its readiness path answers; waiting whether it goes on so' : null;
}
