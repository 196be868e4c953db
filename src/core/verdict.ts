import type { DatedLine, Findings } from '../triage/findings.js';
import type { Outcome } from '../triage/report.js';
import { isOk, steadyMs } from './health.js';
import { judgeQuiet } from './stall.js';
import type { Evidence, State, Verdict } from './state.js';
import { isOfThisRun } from './this-run.js';

/** How long after the end of the process its last lines may still be on their way (ms). */
const lastWordsMs = 800;

/** How long "no process" must hold before an old log is called finished (ms): a launch may be about to open it. */
const absentForMs = 3000;

/** Judges after every event by the five rules of the contract; the same state comes back where nothing changed. */
export function judge(state: State): State {
  const ruling = rule(state);
  const { verdict } = state;
  const same =
    verdict.outcome === ruling.outcome &&
    verdict.provisional === ruling.provisional &&
    verdict.summary === ruling.summary &&
    sameEvidence(verdict.evidence, ruling.evidence);
  if (same) return state;
  const since = verdict.outcome === ruling.outcome ? verdict.since : state.now;
  return { ...state, verdict: { ...ruling, since } };
}

type Ruling = Omit<Verdict, 'since'>;

function rule(state: State): Ruling {
  const { link, log, process, verdict } = state;
  const findings = state.reading.findings();
  if (link.status === 'lost') return unknown(`connection lost for good: ${link.reason}`, 'link');
  if (link.status === 'down')
    return isOver(verdict) ? verdict : unknown(`connection lost: ${link.reason}`, 'link');
  if (link.status === 'connecting') return unknown(`connecting to ${state.target.host}`, null);
  if (!log.caughtUp && log.status === 'open') {
    const percent = log.size > 0 ? Math.floor((100 * log.offset) / log.size) : 0;
    return unknown(`reading what the log holds already (${percent} %)`, null);
  }
  if (state.action && !state.action.finished) return loading(`${state.action.kind} under way`);

  const gone = process.fact?.status === 'gone' ? process.fact : null;
  if (gone && wasKilledByUs(state)) return over('stopped', 'stopped by us', [processEvidence(state)]);
  const death = current(findings.death, state);
  const stopped = current(findings.stopped, state);
  if (stopped && !death && (gone || process.fact?.status === 'absent')) {
    return over('stopped', 'shut down by a signal from outside', [
      logEvidence(stopped),
      processEvidence(state),
    ]);
  }
  if (death) return judgeDeath(state, death);
  if (gone) return judgeGone(state, findings);
  if (process.fact?.status === 'absent' && isFinishedLog(state)) return judgeFinishedLog(state, findings);
  return judgeReady(state, findings) ?? judgeLoading(state, findings);
}

/** The engine said itself that it dies. */
function judgeDeath(state: State, death: DatedLine): Ruling {
  const { fact } = state.process;
  const evidence = [logEvidence(death)];
  if (fact?.status === 'gone')
    return over('crashed', crashSummary(state), [...evidence, processEvidence(state)]);
  if (fact?.status !== 'absent') return over('crashed', crashSummary(state), evidence);
  const summary = `finished log: ${crashSummary(state)}; nothing is running`;
  return over('crashed', summary, [...evidence, processEvidence(state)]);
}

/** The process went, and no line says that the engine died. */
function judgeGone(state: State, findings: Findings): Ruling {
  const exit = state.process.fact?.status === 'gone' ? state.process.fact.exit : null;
  const quietSince = Math.max(state.process.changedAt ?? 0, state.log.lastAt ?? 0);
  if (state.now - quietSince < lastWordsMs) return loading('the process is gone; reading its last words');
  const evidence = [processEvidence(state)];
  if (!wasReady(state, findings)) return over('crashed', crashSummary(state), evidence);
  if (exit === null) return unknownWith('gone after it was ready; how it ended is not known', evidence);
  if (exit.signal === 'SIGTERM' || exit.signal === 'SIGINT' || exit.code === 0) {
    return over('stopped', 'ended after it was ready', evidence);
  }
  return over('crashed', crashSummary(state), evidence);
}

/** Nothing runs, and nothing listens: the file is the record of a run that is over. */
function judgeFinishedLog(state: State, findings: Findings): Ruling {
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
    return over('crashed', `finished log: ${cause?.line ?? 'it crashed'}; nothing is running`, [
      ...line,
      ...evidence,
    ]);
  }
  return unknownWith(`finished log: it ends in ${phaseName(findings)} and nothing is running`, evidence);
}

function judgeReady(state: State, findings: Findings): Ruling | null {
  const { target, health, process } = state;
  const ready = current(findings.ready, state);
  const steady = health?.okSince != null && state.now - health.okSince >= steadyMs;
  // Until the first word about the process arrives, an old ready line could be taken for a new one.
  if (process.fact === null || process.fact.status === 'absent') return null;
  if (!ready && !(steady && process.fact.status === 'alive')) return null;
  const evidence: Evidence[] = [];
  if (ready) evidence.push(logEvidence(ready));
  if (health && isOk(health.answer)) evidence.push(httpEvidence(state));
  evidence.push(processEvidence(state));
  if (target.port !== null) {
    if (!health || health.answer.port !== target.port || !isOk(health.answer)) {
      return { ...loading(`ready by its log; port ${target.port} does not answer yet`), evidence };
    }
    if (health.answer.owned === false) {
      return { ...loading(`port ${target.port} is answered by another process`), evidence };
    }
  }
  return over('ready', ready ? 'ready' : 'ready: its readiness path answers', evidence);
}

function judgeLoading(state: State, findings: Findings): Ruling {
  const { log } = state;
  if (log.status === 'unknown') return unknown('waiting for the first word of the log', null);
  if (log.status === 'unreadable') return unknown(`the log cannot be read: ${log.detail ?? ''}`, null);
  if (log.status === 'missing') {
    const other = log.detail === null ? '' : `; the process writes to ${log.detail}`;
    return { ...loading(`the log file is not there yet${other}`), evidence: [processEvidence(state)] };
  }
  if (state.process.fact?.status === 'absent') {
    return { ...loading('no process writes this log'), evidence: [processEvidence(state)] };
  }
  const quiet = judgeQuiet(state);
  if (quiet.kind === 'stalled') {
    return over('stalled', `stalled in ${phaseName(findings)}`, quiet.evidence);
  }
  const foreign = foreignListener(state);
  if (foreign) return { ...loading(foreign.text), evidence: [foreign] };
  if (quiet.kind === 'slow') return loading(`${phaseName(findings)}: ${quiet.text}`);
  return loading(findings.phase === null ? 'no phase seen yet' : phaseName(findings));
}

/** A 200 from a process outside the tree is no witness, but worth a word. */
function foreignListener(state: State): Evidence | null {
  const answer = state.health?.answer;
  if (!answer || !isOk(answer) || answer.owned !== false) return null;
  return {
    witness: 'http',
    text: `port ${answer.port} answers 200, but its listener is not this server`,
    lineNumber: null,
  };
}

/** Whether nothing that happens elsewhere can change it: the process is known to be gone. */
const isOver = (verdict: Verdict): boolean => verdict.outcome === 'crashed' || verdict.outcome === 'stopped';

function isFinishedLog(state: State): boolean {
  const { process, log, attempt } = state;
  if (attempt !== null || process.seenAlive || log.status !== 'open') return false;
  return process.changedAt !== null && state.now - process.changedAt >= absentForMs;
}

/** Whether this run was ready by any witness before now. */
export function wasReady(state: State, findings: Findings): boolean {
  return findings.ready !== null || state.verdict.outcome === 'ready' || state.health?.okSince != null;
}

function wasKilledByUs(state: State): boolean {
  return state.action?.kind === 'kill' && state.action.succeeded === true;
}

function current(line: DatedLine | null, state: State): DatedLine | null {
  return line && isOfThisRun(line, state) ? line : null;
}

function crashSummary(state: State): string {
  const cause = state.reading.report({ outcome: 'crashed' }).rootCause;
  if (cause) return cause.line;
  const fact = state.process.fact;
  if (fact?.status !== 'gone') return 'the engine died; no line names a cause';
  const how = fact.exit?.signal ? `killed by ${fact.exit.signal}` : exitWord(fact.exit?.code ?? null);
  const oom = fact.exit?.oomKills ? ' (the kernel killed for memory meanwhile)' : '';
  return `the process is gone (${how}) with no word in the log${oom}`;
}

const exitWord = (code: number | null): string => (code === null ? 'exit status unknown' : `exit ${code}`);

function processEvidence(state: State): Evidence {
  return { witness: 'process', text: processText(state), lineNumber: null };
}

/** The process in a few words: `pid 4711 is alive`, `gone: SIGKILL`. */
export function processText(state: State): string {
  const { fact } = state.process;
  switch (fact?.status) {
    case undefined:
      return 'process not looked at yet';
    case 'alive':
      return `pid ${fact.pid} is alive (${fact.tree.length} ${fact.tree.length === 1 ? 'process' : 'processes'})`;
    case 'gone':
      return `pid ${fact.pid} is gone: ${fact.exit?.signal ?? exitWord(fact.exit?.code ?? null)}`;
    case 'absent':
      return 'no process writes this log or listens on its port';
    case 'unknown':
      return `process unknown: ${fact.reason}`;
  }
}

function httpEvidence(state: State): Evidence {
  const answer = state.health?.answer;
  const status = answer?.result.kind === 'status' ? answer.result.code : '–';
  return {
    witness: 'http',
    text: `${answer?.path} on port ${answer?.port} answers ${status}`,
    lineNumber: null,
  };
}

const logEvidence = (line: DatedLine): Evidence => ({
  witness: 'log',
  text: line.line,
  lineNumber: line.lineNumber,
});

function phaseName(findings: Findings): string {
  const active = findings.phases.find((phase) => phase.status === 'active');
  const title = active?.title ?? findings.phase ?? 'no known phase';
  const model = active?.model ?? findings.phaseModel;
  return model === 'draft' ? `${title} (draft)` : title;
}

const over = (outcome: Outcome, summary: string, evidence: readonly Evidence[]): Ruling => ({
  outcome,
  provisional: false,
  summary,
  evidence,
});

const loading = (summary: string): Ruling => over('loading', summary, []);

const unknownWith = (summary: string, evidence: readonly Evidence[]): Ruling =>
  over('unknown', summary, evidence);

function unknown(summary: string, witness: Evidence['witness'] | null): Ruling {
  const evidence: readonly Evidence[] = witness ? [{ witness, text: summary, lineNumber: null }] : [];
  return { outcome: 'unknown', provisional: true, summary, evidence };
}

function sameEvidence(one: readonly Evidence[], other: readonly Evidence[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      (item, index) => item.text === other[index]?.text && item.lineNumber === other[index]?.lineNumber,
    )
  );
}
