import type { State } from '../core/state.js';
import { exitCodes } from '../errors.js';
import { leave } from './last-will.js';
import { remark } from './remark.js';

/** What goes on when we leave, and how to come back to it; null where there is no way back (the demo). */
export function goodbye({ target, process: server }: State): string | null {
  if (target.comeBack === '') return null;
  const runs = server.fact?.status === 'alive' ? 'The server goes on. ' : '';
  return `${runs}Leaving stops nothing. Come back with: ${target.comeBack}`;
}

/**
 * From now on Ctrl-C and SIGTERM say `words` on stderr before they end this process (exit code 130): what was begun on a
 * host may go on there. Returns what undoes it.
 */
export function wordsOnInterrupt(words: string): () => void {
  const stop = (): void => {
    remark(words);
    leave(exitCodes.interrupted);
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
