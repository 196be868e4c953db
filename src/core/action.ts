import { newDialog } from './dialog-state.js';
import type { ActionStep } from './events.js';
import { noticed } from './notice.js';
import { currentEntry } from './run-entry.js';
import type { ActionState, State, StepState } from './state.js';

/** From the moment of the answer on it is under way. */
export const withAction = (state: State, kind: ActionState['kind']): State => ({
  ...state,
  sealed: currentEntry(state),
  action: begin(state, kind, state.now),
});

function begin({ verdict, process }: State, kind: ActionState['kind'], at: number): ActionState {
  const isCrashed = verdict.outcome === 'crashed' && !verdict.provisional;
  return {
    kind,
    startedAt: at,
    before: verdict,
    ends: process.fact?.status === 'alive' && !isCrashed,
    steps: [],
    finished: false,
  };
}

/** Folds one step of a kill or relaunch into its checklist. */
export function reduceAction(state: State, step: ActionStep, at: number): State {
  const running = goesOn(state.action, step) ? state.action : null;
  const action = running ?? begin(state, step.action, at);
  const finished = step.step === 'finished' || step.status === 'failed';
  const steps =
    step.step === 'finished' && step.status === 'done' ? action.steps : withStep(action.steps, step, at);
  return {
    ...state,
    action: { ...action, steps, finished },
    process: { ...state.process, endedByUs: state.process.endedByUs || isEnd(action, step) },
    // What stood before stands again, until it is judged: else its time would begin anew.
    verdict: finished && !action.finished ? action.before : state.verdict,
    dialog: dialogAfter(state, step, at),
    notice: finished ? noticed(at, step.status === 'done' ? 'info' : 'error', step.text) : state.notice,
  };
}

/** In its place; but each command before a start is a step of its own. */
function withStep(steps: readonly StepState[], step: ActionStep, at: number): readonly StepState[] {
  const place = steps.findLastIndex((other) => other.step === step.step);
  const known = steps[place];
  const until = step.status === 'active' || step.status === 'asks' ? null : at;
  const isAnother = step.step === 'before' && step.status === 'active' && known?.status !== 'active';
  if (known === undefined || isAnother) return [...steps, { ...step, since: at, until }];
  return steps.with(place, { ...step, since: known.since, until });
}

/** Whether what ran is, or is to be, ended by us. Who had crashed before has not died of it. */
function isEnd({ ends }: ActionState, { action, step, status, isSignal }: ActionStep): boolean {
  if (!ends) return false;
  if (step === 'kill') return isSignal === true || status === 'done';
  return action === 'kill' && step === 'finished' && status === 'done';
}

/**
 * Whether a step belongs to what is on the checklist: that is under way, or this is the last word on the step that
 * failed.
 */
function goesOn(action: State['action'], { step, status, action: kind }: ActionStep): boolean {
  if (action === null) return false;
  if (!action.finished) return true;
  const isLastWord = step === 'finished' && status === 'failed' && action.kind === kind;
  return isLastWord && action.steps.at(-1)?.status === 'failed' && action.steps.at(-1)?.step !== 'finished';
}

/** A launch that has begun needs none; one that asks, or has failed, must be seen. */
function dialogAfter(state: State, step: ActionStep, at: number): State['dialog'] {
  if (state.dialog?.kind === 'login') return state.dialog;
  if (step.step === 'finished' && step.status === 'done') return null;
  const isDue = step.status === 'asks' || (step.status === 'failed' && state.dialog === null);
  return isDue ? newDialog(step.action, at) : state.dialog;
}
