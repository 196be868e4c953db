import { usageError } from '../errors.js';

/** `K=V` words as an environment; throws a usage error for a word without a name. */
export function parseEnvironment(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      if (!/^[A-Za-z_]\w*$/.test(word.slice(0, Math.max(0, equals)))) {
        throw usageError(`--env takes NAME=VALUE, not "${word}".`);
      }
      return [word.slice(0, equals), word.slice(equals + 1)];
    }),
  );
}
