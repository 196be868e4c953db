import { redact } from '../ingest/redact.js';
import { withAction } from './action.js';
import { killSignals } from './dialog-look.js';
import { type Dialog, newDialog } from './dialog-state.js';
import type { Effect } from './effects.js';
import type { Event } from './events.js';
import { formProblem } from './form-problem.js';
import type { Intent } from './intents.js';
import { cancelLogin } from './link.js';
import { noConnection, told } from './notice.js';
import { formText, parseForm, usableRemedy, withChange } from './relaunch-form.js';
import { reportFacts } from './report-facts.js';
import type { State } from './state.js';
import { actionUnderWay, isUnderWay } from './under-way.js';

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
      | 'edit-done'
      | 'edit-in-place'
      | 'next-signal'
      | 'toggle-near';
  }
>;

/** Folds the questions before anything that acts: nothing leaves here but by `confirm` on an open question. */
export function reduceDialog(state: State, intent: DialogIntent): readonly [State, readonly Effect[]] {
  switch (intent.kind) {
    case 'ask-kill':
      return ask(state, 'kill');
    case 'ask-relaunch':
      return ask(state, 'relaunch');
    case 'apply-remedy':
      return applyRemedy(state);
    case 'cancel':
      if (state.dialog?.kind === 'login') return cancelLogin(state);
      return state.dialog !== null && isAsking(state) ? answer(state, false) : [cancel(state), none];
    case 'confirm':
      return confirm(state);
    case 'edit':
      return editLaunch(state);
    case 'edit-in-place':
      return [edit(state, formText(state.form)), none];
    case 'next-signal':
      return [nextSignal(state), none];
    case 'toggle-near':
      return [toggleNear(state, intent.number), none];
    case 'edit-text':
      return [edit(state, intent.text), none];
    case 'edit-done':
      return [finishEdit(state), none];
  }
}

const none: readonly Effect[] = [];

function ask(state: State, kind: 'kill' | 'relaunch', ofRemedy = false): readonly [State, readonly Effect[]] {
  const dialog = newDialog(kind, state.now, ofRemedy);
  // Its checklist was put out of sight, by Esc or by a login.
  if (actionUnderWay(state)?.kind === kind) return [{ ...state, dialog }, none];
  const refusal = refuse(state, kind);
  if (refusal) return [told(state, refusal, 'warning'), none];
  const asking = { ...state, dialog, action: null };
  return [asking, [{ type: 'look-up', openedAt: state.now }]];
}

/**
 * Folds what comes back from the host, or from the editor, into the dialog that asked for it. A remedy that has no certain
 * place in the command is put in by hand: that is edited at once.
 */
export function takeIntoDialog(
  state: State,
  event: Extract<Event, { type: 'dialog-look' | 'form' }>,
): readonly [State, readonly Effect[]] {
  const { dialog } = state;
  if (event.type === 'form') {
    const form = event.form ?? state.form;
    if (dialog?.kind !== 'relaunch') return [{ ...state, form }, none];
    return [{ ...state, form, dialog: { ...dialog, problem: event.problem } }, none];
  }
  if (dialog === null || dialog.kind === 'login' || dialog.openedAt !== event.openedAt) return [state, none];
  const looked: Dialog = { ...dialog, look: event.look };
  const next = { ...state, dialog: looked };
  if (looked.kind !== 'relaunch' || !looked.ofRemedy || looked.editing !== null) return [next, none];
  return formProblem(next, looked) === null ? [next, none] : editLaunch(next);
}

/** In the editor where the whole command is known; where there is no editor the answer is `edit-in-place`. */
function editLaunch(state: State): readonly [State, readonly Effect[]] {
  const { dialog, form } = state;
  if (dialog?.kind !== 'relaunch') return [state, none];
  const spec = dialog.look?.spec ?? null;
  if (dialog.look && !spec) return [edit(state, formText(form)), none];
  return [state, [{ type: 'edit-launch', spec, form }]];
}

function nextSignal(state: State): State {
  const { dialog } = state;
  if (dialog === null || dialog.kind === 'login') return state;
  const next = killSignals[(killSignals.indexOf(dialog.signal) + 1) % killSignals.length] ?? 'TERM';
  return { ...state, dialog: { ...dialog, signal: next } };
}

function toggleNear(state: State, number: number): State {
  const { dialog } = state;
  if (dialog === null || dialog.kind === 'login') return state;
  const near = dialog.look?.near[number - 1];
  if (!near || near.foreign) return state;
  const also = dialog.also.includes(near.pid)
    ? dialog.also.filter((pid) => pid !== near.pid)
    : [...dialog.also, near.pid];
  return { ...state, dialog: { ...dialog, also } };
}

function refuse(state: State, kind: 'kill' | 'relaunch'): string | null {
  const { fact } = state.process;
  const ours = actionUnderWay(state);
  if (state.target.readOnly) return 'read-only: no action is carried out';
  if (state.link.status !== 'up') return noConnection;
  if (ours) return underWayText(ours.kind);
  if (kind === 'kill' && fact?.status !== 'alive') return 'there is no running process to kill';
  const isKept = state.attempt !== null || (state.target.container != null && fact?.status === 'gone');
  if (kind === 'relaunch' && fact?.status !== 'alive' && !isKept) {
    return 'the command is not known: the server was not launched by firedup and is not running';
  }
  return null;
}

const underWayText = (kind: 'kill' | 'relaunch'): string =>
  kind === 'kill' ? 'a kill is under way: K shows it' : 'a relaunch is under way: R shows it';

/** Puts the chosen remedy's change into the relaunch form, and opens it. */
function applyRemedy(state: State): readonly [State, readonly Effect[]] {
  const { remedies } = state.reading.report(reportFacts(state));
  if (remedies.length === 0) return [told(state, 'no remedy is known that could be put in'), none];
  const usable = usableRemedy(remedies);
  if (!usable?.change) {
    return [told(state, byHandText(state)), none];
  }
  const filled = { ...state, form: withChange(state.form, usable.change) };
  return ask(filled, 'relaunch', true);
}

/** What to do where no remedy is a change that a key can make. */
function byHandText({ form: { before } }: State): string {
  const [step] = before;
  return step === undefined
    ? 'these are done by hand: R, then e, edits the command'
    : `done by hand; R runs first: ${redact(step).split('\n')[0]}`;
}

/** Whether the launch under way waits for a word on what is in its way. */
export const isAsking = (state: State): boolean =>
  actionUnderWay(state)?.steps.some(({ status }) => status === 'asks') === true;

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
  if (isUnderWay(state)) return [state, none];
  const refusal = refuse(state, dialog.kind);
  if (refusal) {
    return [told({ ...state, dialog: null }, refusal, 'warning'), none];
  }
  const { signal } = dialog;
  const also = dialog.look?.near.filter(({ pid }) => dialog.also.includes(pid)) ?? [];
  if (dialog.kind === 'relaunch') {
    if (dialog.editing !== null || formProblem(state, dialog) !== null) return [state, none];
    const { form, attempt: previous } = state;
    return [withAction(state, 'relaunch'), [{ type: 'relaunch', form, previous, signal, also }]];
  }
  if (fact?.status !== 'alive') return [state, none];
  const { pid, startTicks } = fact;
  return [withAction(state, 'kill'), [{ type: 'kill', pid, startTicks, signal, also }]];
}

function edit(state: State, text: string): State {
  if (state.dialog?.kind !== 'relaunch') return state;
  return { ...state, dialog: { ...state.dialog, editing: text } };
}

function finishEdit(state: State): State {
  if (state.dialog?.kind !== 'relaunch' || state.dialog.editing === null) return state;
  const form = parseForm(state.dialog.editing, state.form);
  return { ...state, form, dialog: { ...state.dialog, editing: null } };
}
