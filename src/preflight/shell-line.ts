/** One simple command of a shell line. A word that only the shell can work out (`$X`, `$(…)`, a glob) is null. */
export interface ShellCommand {
  readonly words: readonly (string | null)[];
  /** What stands in front of it in the line; empty for the first. */
  readonly joinedBy: '' | '&&' | '||' | ';' | '|' | '&';
}

/**
 * The commands of a line for a shell, as far as they can be told without running it; null where it has what this does not
 * understand (loops, functions, groups, here-documents). Redirections are left out.
 */
export function readShellLine(line: string): readonly ShellCommand[] | null {
  const commands: { words: (string | null)[]; joinedBy: ShellCommand['joinedBy'] }[] = [
    { words: [], joinedBy: '' },
  ];
  let skipsNext = false;
  for (const token of line.matchAll(tokens)) {
    const [text, , blank, operator, redirection, word] = token;
    if (blank !== undefined) continue;
    if (operator !== undefined) {
      const joinedBy = operator.trim() === '' ? ';' : operator;
      if (!isJoint(joinedBy)) return null;
      commands.push({ words: [], joinedBy });
      continue;
    }
    if (redirection !== undefined) {
      if (/<<|[<>]\(/.test(redirection)) return null;
      // `2>&1` is whole; `> file` takes the next word with it.
      skipsNext = !/&(?:\d+|-)$/.test(redirection);
      continue;
    }
    if (word === undefined) return text === '' ? finished(commands) : null;
    if (skipsNext) {
      skipsNext = false;
      continue;
    }
    const value = unquoted(word);
    if (value !== null && commands.at(-1)?.words.length === 0 && keywords.has(value)) return null;
    commands.at(-1)?.words.push(value);
  }
  return finished(commands);
}

const finished = (commands: readonly ShellCommand[]): readonly ShellCommand[] =>
  commands.filter(({ words }) => words.length > 0);

const isJoint = (text: string): text is ShellCommand['joinedBy'] =>
  ['&&', '||', ';', '|', '&'].includes(text);

/** Blanks and comments · operators · redirections · words; anything else is not understood. */
const tokens =
  /((?:([ \t]+|\\\n|(?<![^\s;&|])#[^\n]*)|(&&|\|\||[;|\n]|&(?!>))|(&>>?|\d*(?:<<[-<]?|>>|[<>]\(|>\||[<>])(?:&(?:\d+|-))?)|((?:[^\s"'\\;&|<>(){}`$]|\\[\s\S]|'[^']*'|"(?:[^"\\`$]|\\[\s\S]|`[^`]*`|\$\([^()]*\)|\$(?!\())*"|`[^`]*`|\$\([^()]*\)|\$\{[^{}]*\}|\$(?![({])|\{[^{}\s]*\})+)|[\s\S]|$))/g;

const keywords = new Set(
  'if then else elif fi for while until do done case esac function select time ! [[ { } eval'.split(' '),
);

function unquoted(raw: string): string | null {
  let out = '';
  for (const [part] of raw.matchAll(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^'"\\]+/g)) {
    if (part.startsWith("'")) out += part.slice(1, -1);
    else if (part.startsWith('\\')) out += part === '\\\n' ? '' : part.charAt(1);
    else if (part.startsWith('"')) {
      if (/(?<!\\)[`$]/.test(part)) return null;
      out += part.slice(1, -1).replace(/\\(["\\$`\n])/g, (_, char: string) => (char === '\n' ? '' : char));
    } else if (/[`$*?[\]]|\{.*[,.].*\}/.test(part)) return null;
    else out += part;
  }
  return out;
}
