/**
 * `word` as one word of a POSIX shell (sh, dash, bash, busybox, zsh), whatever bytes it holds: quotes, blanks,
 * newlines, `$()`. Throws on NUL, which no argument can hold.
 */
export function quote(word: string): string {
  if (word.includes('\0')) throw new RangeError('A shell word cannot hold a NUL byte.');
  if (/^[A-Za-z0-9_@%+=:,./-]+$/.test(word) && !word.startsWith('=')) return word;
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** `words` as one POSIX command line. */
export function quoteAll(words: readonly string[]): string {
  return words.map(quote).join(' ');
}
