/** A word as a shell would need it, in single quotes where it must be. */
export const quoteWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Words of a text by the shell's rules for quotes, without any expansion. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const token = /\s*((?:[^\s"'\\]|\\[\s\S]|'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?)+)/gy;
  for (const [, raw = ''] of text.matchAll(token)) {
    words.push(raw.replace(/'([^']*)'?|"((?:[^"\\]|\\[\s\S])*)"?|\\([\s\S])/g, unquote));
  }
  return words;
}

function unquote(_match: string, single?: string, double?: string, escaped?: string): string {
  return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '';
}
