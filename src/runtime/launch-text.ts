import { Document, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { isShellLine, type LaunchSpec } from '../core/launch-spec.js';
import { flagGroups, type RelaunchForm } from '../core/relaunch-form.js';
import { quoteWord, splitWords } from '../core/shell-words.js';
import { usageError } from '../errors.js';

/**
 * A launch as text for an editor (YAML): the command as words of a shell, a flag a line, or the line for `bash -lc`;
 * then folder, variables and the steps before it; above all, `toDo`: arguments that are still to be put in. With the real
 * values. Throws a usage error for what is no text.
 */
export function launchText(
  spec: LaunchSpec,
  before: readonly string[],
  toDo: readonly string[] = [],
): string {
  const words = [...spec.command, spec.cwd ?? '', ...Object.values(spec.env)];
  // Bytes that are not UTF-8 are kept as lone surrogates (actions/remote-text.ts), which no file could give back.
  if (words.some((word) => /[\ud800-\udfff]/.test(word.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')))) {
    throw usageError('It holds bytes that are not UTF-8, so it cannot be edited as text.');
  }
  const doc = new Document({
    ...(isShellLine(spec)
      ? { shell: spec.command.join(' ') }
      : {
          command: flagGroups(spec.command)
            .map((group) => group.map(quoteWord).join(' '))
            .join('\n'),
        }),
    cwd: spec.cwd ?? '~',
    env: spec.env,
    before,
  });
  const text = doc.get(isShellLine(spec) ? 'shell' : 'command', true);
  if (isScalar(text)) text.type = 'BLOCK_LITERAL';
  const wanted = toDo.length === 0 ? '' : `# Put in by hand: ${quoteLine(toDo)}\n`;
  return `${heading}${wanted}${doc.toString({ lineWidth: 0 })}`;
}

const quoteLine = (words: readonly string[]): string => words.map(quoteWord).join(' ').replaceAll('\n', ' ');

const heading = `# What the next attempt runs. Nothing is started by leaving the editor: the
# dialog shows the difference and asks.
#   command: words as a shell reads them, over as many lines as you like; nothing is expanded
#   shell:   instead of command, a line for bash -lc
#   before:  lines that run on the host first; @FILE is a script of this machine
`;

/**
 * Reads such a text back as a form for the next attempt. Throws a usage error that names the line, where there is one.
 */
export function parseLaunchText(text: string, spec: LaunchSpec): RelaunchForm {
  const lines = new LineCounter();
  // Every value is a string here, whatever it looks like.
  const doc = parseDocument(text, { schema: 'failsafe', lineCounter: lines });
  const [error] = doc.errors;
  if (error) throw usageError(`line ${error.linePos?.[0].line ?? '?'}: ${error.message.split('\n')[0]}`);
  const value: unknown = doc.toJS();
  if (!isRecord(value)) throw usageError('It is to hold command (or shell), cwd, env and before.');
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw usageError(`${lineOf(doc, lines, unknown)}"${unknown}" is not known here.`);
  const { command, shell, cwd = '~', env = {}, before = [] } = value;
  if ((command === undefined) === (shell === undefined))
    throw usageError('Either command or shell is needed.');
  if (typeof cwd !== 'string') throw usageError(`${lineOf(doc, lines, 'cwd')}cwd is a path.`);
  return {
    env: {},
    args: [],
    before: stringsOf(before === '' ? [] : before, 'before'),
    edited: {
      ...(shell === undefined
        ? { command: wordsOf(command, lineOf(doc, lines, 'command')), shell: spec.shell }
        : { command: [lineText(shell)], shell: true }),
      // The home folder is what it was where it was not given.
      cwd: cwd === '~' || cwd === '' ? null : cwd,
      env: environmentOf(env === '' ? {} : env),
    },
  };
}

const known = ['command', 'shell', 'cwd', 'env', 'before'];

function wordsOf(text: unknown, where: string): readonly string[] {
  if (typeof text !== 'string' || text.trim() === '') throw usageError(`${where}command is empty.`);
  if (!/^(?:[^"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")*$/.test(text))
    throw usageError(`${where}a quote in command is not closed.`);
  // A backslash at the end of a line joins lines, but not within quotes.
  const quotedOrJoin = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
  const words = splitWords(text.replace(quotedOrJoin, (part) => (part === '\\\n' ? ' ' : part)));
  if (words.length === 1)
    throw usageError(`${where}a command of one word is a line for a shell: write shell.`);
  return words;
}

function lineText(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw usageError('shell is empty.');
  return value.trimEnd();
}

function environmentOf(value: unknown): Readonly<Record<string, string>> {
  if (!isRecord(value)) throw usageError('env is a list of NAME: value.');
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
        throw usageError(`env: "${name}" is no name of a variable.`);
      if (typeof text !== 'string') throw usageError(`env: ${name} is to be one value.`);
      return [name, text];
    }),
  );
}

function stringsOf(value: unknown, key: string): readonly string[] {
  if (Array.isArray(value) && value.every((step) => typeof step === 'string')) return value.filter(Boolean);
  throw usageError(`${key} is a list of lines.`);
}

function lineOf(doc: Document.Parsed, lines: LineCounter, key: string): string {
  const node = doc.get(key, true);
  return isNode(node) && node.range ? `line ${lines.linePos(node.range[0]).line}: ` : '';
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
