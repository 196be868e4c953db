import { readFileSync } from 'node:fs';
import { packageFile } from '../package-file.js';
import { quoteAll } from './quote.js';

export interface ScriptOptions {
  /** Whether the host has `base64 -d`; without it the script travels as octal escapes (longer). Default true. */
  readonly base64?: boolean;
  /** The command that runs the script, such as `busybox sh`: for tests. Default `sh`. */
  readonly shell?: string;
}

/**
 * One command line that runs `NAME.sh` of this folder with `args`, from whatever login shell gets it
 * (bash, dash, zsh, fish, tcsh), and leaves stdin to the script. Script and arguments travel encoded: no login
 * shell sees a newline, a quote or a `!` of theirs. Throws when there is no such script.
 */
export function scriptCommand(name: string, args: readonly string[], options: ScriptOptions = {}): string {
  const text = `set -- ${quoteAll(args)}\n${loadScript(name)}`;
  const shell = options.shell ?? 'sh';
  if (options.base64 ?? true) {
    return `exec ${shell} -c 'eval "$(printf %s "$1" | base64 -d)"' sh ${Buffer.from(text).toString('base64')}`;
  }
  return `exec ${shell} -c 'eval "$(printf %b "$1")"' sh '${octal(text)}'`;
}

const loaded = new Map<string, string>();

/** The script without comments and blank lines; a line `. ./OTHER.sh` is replaced by that file. */
export function loadScript(name: string): string {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const source = readFileSync(packageFile(`src/remote/${name}.sh`), 'utf8');
  const text = source
    .split('\n')
    // Whole lines only: a `#` further on may be data. No script has a line of data that starts with `#`.
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((line) => {
      const included = /^\. \.\/([a-z-]+)\.sh$/.exec(line)?.[1];
      return included === undefined ? line : loadScript(included).trimEnd();
    })
    .join('\n')
    .concat('\n');
  loaded.set(name, text);
  return text;
}

/** For `printf %b`, within single quotes of any login shell: everything but plain characters as `\0ooo`. */
function octal(text: string): string {
  let out = '';
  for (const byte of Buffer.from(text)) {
    const char = String.fromCharCode(byte);
    out += /[A-Za-z0-9 _=:;,./$(){}|&<>"-]/.test(char) ? char : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return out;
}
