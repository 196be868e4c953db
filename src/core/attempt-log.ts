import type { Attempt } from './events.js';

/** The file that holds what an attempt has put out, as far as is known: the one that its command writes to itself, if it does. */
export const logOfAttempt = ({ log, writesTo }: Pick<Attempt, 'log' | 'writesTo'>): string => writesTo ?? log;
