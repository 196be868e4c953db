import { selectScreen } from '../core/select/screen.js';
import type { ScreenModel } from '../core/view-models/screen.js';
import type { Store } from './store.js';

/** Longest age of what the screen shows (ms): ten pictures a second are enough for eyes and cheap. */
const frameMs = 100;

/** The store as the screen sees it: a new model at most ten times a second, but at once after a key or a question. */
export interface ScreenStore {
  readonly model: () => ScreenModel;
  readonly subscribe: (listener: () => void) => () => void;
  readonly close: () => void;
}

export function createScreenStore(store: Store): ScreenStore {
  const listeners = new Set<() => void>();
  let model: ScreenModel | null = null;
  let timer: NodeJS.Timeout | undefined;

  const publish = (): void => {
    clearTimeout(timer);
    timer = undefined;
    model = null;
    for (const listener of listeners) listener();
  };
  const unsubscribe = store.subscribe((_state, event) => {
    // What is typed must meet the question that is open.
    if (event.type === 'intent' || event.type === 'question') publish();
    else timer ??= setTimeout(publish, frameMs);
  });

  return {
    model: () => {
      model ??= selectScreen(store.state());
      return model;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      clearTimeout(timer);
      unsubscribe();
    },
  };
}
