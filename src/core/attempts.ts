import type { ActionStep, Event } from './events.js';
import { emptyLog } from './initial.js';
import type { PastAttempt, State } from './state.js';

/** A launch by us began: its log is read afresh, and nothing known of the process before it counts any more. */
export function reduceAttempt(state: State, event: Extract<Event, { type: 'attempt' }>): State {
  const { attempt, isNew, reading, change } = event;
  const fresh: PastAttempt = {
    attempt,
    outcome: 'loading',
    cause: null,
    endedAt: null,
    change,
    isClosed: false,
  };
  return {
    ...state,
    attempt,
    attempts: [...sealLast(state), fresh],
    reading,
    log: { ...emptyLog(state.log.ring), path: attempt.log, awaited: isNew && attempt.logIsFresh },
    process: {
      fact: null,
      at: state.now,
      seenAlive: true,
      aliveSince: state.now,
      startedAt: null,
      changedAt: state.now,
    },
    health: null,
    form: { ...state.form, env: {}, args: [], edited: null },
    activity: { ...state.activity, movedAt: state.now },
    beganAt: state.now,
    view: { ...state.view, cardHidden: false, anchor: null, overlay: null, overlayTop: 0 },
  };
}

/**
 * The attempts with the last one's outcome as it stands now. Once a kill or relaunch has begun it stays what it was
 * then: that the process went after that is our doing.
 */
export function closeLast(state: State): readonly PastAttempt[] {
  const last = state.attempts.at(-1);
  if (!last || last.isClosed) return state.attempts;
  const { outcome, since, summary } = state.verdict;
  const isOver = outcome !== 'loading' && outcome !== 'unknown';
  const cause = outcome === 'crashed' ? summary : null;
  return [...state.attempts.slice(0, -1), { ...last, outcome, cause, endedAt: isOver ? since : null }];
}

/** The same, and so it stays. */
export function sealLast(state: State): readonly PastAttempt[] {
  return closeLast(state).map((attempt) => ({ ...attempt, isClosed: true }));
}

/** Folds one step of a kill or relaunch into its checklist. */
export function reduceAction(state: State, step: ActionStep, at: number): State {
  const running = state.action && !state.action.finished ? state.action : null;
  const earlier = running ? running.steps.filter((other) => other.step !== step.step) : [];
  const finished = step.step === 'finished' || step.status === 'failed';
  return {
    ...state,
    action: {
      kind: step.action,
      startedAt: running?.startedAt ?? at,
      steps: step.step === 'finished' && step.status === 'done' ? earlier : [...earlier, step],
      finished,
      succeeded: finished ? step.status === 'done' : null,
    },
    dialog: step.step === 'finished' && step.status === 'done' ? null : state.dialog,
    notice: finished
      ? { at, level: step.status === 'done' ? 'info' : 'error', text: step.text }
      : state.notice,
  };
}
