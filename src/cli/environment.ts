/** Whether `word` is NAME=VALUE with a name that a variable can have. */
export const isVariable = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word);

/** NAME=VALUE words, each of which has been checked, as an environment; the last one of a name counts. */
export function parseEnvironment(words: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    words.map((word) => {
      const equals = word.indexOf('=');
      return [word.slice(0, equals), word.slice(equals + 1)];
    }),
  );
}
