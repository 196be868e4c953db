import type { Event } from '../core/events.js';
import { type Prompts, promptsBy } from '../host/prompts.js';

/** The questions of a login as they pass over a screen; the answers pass by it. */
export interface LoginQuestions {
  readonly prompts: Prompts;
  /** What was typed for the question that is open; nothing happens where none is. */
  readonly answer: (text: string) => void;
  /** Begins a login: aborts when `cancel` is called before the next one. */
  readonly begin: () => AbortSignal;
  readonly cancel: () => void;
}

/**
 * Asks through events, so that the state knows what is asked, and takes the answers directly: a secret is in no event
 * and no state. A question of a login that has ended is forgotten with the next one.
 */
export function createLoginQuestions(dispatch: (event: Event) => void, now: () => number): LoginQuestions {
  let resolveAnswer: ((text: string | null) => void) | null = null;
  let stop = new AbortController();

  const settle = (text: string | null): void => {
    const resolve = resolveAnswer;
    if (resolve === null) return;
    resolveAnswer = null;
    dispatch({ type: 'question', at: now(), question: null });
    resolve(text);
  };
  return {
    prompts: promptsBy((question) => {
      settle(null);
      return new Promise((resolve) => {
        resolveAnswer = resolve;
        dispatch({ type: 'question', at: now(), question });
      });
    }),
    answer: (text) => settle(text),
    begin() {
      settle(null);
      stop = new AbortController();
      return stop.signal;
    },
    cancel() {
      // First the end, then the "no": else the server would be told it as an answer.
      stop.abort();
      settle(null);
    },
  };
}
