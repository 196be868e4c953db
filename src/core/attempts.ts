import { logOfAttempt } from './attempt-log.js';
import type { Event } from './events.js';
import { type HistoryEntry, laterWord, withEntry } from './history.js';
import { emptyLog } from './initial.js';
import { noQuiet } from './quiet.js';
import { emptyRoster } from './roster.js';
import { unknown } from './ruling.js';
import { closedEntries } from './run-entry.js';
import type { State } from './state.js';

/** A launch by us began: its log is read afresh, and nothing known of the process before it counts any more. */
export function reduceAttempt(state: State, event: Extract<Event, { type: 'attempt' }>): State {
  const { attempt, isNew, reading, before } = event;
  const unjudged = { ...unknown('started: nothing is heard of it yet', null), since: state.now };
  return {
    ...state,
    attempt,
    ranBefore: before ?? null,
    history: closedEntries(state),
    sealed: null,
    readySince: null,
    reading,
    log: { ...emptyLog(state.log.ring), path: logOfAttempt(attempt), awaited: isNew && attempt.logIsFresh },
    process: {
      fact: null,
      at: state.now,
      seenAlive: true,
      lastSeen: null,
      aliveSince: state.now,
      startedAt: null,
      changedAt: state.now,
      successor: null,
      endedByUs: false,
    },
    health: null,
    // What was true of the last attempt must not stand for this one, whatever becomes of the action.
    verdict: unjudged,
    action: state.action && { ...state.action, before: unjudged },
    form: { ...state.form, env: {}, args: [], edited: null },
    activity: { ...state.activity, movedAt: state.now, busyAt: null },
    quiet: noQuiet,
    roster: emptyRoster,
    beganAt: state.now,
    view: {
      ...state.view,
      cardHidden: false,
      anchor: null,
      hidden: 0,
      overlay: null,
      overlayTop: 0,
      phasesTop: null,
      isOpened: false,
    },
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
