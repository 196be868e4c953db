import { redact, redactEnv } from '../../ingest/redact.js';
import { launchDifference, stepsDifference } from '../changed-spec.js';
import type { Dialog } from '../dialog-state.js';
import { isAsking } from '../dialogs.js';
import { processText } from '../evidence.js';
import { formProblem, putTogether } from '../form-problem.js';
import { displayArgv, displayCommand } from '../launch-spec.js';
import { flagGroups } from '../relaunch-form.js';
import type { State } from '../state.js';
import { isUnderWay } from '../under-way.js';
import type { DialogModel } from '../view-models/dialog.js';
import { durationText, firstLineOf, oneLine } from '../words.js';
import { selectSteps } from './action-steps.js';

type AskDialog = Exclude<Dialog, { kind: 'login' }>;
type RelaunchDialog = Extract<Dialog, { kind: 'relaunch' }>;

/** Processes named one by one in the kill dialog; the rest is a count. */
const namedMembers = 8;

export function selectDialog(state: State): DialogModel | null {
  const { dialog, action } = state;
  if (!dialog) return null;
  if (dialog.kind === 'login') return loginDialog(state, dialog);
  const asking = isAsking(state);
  const problem = dialog.kind === 'relaunch' ? formProblem(state, dialog) : null;
  return {
    kind: dialog.kind,
    title: action === null ? question(state, dialog.kind) : checklistTitle(state, asking),
    steps: selectSteps(state),
    asking,
    // Once it is answered, what was asked gives way to what is done.
    lines:
      action !== null
        ? []
        : dialog.kind === 'kill'
          ? killLines(state, dialog)
          : relaunchLines(state, dialog, problem),
    editing: dialog.kind === 'relaunch' ? dialog.editing : null,
    answer: null,
    signal: endsSomething(state, dialog) ? dialog.signal : null,
    choices: Math.min(9, dialog.look?.near.length ?? 0),
    blocked: problem !== null,
    running: isUnderWay(state),
    finished: action?.finished ?? false,
  };
}

function question({ target, attempt }: State, kind: AskDialog['kind']): string {
  if (kind === 'kill') return 'Kill this server?';
  if (target.container) return `Start container ${target.container.name} again?`;
  // Under which number a server of others is started, only the host knows.
  return attempt === null ? 'Relaunch this server?' : `Relaunch as attempt ${attempt.number + 1}?`;
}

function checklistTitle({ target, attempt, action }: State, asking: boolean): string {
  const what =
    action?.kind === 'kill'
      ? 'Kill'
      : target.container
        ? `Start of container ${target.container.name}`
        : `Relaunch${attempt === null ? '' : ` as attempt ${attempt.number + 1}`}`;
  if (asking) return `${what}: start all the same?`;
  if (!action?.finished) return `${what} under way`;
  // By the user, or by what was found.
  const isCalledOff = action.steps.some(({ step, status }) => step === 'preflight' && status === 'failed');
  return `${what}: ${isCalledOff ? 'called off' : 'failed'}`;
}

function loginDialog(
  { target }: State,
  { question, failure }: Extract<State['dialog'], { kind: 'login' }>,
): DialogModel {
  const lines = question ? [...question.heading, question.text] : ['waiting for the host …'];
  return {
    kind: 'login',
    title: `Log in to ${target.host}`,
    lines: failure === null ? lines : ['It did not work:', failure],
    steps: [],
    asking: false,
    editing: null,
    answer: question === null ? null : question.echo ? 'shown' : 'masked',
    signal: null,
    choices: 0,
    blocked: false,
    running: failure === null,
    finished: failure !== null,
  };
}

function killLines(state: State, dialog: AskDialog): readonly string[] {
  const { fact } = state.process;
  const where = [`host     ${hostText(state)}`];
  if (fact?.status !== 'alive') return [...where, `process  ${processText(state)}`];
  const server = dialog.look?.ends.find(({ pid }) => pid === fact.pid);
  const age = server ? `, for ${durationText(server.ageMs)}` : '';
  return [
    ...where,
    `pid      ${fact.pid}${fact.user === null ? '' : ` of ${fact.user}`}${age}`,
    `command  ${fact.command}`,
    ...endLines(state, dialog),
    ...(dialog.look?.notes ?? []).map((note) => `note     ${note}`),
  ];
}

/** As it was named by the user, with the machine's own name where that differs. */
function hostText({ target, host }: State): string {
  const own = host?.hostname ?? target.host;
  return own === target.host ? own : `${target.host} (${own})`;
}

/** What the signal goes to: as the host says now, and until it has answered as it was last seen. */
function endLines(state: State, { look, signal, also }: AskDialog): readonly string[] {
  const { fact } = state.process;
  const tree = look?.ends ?? (fact?.status === 'alive' ? fact.tree : []);
  const others = tree.filter(({ pid }) => fact?.status !== 'alive' || pid !== fact.pid);
  const near = (look?.near ?? []).slice(0, 9);
  const count = tree.length + also.length;
  return [
    `ends     ${count} ${count === 1 ? 'process' : 'processes'} by SIG${signal}${look ? '' : ' (being looked up)'}`,
    ...others.slice(0, namedMembers).map(({ pid, command }) => `   with  ${pid} ${command}`),
    ...(others.length > namedMembers ? [`   and   ${others.length - namedMembers} more`] : []),
    ...(look?.foreign ?? []).map(({ pid, owner, command }) => `  not by us  ${pid} of ${owner}: ${command}`),
    ...near.map(({ pid, owner, command, why, foreign }, index) => {
      const fate = also.includes(pid) ? 'ENDED TOO' : foreign ? 'another user, not killed' : 'not killed';
      return `     ${index + 1}   ${why}: ${pid}, ${owner}, ${command} — ${fate}`;
    }),
    ...((look?.near.length ?? 0) > near.length
      ? [`   and   ${(look?.near.length ?? 0) - near.length} more near it, not killed`]
      : []),
  ];
}

function relaunchLines(state: State, dialog: RelaunchDialog, problem: string | null): readonly string[] {
  const { attempt } = state;
  const { fact } = state.process;
  const command =
    nextCommand(state, dialog) ?? attempt?.command ?? (fact?.status === 'alive' ? fact.command : 'unknown');
  return [
    `host     ${hostText(state)}`,
    // Before the processes, of which there may be many: it is what was asked for.
    ...changeLines(state, dialog),
    ...(endsSomething(state, dialog) ? endLines(state, dialog) : ['ends     nothing: no process runs']),
    ...(problem === null ? [] : [`problem  ${problem}`]),
    // What it does is to show that line, so y is not in vain.
    ...(isChangedContainer(state) ? [`note     ${fixedText}`] : []),
    `command  ${command}`,
    ...ranLastTime(state).map((step) => `before   ${firstLineOf(step)}`),
    ...(dialog.look?.notes ?? []).map((note) => `note     ${note}`),
  ];
}

const isChangedContainer = ({ target, form }: State): boolean =>
  target.container != null &&
  (form.edited !== null || form.args.length > 0 || Object.keys(form.env).length > 0);

const fixedText =
  'a container starts as it was made: with a change nothing is done, and the line is shown that makes it anew';

/** Whether a process runs, or one that it left behind. */
const endsSomething = ({ process }: State, { look }: AskDialog): boolean =>
  process.fact?.status === 'alive' || (look?.ends.length ?? 0) > 0;

/** What is different from the last attempt, as far as is known: what the form changes, until its command has been read. */
function changeLines(state: State, { look }: AskDialog): readonly string[] {
  const { form } = state;
  const before = { last: lastSteps(state), next: form.before };
  const spec = look?.spec ?? null;
  if (spec === null) {
    const what = form.edited === null ? 'the command' : 'the command, which was edited,';
    const rest = look === null ? `${what} is being looked up` : 'the command of the last start is not known';
    return changesText([...formLines(form), ...stepsDifference(before), `(${rest})`]);
  }
  const next = putTogether(spec, form);
  if (typeof next === 'string') return changesText([...formLines(form), ...stepsDifference(before)]);
  return changesText(launchDifference(spec, next, before));
}

/** The steps before the last start, as they are shown; null where they are not known. */
const lastSteps = ({ attempt, ranBefore }: State): readonly string[] | null =>
  attempt?.before ?? ranBefore?.map(redact) ?? null;

/** Of the next start's steps those that are no change: the others are told as one. */
const ranLastTime = (state: State): readonly string[] =>
  state.form.before.map(redact).filter((step) => lastSteps(state)?.includes(step));

/** What is going to run, where that cannot be put together what ran last; null while neither is known. */
function nextCommand({ form }: State, { look }: AskDialog): string | null {
  if (!look?.spec) return null;
  const next = putTogether(look.spec, form);
  return typeof next === 'string' ? displayCommand(look.spec) : displayCommand(next);
}

/** Of what has several lines the first, where that tells one from the other: `e` shows all of it. */
function changesText(lines: readonly string[]): readonly string[] {
  const short = lines.map(firstLineOf);
  const isAlone = (text: string): boolean =>
    short.filter((other) => other.slice(1) === text.slice(1)).length === 1;
  const [first = 'none', ...more] = short.map((text, at) =>
    isAlone(text) ? text : oneLine(lines[at] ?? ''),
  );
  return [`changes  ${first}`, ...more.map((line) => `         ${line}`)];
}

/** What the form adds to whatever the command is, secrets redacted. */
function formLines({ env, args }: State['form']): readonly string[] {
  return [
    ...Object.entries(redactEnv(env)).map(([name, value]) => `+ ${name}=${value}`),
    ...flagGroups(args).map((group) => `+ ${displayArgv(group)}`),
  ];
}
