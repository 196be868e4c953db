import type { Effect } from '../core/effects.js';
import type { Event } from '../core/events.js';
import { reduce } from '../core/reduce.js';
import type { State } from '../core/state.js';

/** Holds the one state; events go in, listeners hear of every fold, effects go to whoever carries them out. */
export interface Store {
  readonly state: () => State;
  readonly dispatch: (event: Event) => void;
  /** Called after each fold, in order of subscription. Returns what unsubscribes it. */
  readonly subscribe: (listener: Listener) => () => void;
}

export type Listener = (state: State, event: Event) => void;

export function createStore(initial: State, carryOut: (effect: Effect, state: State) => void): Store {
  let state = initial;
  const listeners = new Set<Listener>();
  const queue: Event[] = [];
  let isFolding = false;

  const dispatch = (event: Event): void => {
    queue.push(event);
    // An event raised by a listener waits its turn: each fold is seen whole by everyone before the next.
    if (isFolding) return;
    isFolding = true;
    try {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [folded, effects] = reduce(state, next);
        state = folded;
        for (const listener of listeners) listener(state, next);
        for (const effect of effects) carryOut(effect, state);
      }
    } finally {
      isFolding = false;
    }
  };

  return {
    state: () => state,
    dispatch,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
