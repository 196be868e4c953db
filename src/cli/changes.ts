import { processText } from '../core/evidence.js';
import { phaseTookMs } from '../core/phase-times.js';
import { phaseTitle } from '../core/phase-title.js';
import type { State } from '../core/state.js';
import { cutText, durationText } from '../core/words.js';
import type { Findings, PhaseFinding } from '../triage/findings.js';
import { slowPatternText } from '../triage/own-pattern.js';

/** One thing that changed, worth a line of its own. */
export interface Change {
  readonly kind:
    | 'link'
    | 'log'
    | 'process'
    | 'http'
    | 'engine'
    | 'phase'
    | 'suspicion'
    | 'verdict'
    | 'action'
    | 'notice';
  readonly text: string;
}

/** What has changed from one state to the next, in the order in which people would tell it. Pure. */
export function describeChanges(before: State, after: State, seen: Findings | null): readonly Change[] {
  const changes: Change[] = [];
  const add = (kind: Change['kind'], text: string | null): void => {
    if (text !== null) changes.push({ kind, text });
  };
  if (before.link !== after.link) add('link', linkText(before, after));
  if (before.log !== after.log) add('log', logText(before, after));
  if (before.process.fact !== after.process.fact) add('process', processChange(before, after));
  if (before.health !== after.health) {
    add('http', healthText(before, after));
    add('suspicion', takenPortText(before, after));
  }
  if (before.action !== after.action) for (const text of actionTexts(before, after)) add('action', text);
  if (before.notice !== after.notice && after.notice && before.action === after.action)
    add('notice', after.notice.text);
  if (before.attempt !== after.attempt && after.attempt) {
    add(
      'process',
      `attempt ${after.attempt.number} started, pid ${after.attempt.pid}, log ${after.attempt.log}`,
    );
  }
  const findings = after.reading.findings();
  // Told once, by what is read in order: what the newest lines show ahead of it is provisional.
  if (findings !== seen && after.log.ahead === null)
    for (const change of findingChanges(seen, findings)) changes.push(change);
  const isFinalNow = before.verdict.provisional && !after.verdict.provisional;
  if (before.verdict.outcome !== after.verdict.outcome || isFinalNow) add('verdict', verdictText(after));
  return changes;
}

function linkText(before: State, after: State): string | null {
  if (before.link.status === after.link.status) return null;
  switch (after.link.status) {
    case 'connecting':
      return null;
    case 'up':
      return before.link.status === 'connecting' ? `connected to ${after.target.host}` : 'connected again';
    case 'down':
      return `connection lost: ${after.link.reason}; trying again`;
    case 'waiting':
      return after.link.needs === 'answer'
        ? `the login needs an answer: ${after.link.reason}`
        : `the login was refused: ${after.link.reason}`;
    case 'lost':
      return `connection given up: ${after.link.reason}`;
  }
}

function logText({ log: before }: State, { log: after }: State): string | null {
  if (after.gaps > before.gaps) return gapText(after.gapBytes - before.gapBytes);
  if (before.status === after.status && before.path === after.path && before.detail === after.detail)
    return null;
  switch (after.status) {
    case 'unknown':
      return null;
    case 'missing':
      return after.detail === null
        ? 'the log file is not there yet'
        : `the log file is not there; the process writes to ${after.detail}`;
    case 'unreadable':
      return `the log cannot be read: ${after.detail ?? ''}`;
    case 'open':
      return `reading ${after.path ?? 'the log'}${after.size > 0 && after.run === null ? `, ${after.size} bytes so far` : ''}`;
  }
}

const gapText = (bytes: number): string =>
  bytes > 0
    ? `gap in the log: ${bytes} bytes could not be read`
    : 'gap in the log: how much was lost is not known';

function processChange(before: State, after: State): string | null {
  const one = before.process.fact;
  const other = after.process.fact;
  const isSame =
    one?.status === other?.status &&
    (one?.status !== 'alive' || other?.status !== 'alive' || one.pid === other.pid);
  return isSame ? null : processText(after);
}

function healthText({ health: before }: State, { health: after }: State): string | null {
  if (!after) return null;
  const word = ({ answer }: NonNullable<State['health']>): string =>
    answer.result.kind === 'status' ? String(answer.result.code) : answer.result.kind;
  if (before && word(before) === word(after) && before.answer.owned === after.answer.owned) return null;
  if (!before && after.answer.result.kind !== 'status') return null;
  const foreign = after.answer.owned === false ? ' (its listener is not this server)' : '';
  return `${after.answer.path} on port ${after.answer.port}: ${word(after)}${foreign}`;
}

/** Once: the launch will come to its end at the port, minutes later. */
function takenPortText({ health: before }: State, { health: after, process }: State): string | null {
  if (after === null || after.answer.owned !== false || process.fact?.status !== 'alive') return null;
  const { port } = after.answer;
  if (before?.answer.owned === false && before.answer.port === port) return null;
  return `another process listens on port ${port} already, and this server cannot open it: end that one, or choose another port; who it is: ss -ltnp 'sport = :${port}'`;
}

function actionTexts({ action: before }: State, { action: after }: State): readonly string[] {
  const told = after !== null && before?.startedAt === after.startedAt ? before.steps : [];
  return (after?.steps ?? [])
    .filter((step, index) => told[index]?.status !== step.status)
    .map((step) => step.text);
}

function* findingChanges(before: Findings | null, after: Findings): Iterable<Change> {
  if (before?.engine !== after.engine || before.engineVersion !== after.engineVersion) {
    if (after.engine !== 'unknown') {
      yield { kind: 'engine', text: `engine ${after.engine} ${after.engineVersion ?? ''}`.trimEnd() };
    }
  }
  for (const slow of after.slowPatterns) {
    const earlier = before?.slowPatterns.find(({ pattern }) => pattern === slow.pattern);
    if (earlier === undefined || earlier.isOff !== slow.isOff)
      yield { kind: 'notice', text: slowPatternText(slow) };
  }
  const isNewRun = before !== null && before.runs !== after.runs;
  for (const phase of after.phases) {
    const earlier = isNewRun ? undefined : before?.phases.find((other) => isSamePhase(other, phase));
    const text = phaseText(earlier ?? null, phase);
    if (text !== null) yield { kind: 'phase', text };
  }
  const told = isNewRun ? 0 : (before?.suspicions.length ?? 0);
  for (const suspicion of after.suspicions.slice(told, mostSuspicions)) {
    yield { kind: 'suspicion', text: `line ${suspicion.lineNumber}: ${cutText(suspicion.line, 200)}` };
  }
  if (told <= mostSuspicions && after.suspicions.length > mostSuspicions) {
    yield { kind: 'suspicion', text: 'more of them are not told one by one' };
  }
}

/** Suspicions told one by one in a run: the ranks of a dying engine say the same many times. */
const mostSuspicions = 5;

const isSamePhase = (one: PhaseFinding, other: PhaseFinding): boolean =>
  one.id === other.id && one.model === other.model;

function phaseText(before: PhaseFinding | null, after: PhaseFinding): string | null {
  if (before?.status === after.status || after.status === 'pending') return null;
  const title = phaseTitle(after);
  switch (after.status) {
    case 'active':
      return title;
    // Which one failed is said with the verdict, by the report, when the traceback is there.
    case 'failed':
    case 'skipped':
      return null;
    case 'done': {
      const took = phaseTookMs(after);
      return `${title}: done${took === null ? '' : ` in ${durationText(took)}`}`;
    }
  }
}

function verdictText({ verdict }: State): string {
  return `${verdict.outcome.toUpperCase()}${verdict.provisional ? ' (provisional)' : ''}: ${verdict.summary}`;
}
