import { describeError } from '../../errors.js';
import { changedSpec, launchDifference } from '../changed-spec.js';
import { isAsking } from '../dialogs.js';
import { processText } from '../evidence.js';
import type { LaunchSpec } from '../launch-spec.js';
import { formText } from '../relaunch-form.js';
import type { Dialog, State } from '../state.js';
import type { DialogModel } from '../view-models.js';
import { durationText } from '../words.js';

type AskDialog = Exclude<Dialog, { kind: 'login' }>;

/** Processes named one by one in the kill dialog; the rest is a count. */
const namedMembers = 8;

export function selectDialog(state: State): DialogModel | null {
  const { dialog, action } = state;
  if (!dialog) return null;
  if (dialog.kind === 'login') return loginDialog(state, dialog);
  return {
    kind: dialog.kind,
    title:
      dialog.kind === 'kill'
        ? 'Kill this server?'
        : state.target.container
          ? `Start container ${state.target.container.name} again?`
          : `Relaunch as attempt ${(state.attempt?.number ?? 0) + 1}?`,
    steps: action?.steps.map(({ text, status, details = [] }) => ({ text, status, details })) ?? [],
    asking: isAsking(state),
    lines: dialog.kind === 'kill' ? killLines(state, dialog) : relaunchLines(state, dialog),
    editing: dialog.kind === 'relaunch' ? dialog.editing : null,
    answer: null,
    signal: dialog.signal,
    choices: Math.min(9, dialog.look?.near.length ?? 0),
    running: action !== null && !action.finished,
    finished: action?.finished ?? false,
  };
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
    running: failure === null,
    finished: failure !== null,
  };
}

function killLines(state: State, dialog: AskDialog): readonly string[] {
  const { fact } = state.process;
  const where = [`host     ${state.host?.hostname ?? state.target.host}`];
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

function relaunchLines(state: State, dialog: AskDialog): readonly string[] {
  const { attempt, form } = state;
  const { fact } = state.process;
  const spec = dialog.look?.spec;
  const command = attempt?.command ?? (fact?.status === 'alive' ? fact.command : 'unknown');
  return [
    `host     ${state.host?.hostname ?? state.target.host}`,
    // Before the processes, of which there may be many: it is what was asked for.
    ...changeLines(state, spec ?? null),
    ...(fact?.status === 'alive' || (dialog.look?.ends.length ?? 0) > 0
      ? endLines(state, dialog)
      : ['ends     nothing: no process runs']),
    ...(dialog.kind === 'relaunch' && dialog.problem !== null ? [`problem  ${dialog.problem}`] : []),
    `command  ${command}`,
    ...form.before.map((step) => `before   ${step}`),
    ...(dialog.look?.notes ?? []).map((note) => `note     ${note}`),
  ];
}

/** What is different from the last attempt, where that is known; else what the form changes. */
function changeLines({ form, attempt }: State, spec: LaunchSpec | null): readonly string[] {
  const plain = formText(form);
  if (spec === null) return [`changes  ${plain === '' ? 'none' : plain}`];
  let lines: readonly string[];
  try {
    const before = { last: attempt?.before ?? null, next: form.before };
    lines = launchDifference(spec, changedSpec(spec, form), before);
  } catch (error) {
    return [`changes  ${plain}`, `problem  ${describeError(error)}`];
  }
  const [first = 'none', ...more] = lines;
  return [`changes  ${first}`, ...more.map((line) => `         ${line}`)];
}
