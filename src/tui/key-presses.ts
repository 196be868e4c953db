import type { Key } from 'ink';
import { burstKeys, isQuestion, isTyping, type KeyState } from './key-actions.js';
import { createKeyReader, type Press } from './key-input.js';
import type { KeyContext } from './keymap.js';

/** What the presses before this one say about it. */
export type Since = Pick<KeyState, 'sinceLastPressMs' | 'sinceBurstMs'>;

/** After such a pause a key is pressed by itself, and whatever came in one piece before is over (ms). */
const singleKeyMs = 100;

/**
 * What Ink's `useInput` calls. `obey` is called once for each press; of several keys that came in one piece, for each of
 * them as it is meant where the ones before have led to (`context`).
 */
export function createPresses(
  context: () => KeyContext,
  obey: (press: Press, since: Since) => void,
): (input: string, key: Key) => void {
  const readKey = createKeyReader();
  let lastPressAt = Number.NEGATIVE_INFINITY;
  let lastBurstAt = Number.NEGATIVE_INFINITY;

  const pass = (press: Press): void => {
    const now = performance.now();
    const since = { sinceLastPressMs: now - lastPressAt, sinceBurstMs: now - lastBurstAt };
    lastPressAt = now;
    obey(press, since);
    if (press.kind === 'key' && since.sinceLastPressMs > singleKeyMs) lastBurstAt = Number.NEGATIVE_INFINITY;
  };

  const passBurst = (text: string): void => {
    const began = context();
    const keys = burstKeys(text, began);
    for (const [at, name] of keys.entries()) {
      const now = context();
      if (isTyping(now)) {
        pass({ kind: 'burst', text: [...text].slice(at).join('') });
        return;
      }
      // One of these keys has asked a question: the rest is no answer to it.
      if (now !== began && isQuestion(now)) return;
      pass({ kind: 'key', name });
    }
  };

  return (input, key) => {
    for (const press of readKey(input, key)) {
      const isBurst = press.kind === 'burst';
      if (isBurst) lastBurstAt = performance.now();
      if (isBurst && !isTyping(context())) passBurst(press.text);
      else pass(press);
    }
  };
}
