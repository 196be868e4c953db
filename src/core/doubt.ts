import type { Findings } from '../triage/findings.js';
import { logEvidence, processEvidence } from './evidence.js';
import { steadyMs } from './health.js';
import { isReadyAlready } from './ready.js';
import { type Ruling, unknown, unknownWith } from './ruling.js';
import type { State } from './state.js';
import { ofThisRun } from './this-run.js';

/**
 * A process that may only be left of a server that has ended is not READY by the log, whose ready line may be of the one
 * that is gone; its port decides. Null where there is no such doubt, or the port has settled it.
 */
export function judgeDoubt(state: State, findings: Findings): Ruling | null {
  const { process, health, now } = state;
  const { fact } = process;
  if (fact?.status !== 'alive' || fact.doubt === undefined) return null;
  if (isReadyAlready(state, findings)) return null;
  const okForMs = health?.okSince == null ? 0 : now - health.okSince;
  if (okForMs >= steadyMs) return null;
  const ready = ofThisRun(findings.ready, state);
  // What listens nowhere may still be loading; a fork has nothing of its own to show for that.
  if (fact.doubt === 'silent' && ready === null) return null;
  const what =
    fact.doubt === 'fork'
      ? `pid ${fact.pid} may only be a fork of a server that has ended`
      : `pid ${fact.pid}, which is left, listens on no port`;
  const summary = `${ready === null ? 'not known to run' : 'was READY'}: ${what}`;
  const evidence = [...(ready === null ? [] : [logEvidence(ready)]), processEvidence(state)];
  const isAsking = okForMs > 0 || now - Math.max(process.aliveSince ?? 0, ready?.at ?? 0) < askMs;
  return isAsking
    ? { ...unknown(`${summary}; asking its port`, null), evidence }
    : unknownWith(summary, evidence);
}

/** Within it the port that the log names has been asked, and who listens been looked at, over a slow link too (ms). */
const askMs = 5000;
