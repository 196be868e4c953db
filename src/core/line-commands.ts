/** A word of a line for a shell, and where it stands. */
export interface LineWord {
  /** Null where only the shell can work it out (`$X`, a glob). */
  readonly value: string | null;
  readonly from: number;
  readonly end: number;
}

export interface LineCommand {
  readonly words: readonly LineWord[];
  /** What stands in front of it; empty for the first. A line break is `;`. */
  readonly joinedBy: '' | '&&' | '||' | ';' | '|';
}

/**
 * The simple commands of a line for bash with their places, redirections left out; null where it holds anything else: a
 * group, a loop, a function, a subshell, a substitution, a here-document, something in the background.
 * Stricter than the look at a launch (preflight/shell-line.ts), since what is found here is changed.
 */
export function lineCommands(line: string): readonly LineCommand[] | null {
  const commands: { readonly words: LineWord[]; readonly joinedBy: LineCommand['joinedBy'] }[] = [
    { words: [], joinedBy: '' },
  ];
  let isTarget = false;
  for (const match of line.matchAll(tokens)) {
    const [text, blank, joint, redirection, word] = match;
    const words = commands.at(-1)?.words ?? [];
    if (blank !== undefined) continue;
    if (joint !== undefined) {
      if (isTarget) return null;
      // An empty line, or a break behind `&&`.
      if (joint === '\n' && words.length === 0) continue;
      if (words.length === 0) return null;
      commands.push({ words: [], joinedBy: joints[joint] ?? ';' });
    } else if (redirection !== undefined) {
      if (isTarget) return null;
      // `2>&1` is whole; `> file` takes the next word with it.
      isTarget = !/&(?:\d+|-)$/.test(redirection);
    } else if (word === undefined) {
      if (text !== '' || isTarget) return null;
    } else if (isTarget) isTarget = false;
    else {
      // `{name}>file` is a redirection.
      if (/^\{\w+\}$/.test(word) || (words.length === 0 && keywords.has(word))) return null;
      words.push({ value: plainValue(word), from: match.index, end: match.index + word.length });
    }
  }
  const last = commands.at(-1);
  if (last?.words.length !== 0) return commands;
  return last.joinedBy === ';' ? commands.slice(0, -1) : null;
}

const joints: Readonly<Record<string, LineCommand['joinedBy']>> = { '&&': '&&', '||': '||', '|': '|' };

/**
 * Blanks and comments · joints · redirections · words; anything else ends it: parentheses, `&`, backticks, `$(`, `$'`,
 * `<<`, a quote that is not closed.
 */
const tokens = new RegExp(
  [
    /([ \t]+|(?<=\s)\\\n|(?<![^\s;&|])#[^\n]*)/,
    /(&&|\|\||\||;(?!;)|\n)(?!&)/,
    /(&>>?|\d*(?:>>|>\||[<>](?![<>(]))(?:&(?:\d+|-))?)/,
    /((?:[^\s"'\\;&|<>()`$]|\\[^\n]|'[^']*'|"(?:[^"\\`$]|\\[\s\S]|\$\{[^{}"'`\\$]*\}|\$(?![({]))*"|\$\{[^{}\s"'`\\$]*\}|\$(?![({"']))+)/,
    /([\s\S]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

const keywords = new Set(
  'if then else elif fi for while until do done case esac function select time coproc ! [[ { } eval'.split(
    ' ',
  ),
);

/** A word without its quotes. */
function plainValue(raw: string): string | null {
  let out = '';
  for (const [part] of raw.matchAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\]+/g)) {
    if (part.startsWith("'")) out += part.slice(1, -1);
    else if (part.startsWith('\\')) out += part.charAt(1);
    else if (part.startsWith('"')) {
      if (/(?<!\\)\$/.test(part)) return null;
      out += part.slice(1, -1).replace(/\\(["\\$`\n])/g, (_, char: string) => (char === '\n' ? '' : char));
    } else if (/[$*?[\]]|\{.*[,.].*\}/.test(part)) return null;
    else out += part;
  }
  return out;
}
