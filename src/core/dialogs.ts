import type { Effect } from './effects.js';
import type { Intent } from './intents.js';
import { cancelLogin } from './link.js';
import { formText, parseForm, usableRemedy, withChange } from './relaunch-form.js';
import { reportFacts } from './report-facts.js';
import { currentEntry } from './run-entry.js';
import type { Dialog, State } from './state.js';

type DialogIntent = Extract<
  Intent,
  {
    kind:
      | 'ask-kill'
      | 'ask-relaunch'
      | 'confirm'
      | 'cancel'
      | 'apply-remedy'
      | 'edit'
      | 'edit-text'
      | 'edit-done';
  }
>;

/** Folds the questions before anything that acts: nothing leaves here but by `confirm` on an open question. */
export function reduceDialog(state: State, intent: DialogIntent): readonly [State, readonly Effect[]] {
  switch (intent.kind) {
    case 'ask-kill':
      return [ask(state, { kind: 'kill', openedAt: state.now }), none];
    case 'ask-relaunch':
      return [ask(state, { kind: 'relaunch', openedAt: state.now, editing: null }), none];
    case 'apply-remedy':
      return [applyRemedy(state), none];
    case 'cancel':
      if (state.dialog?.kind === 'login') return cancelLogin(state);
      return state.dialog !== null && isAsking(state) ? answer(state, false) : [cancel(state), none];
    case 'confirm':
      return confirm(state);
    case 'edit':
      return [edit(state, formText(state.form)), none];
    case 'edit-text':
      return [edit(state, intent.text), none];
    case 'edit-done':
      return [finishEdit(state), none];
  }
}

const none: readonly Effect[] = [];

type ActionDialog = Exclude<Dialog, { kind: 'login' }>;

function ask(state: State, dialog: ActionDialog): State {
  // What waits for a word was put out of sight, by a login for example.
  if (isAsking(state)) return { ...state, dialog: { kind: 'relaunch', openedAt: state.now, editing: null } };
  const refusal = refuse(state, dialog.kind);
  if (refusal) return { ...state, notice: { at: state.now, level: 'warning', text: refusal } };
  return { ...state, dialog, action: state.action?.finished ? null : state.action };
}

function refuse(state: State, kind: ActionDialog['kind']): string | null {
  const { fact } = state.process;
  if (state.target.readOnly) return 'read-only: no action is carried out';
  if (state.link.status !== 'up') return 'no connection: nothing can be done on the host now';
  if (state.action && !state.action.finished) return `a ${state.action.kind} is under way`;
  if (kind === 'kill' && fact?.status !== 'alive') return 'there is no running process to kill';
  if (kind === 'relaunch' && fact?.status !== 'alive' && state.attempt === null) {
    return 'the command is not known: the server was not launched by firedup and is not running';
  }
  return null;
}

/** Puts the chosen remedy's change into the relaunch form, and opens it. */
function applyRemedy(state: State): State {
  const usable = usableRemedy(state.reading.report(reportFacts(state)).remedies);
  if (!usable?.change) {
    return {
      ...state,
      notice: { at: state.now, level: 'info', text: 'no remedy here changes an argument or a variable' },
    };
  }
  const filled = { ...state, form: withChange(state.form, usable.change) };
  return ask(filled, { kind: 'relaunch', openedAt: state.now, editing: null });
}

/** Whether the launch under way waits for a word on what is in its way. */
export const isAsking = ({ action }: State): boolean =>
  action !== null && !action.finished && action.steps.some(({ status }) => status === 'asks');

function answer(state: State, goOn: boolean): readonly [State, readonly Effect[]] {
  if (!state.action) return [state, none];
  const steps = state.action.steps.map((step) =>
    step.status === 'asks' ? { ...step, status: 'active' as const } : step,
  );
  return [{ ...state, action: { ...state.action, steps } }, [{ type: 'launch-answer', goOn }]];
}

function cancel(state: State): State {
  if (state.dialog?.kind === 'relaunch' && state.dialog.editing !== null) {
    return { ...state, dialog: { ...state.dialog, editing: null } };
  }
  return { ...state, dialog: null };
}

function confirm(state: State): readonly [State, readonly Effect[]] {
  const { dialog } = state;
  const { fact } = state.process;
  if (dialog === null || dialog.kind === 'login') return [state, none];
  if (isAsking(state)) return answer(state, true);
  if (state.action && !state.action.finished) return [state, none];
  const refusal = refuse(state, dialog.kind);
  if (refusal) {
    return [{ ...state, dialog: null, notice: { at: state.now, level: 'warning', text: refusal } }, none];
  }
  if (dialog.kind === 'relaunch') {
    if (dialog.editing !== null) return [state, none];
    return [started(state, 'relaunch'), [{ type: 'relaunch', form: state.form, previous: state.attempt }]];
  }
  if (fact?.status !== 'alive') return [state, none];
  return [started(state, 'kill'), [{ type: 'kill', pid: fact.pid, startTicks: fact.startTicks }]];
}

/** From the moment of the answer on it is under way: a second `y` does nothing. */
const started = (state: State, kind: 'kill' | 'relaunch'): State => ({
  ...state,
  sealed: currentEntry(state),
  action: { kind, startedAt: state.now, steps: [], finished: false, succeeded: null },
});

function edit(state: State, text: string): State {
  if (state.dialog?.kind !== 'relaunch') return state;
  return { ...state, dialog: { ...state.dialog, editing: text } };
}

function finishEdit(state: State): State {
  if (state.dialog?.kind !== 'relaunch' || state.dialog.editing === null) return state;
  const form = parseForm(state.dialog.editing, state.form);
  return { ...state, form, dialog: { ...state.dialog, editing: null } };
}
