import type { DatedLine, Findings } from '../triage/findings.js';
import { causeText } from './cause-text.js';
import { exitWord, logEvidence, processEvidence } from './evidence.js';
import { kernelEvidence, oomKillsSeen } from './kernel-evidence.js';
import { lastLogLines } from './last-lines.js';
import { loggedDeath } from './log-death.js';
import type { ExitStatus } from './process-fact.js';
import { hidesStatus, isShell } from './programs.js';
import { wasReadyInThisRun } from './ready.js';
import { loading, over, phaseName, type Ruling, unknown, unknownWith } from './ruling.js';
import type { Evidence, State } from './state.js';
import { ofThisRun } from './this-run.js';

/** How long after the end of the process its last lines may still be on their way (ms). */
export const lastWordsMs = 800;

/** The engine said itself that it dies. */
export function judgeDeath(state: State, death: DatedLine): Ruling {
  const { fact } = state.process;
  const evidence = [logEvidence(death), ...kernelEvidence(state)];
  if (fact?.status === 'gone')
    return over('crashed', crashSummary(state), [...evidence, processEvidence(state)]);
  if (fact?.status !== 'absent') return over('crashed', crashSummary(state), evidence);
  const summary = `finished log: ${crashSummary(state)}; nothing is running`;
  return over('crashed', summary, [...evidence, processEvidence(state)]);
}

/** The process went, and no line says that the engine died. */
export function judgeGone(state: State, findings: Findings): Ruling {
  const exit = state.process.fact?.status === 'gone' ? state.process.fact.exit : null;
  const quietSince = Math.max(state.process.changedAt ?? 0, state.log.lastAt ?? 0);
  const isReady = wasReady(state, findings);
  if (state.now - quietSince < lastWordsMs) {
    const text = 'the process is gone; reading its last words';
    return isReady ? unknown(text, null) : loading(text);
  }
  const evidence = [processEvidence(state), ...kernelEvidence(state)];
  if (!isReady) return over('crashed', crashSummary(state), evidence);
  if (exit === null || !isOwnStatus(state, exit)) return judgeByLog(state, findings, evidence);
  const signal = exit.signal ?? exit.relayed;
  if (signal === 'SIGTERM' || signal === 'SIGINT' || exit.code === 0) {
    return over('stopped', 'ended after it was ready', evidence);
  }
  return over('crashed', crashSummary(state), evidence);
}

/** How it ended nobody has recorded: then its log may tell. */
function judgeByLog(state: State, findings: Findings, evidence: readonly Evidence[]): Ruling {
  const word = loggedDeath(findings);
  if (word !== null) return over('crashed', crashSummary(state), [word, ...evidence]);
  const { fact } = state.process;
  const how =
    fact?.status === 'gone' && fact.exit !== null
      ? `${exitWord(fact.exit)} is of the shell that ran it, not its own`
      : 'how it ended is not known';
  return unknownWith(`gone after it was ready; ${how}`, evidence);
}

/**
 * Whether an end well is the server's own. What a shell ends with is that of the last command of its pipeline or line; of
 * a script nothing is known but that other programs ran in it.
 */
function isOwnStatus({ attempt, process: { lastSeen }, roster }: State, { code }: ExitStatus): boolean {
  if (code !== 0 || attempt === null) return true;
  const hides = hidesStatus(attempt.command);
  if (lastSeen === null) return !hides;
  if (!isShell(lastSeen.command) || roster.ended?.hadProgram !== true) return true;
  const isScript = !attempt.command.includes('&&');
  return !hides && !isScript;
}

/** Nothing runs, and nothing listens: the file is the record of a run that is over. */
export function judgeFinishedLog(state: State, findings: Findings): Ruling {
  const evidence = [processEvidence(state)];
  if (findings.ready) {
    const text = `finished log: it was ready once, but nothing is running now`;
    return unknownWith(text, [logEvidence(findings.ready), ...evidence]);
  }
  const report = state.reading.report();
  if (report.outcome === 'crashed') {
    const cause = report.rootCause;
    const line: Evidence[] = cause
      ? [{ witness: 'log', text: cause.line, lineNumber: cause.lineNumber }]
      : [];
    return over('crashed', `finished log: ${cause ? causeText(cause) : 'it crashed'}; nothing is running`, [
      ...line,
      ...evidence,
    ]);
  }
  return unknownWith(`finished log: it ends in ${phaseName(findings)} and nothing is running`, evidence);
}

/** Whether this run was ready before it ended; where a port was given, that had to answer as well (rule 1). */
function wasReady(state: State, findings: Findings): boolean {
  const { outcome, provisional, since } = state.verdict;
  if (outcome === 'ready' && !provisional && (state.process.aliveSince ?? 0) <= since) return true;
  if (state.health?.okSince != null || wasReadyInThisRun(state, findings)) return true;
  return state.target.port === null && ofThisRun(findings.ready, state) !== null;
}

function crashSummary(state: State): string {
  const cause = state.reading.report({ outcome: 'crashed' }).rootCause;
  if (cause) return causeText(cause);
  const fact = state.process.fact;
  if (fact?.status !== 'gone') return 'the engine died; no line names a cause';
  const { container } = fact;
  if (container && container.error !== '')
    return `${container.engine} could not start the container: ${container.error}`;
  const oom =
    fact.exit?.oomKills || oomKillsSeen(state) > 0 ? ' (the kernel killed for memory meanwhile)' : '';
  if (container && fact.exit?.signal === 'SIGKILL' && fact.exit.oomKills)
    return 'the kernel killed it for memory (container limit)';
  if (fact.exit?.signal)
    return `the process is gone (killed by ${fact.exit.signal}) with no word in the log${oom}`;
  const last = lastLogLines(state, 3).findLast((line) => line.trim() !== '');
  const words =
    last === undefined
      ? 'with no word in the log'
      : `and the log names no cause; its last line: ${last.trim()}`;
  return `the process is gone (${exitWord(fact.exit)}) ${words}${oom}`;
}
