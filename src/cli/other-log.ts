import type { Attempt } from '../core/events.js';
import { remark } from './remark.js';

/** That an attempt writes to another file than the one given: from the second on it has its number behind it. */
export function otherLogText(
  { number, log }: Pick<Attempt, 'number' | 'log'>,
  given: string | null,
): string | null {
  if (given === null || given.includes('{attempt}') || number < 2 || !log.endsWith(`.${number}`)) return null;
  return `the log of attempt ${number} is ${log}: ${given} is that of the first ({attempt} in --log puts the number elsewhere)`;
}

export function remarkOtherLog(attempt: Pick<Attempt, 'number' | 'log'>, given: string | null): void {
  const text = otherLogText(attempt, given);
  if (text !== null) remark(text);
}
