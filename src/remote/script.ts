import { readFileSync } from 'node:fs';
import { packageFile } from '../package-file.js';
import { quoteAll } from './quote.js';

export interface ScriptOptions {
  /** The command that runs the script, such as `busybox sh`: for tests. Default `sh`. */
  readonly shell?: string;
}

/**
 * One command line that runs `NAME.sh` from beside this file with `args`, from whatever login shell gets it
 * (bash, dash, zsh, fish, tcsh), and leaves stdin to the script. No login shell sees a newline, a quote, a backslash or a
 * `!` of either: the script travels with four other characters in their place, its letters moved on by 13, so that
 * nobody's `pkill -f sglang` finds a script of ours for a word in it. The arguments, which may hold any bytes, travel as
 * base64, the last word of it; the host decodes them by `base64` or, without that, by awk, which the scripts need in any
 * case as they do `tr`. Throws when there is no such script.
 */
export function scriptCommand(name: string, args: readonly string[], options: ScriptOptions = {}): string {
  const { text, standIns } = disguise(loadScript(name));
  const words = Buffer.from(`set -- ${quoteAll(args)}`).toString('base64');
  return `exec ${options.shell ?? 'sh'} -c '${unpack}' sh '${awkDecoder}' '${standIns}' '${text}' ${words}`;
}

/** Within single quotes of any login shell: no quote, no `!`, no newline, no two backslashes. */
const unpack = [
  '_s=$(printf %s "$4" | base64 -d 2>/dev/null)',
  '_s=$(printf %s "$4" | LC_ALL=C awk "$1")',
  '{ echo "there is neither base64 nor awk here" >&2; exit 127; }; ' +
    String.raw`_t=$(printf %s "$3" | LC_ALL=C tr A-Za-z N-ZA-Mn-za-m | LC_ALL=C tr "$2" "\n\047\041\134")`,
  '{ echo "there is no tr here" >&2; exit 127; }; eval "$_s"; eval "$_t"',
].join(' || ');

/** A script with other characters for those that a login shell may make something of: `standIns`, in their order. */
function disguise(script: string): { readonly text: string; readonly standIns: string } {
  const standIns = [...'Q`\tJYVWKXZB@%~\v\f']
    .filter((free) => !script.includes(free))
    .slice(0, unsafe.length);
  if (standIns.length < unsafe.length || /[^\n -~]/.test(script)) {
    throw new Error('A script has not four characters to spare, or others than ASCII has.');
  }
  const text = script
    .replace(/[\n'!\\]/g, (one) => standIns[unsafe.indexOf(one)] ?? one)
    .replace(/[A-Za-z]/g, movedBy13);
  return { text, standIns: standIns.join('') };
}

/** In the order in which `unpack` names them to `tr`. */
const unsafe = ['\n', "'", '!', '\\'];

function movedBy13(letter: string): string {
  const first = letter < 'a' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
}

/** The same restrictions; no `^`, which a busybox may lack. `%c` gives bytes in every awk only in the locale C. */
const awkDecoder =
  'BEGIN { a = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"; ' +
  'for (i = 1; i <= 64; i++) v[substr(a, i, 1)] = i - 1 } ' +
  '{ n = length($0); for (i = 1; i <= n; i++) { c = substr($0, i, 1); if (c in v) { b = b * 64 + v[c]; k += 6; ' +
  'if (k >= 8) { k -= 8; d = 1; for (j = 0; j < k; j++) d = d * 2; x = int(b / d); b -= x * d; printf "%c", x } } } }';

const loaded = new Map<string, string>();

/**
 * The script without comments, blank lines and indentation, which no line's meaning hangs on; a line `. ./OTHER.sh` is
 * replaced by that file. Not every SSH server takes a command of more than
 * 32,768 bytes (RFC 4253, 6.1).
 */
export function loadScript(name: string): string {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const source = readFileSync(packageFile(`src/remote/${name}.sh`), 'utf8');
  const text = source
    .split('\n')
    // No script has a line of data that starts with `#`, nor ` # ` in its data.
    .filter((line) => !/^\s*(#|$)/.test(line))
    .map((commented) => {
      const line = commented.replace(/ # .*/, '').trim();
      const included = /^\. \.\/([a-z-]+)\.sh$/.exec(line)?.[1];
      return included === undefined ? line : loadScript(included).trimEnd();
    })
    .join('\n')
    .concat('\n');
  loaded.set(name, text);
  return text;
}
