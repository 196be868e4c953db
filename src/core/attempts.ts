import type { ActionStep, Event } from './events.js';
import { type HistoryEntry, laterWord, withEntry } from './history.js';
import { emptyLog } from './initial.js';
import { noQuiet } from './quiet.js';
import { emptyRoster } from './roster.js';
import { closedEntries } from './run-entry.js';
import type { State } from './state.js';

/** A launch by us began: its log is read afresh, and nothing known of the process before it counts any more. */
export function reduceAttempt(state: State, event: Extract<Event, { type: 'attempt' }>): State {
  const { attempt, isNew, reading, before } = event;
  return {
    ...state,
    attempt,
    ranBefore: before ?? null,
    history: closedEntries(state),
    sealed: null,
    readySince: null,
    reading,
    log: { ...emptyLog(state.log.ring), path: attempt.log, awaited: isNew && attempt.logIsFresh },
    process: {
      fact: null,
      at: state.now,
      seenAlive: true,
      lastSeen: null,
      aliveSince: state.now,
      startedAt: null,
      changedAt: state.now,
    },
    health: null,
    form: { ...state.form, env: {}, args: [], edited: null },
    activity: { ...state.activity, movedAt: state.now, busyAt: null },
    quiet: noQuiet,
    roster: emptyRoster,
    beganAt: state.now,
    view: { ...state.view, cardHidden: false, anchor: null, overlay: null, overlayTop: 0, isOpened: false },
  };
}

/** What earlier views, and other firedups, have kept of this server; what this view knows itself is the later word. */
export function reduceHistory(state: State, entries: readonly HistoryEntry[]): State {
  const present = new Map(state.history.map((entry) => [entry.id, entry]));
  const known = entries.map((entry) => {
    const ours = present.get(entry.id);
    return ours === undefined ? entry : laterWord(entry, ours);
  });
  return { ...state, history: state.history.reduce(withEntry, known) };
}

/** Folds one step of a kill or relaunch into its checklist. */
export function reduceAction(state: State, step: ActionStep, at: number): State {
  const running = goesOn(state.action, step) ? state.action : null;
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
    dialog: dialogAfter(state, step, at),
    notice: finished
      ? { at, level: step.status === 'done' ? 'info' : 'error', text: step.text }
      : state.notice,
  };
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

/** A launch that has begun needs none; one that asks must be seen. */
function dialogAfter(state: State, step: ActionStep, at: number): State['dialog'] {
  if (step.step === 'finished' && step.status === 'done') return null;
  if (step.status === 'asks' && state.dialog?.kind !== 'login')
    return {
      kind: 'relaunch',
      openedAt: at,
      signal: 'TERM',
      look: null,
      also: [],
      editing: null,
      problem: null,
    };
  return state.dialog;
}
