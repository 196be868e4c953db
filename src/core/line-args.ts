import { commandLines } from '../engines/command-lines.js';
import { type LineCommand, type LineWord, lineCommands } from './line-commands.js';
import { flagPlace } from './relaunch-form.js';
import { quoteWord } from './shell-words.js';

/**
 * `line`, for a shell, with arguments (groups of `--flag value …`) put into its last command: in place of the value that
 * the flag has there, or behind its last word. Null where that command cannot be told for certain, or is not what starts
 * the server: behind a pipe, or in the `echo` at the end, they would go elsewhere.
 */
export function withLineArgs(line: string, groups: readonly (readonly string[])[]): string | null {
  let out = line;
  for (const group of groups) {
    const commands = lineCommands(out);
    if (commands === null || !endsInServer(commands)) return null;
    out = putIn(out, commands.at(-1)?.words ?? [], group);
  }
  return out;
}

function putIn(line: string, words: readonly LineWord[], group: readonly string[]): string {
  const text = group.map(quoteWord).join(' ');
  const place = flagPlace(
    words.map(({ value }) => value),
    group,
  );
  const [first, value] = place === null ? [] : words.slice(place.from, place.to);
  if (first === undefined) {
    const end = words.at(-1)?.end ?? line.length;
    return `${line.slice(0, end)} ${text}${line.slice(end)}`;
  }
  return line.slice(0, first.from) + text + line.slice((value ?? first).end);
}

/** Whether the last command is what the line is for: an engine's, or else all before it only prepare it. */
function endsInServer(commands: readonly LineCommand[]): boolean {
  const last = commands.at(-1);
  if (last === undefined || !(last.joinedBy === '' || last.joinedBy === '&&' || last.joinedBy === ';'))
    return false;
  const [program] = programOf(last);
  if (program === undefined || program.value === null || prepares.has(program.value)) return false;
  // Behind `--` a flag is none; what is said to another shell has quotes of its own.
  if (last.words.some(({ value }, at) => value === '--' || isForShell(value, last.words[at + 1])))
    return false;
  const engines = commands.map(startsEngine);
  if (engines.includes(true)) return engines.lastIndexOf(true) === commands.length - 1;
  return (
    !last.words.some((word, at) => isLine(word, last.words[at - 1])) &&
    commands.slice(0, -1).every(isStepTo(commands))
  );
}

/** A server does not end well, so one that is followed by `&&` is none. */
const isStepTo =
  (commands: readonly LineCommand[]) =>
  (command: LineCommand, at: number): boolean => {
    const [program] = programOf(command);
    return commands[at + 1]?.joinedBy === '&&' || program === undefined || prepares.has(program.value ?? '');
  };

const programOf = ({ words }: LineCommand): readonly LineWord[] =>
  words.slice(words.findIndex(({ value }) => value === null || !/^[A-Za-z_]\w*\+?=/.test(value)));

function startsEngine({ words }: LineCommand): boolean {
  // A word that is not known, or holds blanks, must not look like one that is.
  const texts = words.map(({ value }) => (value === null || /\s/.test(value) ? '\0' : value));
  return texts.some((_, at) => starts.some((start) => start.test(texts.slice(at).join(' '))));
}

const starts = commandLines.flatMap((engine) => engine.starts.map(({ pattern }) => new RegExp(pattern)));

const isForShell = (value: string | null, next: LineWord | undefined): boolean =>
  /^(?:\S*\/)?(?:(?:ba|da|z|k|c|tc|fi)?sh)$/.test(value ?? '')
    ? next === undefined || next.value === null || next.value.startsWith('-')
    : /^(?:\S*\/)?(?:ssh|su|xargs)$/.test(value ?? '');

/** Whether a word looks like a command line of its own (`tmux new 'serve --tp 8'`) rather than like the value of a flag. */
const isLine = ({ value }: LineWord, before: LineWord | undefined): boolean =>
  value !== null && /\s/.test(value) && !value.startsWith('--') && !before?.value?.startsWith('--');

/** Commands that start no server. */
const prepares = new Set(
  '. : [ cd conda cp date df du echo exit export false hostname kill ln ls mkdir module mv nvidia-smi pip popd printf pushd rm set shopt sleep source tail tee test trap true ulimit umask unset wait'.split(
    ' ',
  ),
);
