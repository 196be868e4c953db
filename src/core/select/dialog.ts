import { isAsking } from '../dialogs.js';
import { processText } from '../evidence.js';
import { formText } from '../relaunch-form.js';
import type { State } from '../state.js';
import type { DialogModel } from '../view-models.js';

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
        : `Relaunch as attempt ${(state.attempt?.number ?? 0) + 1}?`,
    lines: dialog.kind === 'kill' ? killLines(state) : relaunchLines(state),
    steps: action?.steps.map(({ text, status, details = [] }) => ({ text, status, details })) ?? [],
    asking: isAsking(state),
    editing: dialog.kind === 'relaunch' ? dialog.editing : null,
    answer: null,
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
    running: failure === null,
    finished: failure !== null,
  };
}

function killLines(state: State): readonly string[] {
  const { fact } = state.process;
  const where = [`host     ${state.host?.hostname ?? state.target.host}`];
  if (fact?.status !== 'alive') return [...where, `process  ${processText(state)}`];
  const others = fact.tree.filter(({ pid }) => pid !== fact.pid);
  return [
    ...where,
    `pid      ${fact.pid}${fact.user === null ? '' : ` of ${fact.user}`}`,
    `command  ${fact.command}`,
    ...others.slice(0, namedMembers).map(({ pid, command }) => `   with  ${pid} ${command}`),
    ...(others.length > namedMembers ? [`   and   ${others.length - namedMembers} more`] : []),
  ];
}

function relaunchLines(state: State): readonly string[] {
  const { attempt, form } = state;
  const { fact } = state.process;
  const command = attempt?.command ?? (fact?.status === 'alive' ? fact.command : 'unknown');
  const change = formText(form);
  return [
    `host     ${state.host?.hostname ?? state.target.host}`,
    fact?.status === 'alive'
      ? `kills    pid ${fact.pid} and its ${fact.tree.length - 1} others`
      : 'kills    nothing: no process runs',
    `changes  ${change === '' ? 'none' : change}`,
    `command  ${command}`,
    ...form.before.map((step) => `before   ${step}`),
  ];
}
