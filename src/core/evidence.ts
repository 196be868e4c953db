import type { DatedLine } from '../triage/findings.js';
import { isOk } from './health.js';
import type { ContainerRun, ExitStatus, ProcessDoubt, ProcessFact } from './process-fact.js';
import type { Evidence, State } from './state.js';

export function processEvidence(state: State): Evidence {
  return { witness: 'process', text: processText(state), lineNumber: null };
}

/** The process in a few words: `pid 4711 is alive`, `gone: SIGKILL`. */
export function processText(state: State): string {
  const { fact } = state.process;
  switch (fact?.status) {
    case undefined:
      return 'process not looked at yet';
    case 'alive':
      return `pid ${fact.pid} is alive (${fact.tree.length} ${fact.tree.length === 1 ? 'process' : 'processes'})${doubtText(fact.doubt)}${inContainer(fact.container)}`;
    case 'gone':
      return goneText(fact);
    case 'absent':
      return fact.reason ?? 'no process writes this log or listens on its port';
    case 'unknown':
      return `unknown: ${fact.reason}`;
  }
}

/** How it ended, as far as that is known. */
function goneText({ pid, exit, container }: Extract<ProcessFact, { status: 'gone' }>): string {
  const how = exit?.signal ?? exitWord(exit);
  if (container === undefined) return `pid ${pid} is gone: ${how}`;
  const why = container.error === '' ? '' : `: ${container.error}`;
  const oom = exit?.oomKills ? ', out of memory (OOMKilled)' : '';
  return `container ${container.name} has ended: ${how}${oom}${restartText(container)}${why}`;
}

function doubtText(doubt: ProcessDoubt | undefined): string {
  switch (doubt) {
    case undefined:
      return '';
    case 'fork':
      return ', forked from a process that has ended';
    case 'orphan':
      return ', forked from a process that had ended before it was seen';
    case 'stranger':
    case 'elsewhere':
      return ', listens on the port and does not write the log';
    case 'silent':
      return ', listens on no port, and who started it has ended';
  }
}

const inContainer = (container: ContainerRun | undefined): string =>
  container === undefined ? '' : `, container ${container.name}${restartText(container)}`;

/** `, restarted 3 times`: by its restart policy, so as often as it has crashed. */
export const restartText = ({ restarts }: ContainerRun): string =>
  restarts === 0 ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`;

/** `exit 3`, `exit 137 (as of SIGKILL)` where a process of it may have ended so. */
export function exitWord(exit: ExitStatus | null): string {
  if (exit === null || exit.code === null) return 'exit status unknown';
  return `exit ${exit.code}${exit.relayed === undefined ? '' : ` (as of ${exit.relayed})`}`;
}

export function httpEvidence(state: State): Evidence {
  const answer = state.health?.answer;
  const status = answer?.result.kind === 'status' ? answer.result.code : '–';
  return {
    witness: 'http',
    text: `${answer?.path} on port ${answer?.port} answers ${status}`,
    lineNumber: null,
  };
}

export const logEvidence = (line: DatedLine): Evidence => ({
  witness: 'log',
  text: line.line,
  lineNumber: line.lineNumber,
});

/** What a witness says as a fact of a card: under its name, with the number of the line. */
export const evidenceFact = ({ witness, text, lineNumber }: Evidence) => ({
  label: witness,
  text: lineNumber === null ? text : `line ${lineNumber}: ${text}`,
});

/** A 200 from a process outside the tree is no witness, but worth a word. */
export function foreignListener(state: State): Evidence | null {
  const answer = state.health?.answer;
  if (!answer || !isOk(answer) || answer.owned !== false) return null;
  return {
    witness: 'http',
    text: `port ${answer.port} answers 200, but its listener is not this server`,
    lineNumber: null,
  };
}
