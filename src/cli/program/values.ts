import { InvalidArgumentError } from 'commander';
import { type KillSignal, killSignals } from '../../core/dialog-look.js';
import { durationForm, durationMs } from '../duration.js';
import { isVariable } from '../environment.js';
import { noSuch } from '../no-such.js';

// What an option takes. A wrong value is refused with words that complete "--port takes …".

export function wholeNumber(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a whole number');
  return Number.parseInt(text, 10);
}

export function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number.parseInt(text, 10) : 0;
  if (value < 1 || value > 65_535) throw new InvalidArgumentError('a port, 1 to 65535');
  return value;
}

export function positiveNumber(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('a number above 0');
  return value;
}

/** Lines to begin with; `+1` is all of them. */
export function tailLines(text: string): number | 'all' {
  if (text === '+1') return 'all';
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('a whole number, or +1 for all lines');
  return wholeNumber(text);
}

/** A line for the host, or `@FILE`; several may be given. */
export function collectSteps(value: string, earlier: readonly string[] = []): readonly string[] {
  if (value.trim() === '' || value === '@') throw new InvalidArgumentError('a command, or @FILE');
  return [...earlier, value];
}

/** Stays the text that it is: the config has such texts as well. */
export function duration(text: string): string {
  if (durationMs(text) === null) throw new InvalidArgumentError(durationForm);
  return text;
}

export function signal(text: string): KillSignal {
  const wanted = text.toUpperCase().replace(/^SIG/, '');
  const known = killSignals.find((name) => name === wanted);
  if (known === undefined) throw new InvalidArgumentError('TERM, INT or KILL');
  return known;
}

export function longerThanNothing(text: string): string {
  if (!durationMs(text)) throw new InvalidArgumentError(`${durationForm} (more than 0)`);
  return text;
}

/** One of `names`, which are called `kind`s. */
export const oneOf =
  (kind: string, names: readonly string[]) =>
  (text: string): string => {
    if (names.includes(text)) return text;
    throw noSuch(kind, text, names, { hint: `There are: ${names.join(', ')}.` });
  };

/** For options that may be given several times. */
export const collectPids = (value: string, earlier: readonly number[] = []): readonly number[] => [
  ...earlier,
  wholeNumber(value),
];

export function collectVariables(value: string, earlier: readonly string[] = []): readonly string[] {
  if (!isVariable(value)) throw new InvalidArgumentError('NAME=VALUE');
  return [...earlier, value];
}
