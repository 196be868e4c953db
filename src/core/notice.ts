import type { Notice, State } from './state.js';

/** With a word about the key just pressed. */
export const told = (state: State, text: string, level: 'info' | 'warning' = 'info'): State => ({
  ...state,
  notice: { at: state.now, level, text, forMs: wordMs },
});

/** Why nothing is done that needs the host. */
export const noConnection = 'no connection: nothing can be done on the host now';

/** A notice of its own accord, or of what has been done meanwhile: there is a path to be read, or a reason. */
export const noticed = (at: number, level: Notice['level'], text: string, forMs?: number): Notice => ({
  at,
  level,
  text,
  forMs: forMs ?? newsMs[level],
});

/** The notice that is to be read now; null once its time is over. */
export function noticeNow({ notice, now }: Pick<State, 'notice' | 'now'>): Notice | null {
  return notice !== null && now - notice.at < notice.forMs ? notice : null;
}

/** How long each stays (ms): short words as long as they take to be seen, sentences as long as they take to be read. */
const wordMs = 4000;
const newsMs = { info: 8000, warning: 12_000, error: 12_000 } as const;
