import type { Findings } from '../triage/findings.js';
import { logEvidence, processEvidence } from './evidence.js';
import { steadyMs } from './health.js';
import { isReadyAlready } from './ready.js';
import { type Ruling, unknown, unknownWith } from './ruling.js';
import type { State } from './state.js';
import { ofThisRun } from './this-run.js';

/**
 * A process that may not be the server is not READY by the log, whose ready line may be of one that is gone; its port
 * decides, where that is no stranger's. Null where there is no such doubt, or the port has settled it.
 */
export function judgeDoubt(state: State, findings: Findings): Ruling | null {
  const { process, health, now } = state;
  const { fact } = process;
  if (fact?.status !== 'alive' || fact.doubt === undefined) return null;
  if (isReadyAlready(state, findings)) return null;
  if (fact.doubt === 'stranger' || fact.doubt === 'elsewhere')
    return judgeStranger(state, findings, fact.pid, fact.doubt);
  const okForMs = health?.okSince == null ? 0 : now - health.okSince;
  if (okForMs >= steadyMs) return null;
  const ready = ofThisRun(findings.ready, state);
  // What does not serve yet may still be loading; a fork of what was seen to end has nothing of its own to show for that.
  if (fact.doubt !== 'fork' && ready === null) return null;
  const what =
    fact.doubt === 'silent'
      ? `pid ${fact.pid}, which is left, listens on no port`
      : `pid ${fact.pid} may only be a fork of a server that has ended`;
  const summary = `${ready === null ? 'not known to run' : 'was READY'}: ${what}`;
  const evidence = [...(ready === null ? [] : [logEvidence(ready)]), processEvidence(state)];
  const isAsking = okForMs > 0 || now - Math.max(process.aliveSince ?? 0, ready?.at ?? 0) < askMs;
  return isAsking
    ? { ...unknown(`${summary}; asking its port`, null), evidence }
    : unknownWith(summary, evidence);
}

/**
 * Nobody writes the log, and who listens on the port that was given writes another one, or the log names another port: a
 * proxy, or a server that has come after the one of the log. Who opens its log for each line anew is none of these.
 */
function judgeStranger(
  state: State,
  { port }: Findings,
  pid: number,
  doubt: 'stranger' | 'elsewhere',
): Ruling | null {
  const { port: given } = state.target;
  const other = port !== null && port !== given ? port : null;
  if (doubt === 'stranger' && other === null) return null;
  const named = other === null ? '' : `, which names port ${other}`;
  const summary = `port ${given} is answered by pid ${pid}; nobody writes the log${named}`;
  return unknownWith(summary, [processEvidence(state)]);
}

/** Within it the port that the log names has been asked, and who listens been looked at, over a slow link too (ms). */
const askMs = 5000;
