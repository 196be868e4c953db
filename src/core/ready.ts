import type { Findings } from '../triage/findings.js';
import { httpEvidence, logEvidence, processEvidence } from './evidence.js';
import { isOk, steadyMs } from './health.js';
import { loading, over, type Ruling } from './ruling.js';
import type { Evidence, State } from './state.js';
import { ofThisRun } from './this-run.js';

/** How long a listener that cannot be told to be ours or not must answer before it is believed (ms). */
const unreadableMs = 10_000;

/** READY by rule 1 of the contract, or what is still missing of it; null where nothing speaks for it. */
export function judgeReady(state: State, findings: Findings): Ruling | null {
  const { health, process } = state;
  // Until the first word about the process arrives, an old ready line could be taken for a new one.
  if (process.fact === null || process.fact.status === 'absent') return null;
  const ready = ofThisRun(findings.ready, state);
  const isSteady = health?.okSince != null && state.now - health.okSince >= steadyMs;
  const stays = isReadyAlready(state, findings);
  if (!ready && !(process.fact.status === 'alive' && (isSteady || stays))) return null;
  const evidence: Evidence[] = [];
  if (ready) evidence.push(logEvidence(ready));
  if (health && isOk(health.answer)) evidence.push(httpEvidence(state));
  evidence.push(processEvidence(state));
  const missing = stays ? null : missingAnswer(state);
  if (missing) return { ...loading(missing), evidence };
  return over('ready', ready ? 'the engine says so' : 'its readiness path answers', evidence);
}

/** After READY only the engine's own death counts: a busy server may well answer late, or 503. */
export function isReadyAlready({ verdict, process }: State, findings: Findings): boolean {
  const began = Math.max(process.aliveSince ?? 0, findings.runStart?.at ?? 0);
  return verdict.outcome === 'ready' && !verdict.provisional && began <= verdict.since;
}

/** What is no 200: who has to wait must know whether it will ever come (401 of a key, 302 of a proxy). */
function answerText(health: State['health'], port: number): string {
  const answer = health?.answer.port === port ? health.answer : null;
  if (answer?.result.kind !== 'status') return 'does not answer yet';
  return `answers ${answer.result.code} on ${answer.path}, not 200`;
}

/** Whether it was READY once, and has not begun another run since. */
export function wasReadyInThisRun({ readySince }: State, { runStart }: Findings): boolean {
  return readySince !== null && (runStart?.at ?? 0) <= readySince;
}

/** What the port that was given has not shown yet; null where none was given or it has answered. */
function missingAnswer({ target, health, process, now }: State): string | null {
  if (target.port === null) return null;
  if (!health || health.answer.port !== target.port || !isOk(health.answer)) {
    return `ready by its log; port ${target.port} ${answerText(health, target.port)}`;
  }
  const { owned } = health.answer;
  if (owned === false) return `port ${target.port} is answered by another process`;
  if (owned === true || process.fact?.status !== 'alive') return null;
  // A tree that is known and a listener that is not: it may turn out to be a stranger with the next look.
  const isLasting = health.openSince !== null && now - health.openSince >= unreadableMs;
  return isLasting ? null : `port ${target.port} answers; whose it is is not known yet`;
}
