import type { State } from '../core/state.js';
import { describeError } from '../errors.js';
import { redact } from '../ingest/redact.js';
import { sanitize } from '../ingest/sanitize.js';
import { type DumpSource, writeDump } from '../store/dumps.js';
import type { PathEnvironment } from '../store/paths.js';
import type { Copied } from './clipboard.js';

export interface KeptText {
  /** `3 marked lines`, `the triage card`. */
  readonly what: string;
  readonly lines: readonly string[];
  /** A part of the file's name beside host and server. */
  readonly name?: string;
}

export interface KeptNotice {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

/**
 * Puts a text into a file of its own and onto the clipboard, and tells in words where it went; one of both may fail.
 * Rejects with the file's failure where neither took it.
 */
export async function keepText(
  { what, lines, name }: KeptText,
  state: State,
  env: PathEnvironment,
  copy: (text: string) => Copied,
): Promise<KeptNotice> {
  // What is looked at with `cat` later must not act on that terminal.
  const shown = lines.map((line) => sanitize(redact(line)));
  const server = [state.target.name, name].filter(Boolean).join('-');
  const written = await writeDump(env, dumpSource(state, server === '' ? null : server), shown).then(
    (path) => ({ path }),
    (error: unknown) => ({ error }),
  );
  const copied = copy(`${shown.join('\n')}\n`);
  if ('error' in written) {
    if (copied.to === 'nowhere') throw written.error;
    return { level: 'warning', text: `${what} ${ways[copied.to]}; no file: ${describeError(written.error)}` };
  }
  // Where it went must be read at 80 columns too: the path comes last and may use what is left.
  const where = written.path.replace(env.HOME ?? '\0', '~');
  if (copied.to !== 'nowhere') return { level: 'info', text: `${what} ${ways[copied.to]}, and in ${where}` };
  return copied.why === 'too-long'
    ? { level: 'warning', text: `too long for the terminal's clipboard: ${what} in ${where}` }
    : { level: 'info', text: `${what} in ${where}` };
}

const ways: Readonly<Record<'tmux' | 'terminal', string>> = {
  tmux: 'copied (tmux)',
  terminal: 'sent by OSC 52',
};

/** Whose file it is. */
export const dumpSource = ({ target, now }: State, name: string | null): DumpSource => ({
  host: target.host,
  name,
  at: now,
});
