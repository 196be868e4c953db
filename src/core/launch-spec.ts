import { redact, redactArgv } from '../ingest/redact.js';
import { quoteWord } from './shell-words.js';
import { oneLine } from './words.js';

/** All that is needed to start a server, and to start it again. Strings may hold any bytes (see runtime/actions/remote-text.ts). */
export interface LaunchSpec {
  /** Several words: an argv, run without a shell. One word, or with `shell`: a line for `bash -lc`. */
  readonly command: readonly string[];
  readonly shell: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** Whether `env` is the whole environment, rather than added to that of the login. */
  readonly cleanEnv: boolean;
  /** Null: the home folder. `~/` and paths relative to the home folder are understood. */
  readonly cwd: string | null;
  /** Path of the log, `{attempt}` in it is the number; relative to `cwd`. Null: in the attempt's folder. */
  readonly log: string | null;
}

/** `spec` with what is not given filled in. */
export function launchSpec(spec: Partial<LaunchSpec> & Pick<LaunchSpec, 'command'>): LaunchSpec {
  return { shell: false, env: {}, cleanEnv: false, cwd: null, log: null, ...spec };
}

/** Whether the command is a line for a shell. */
export function isShellLine(spec: LaunchSpec): boolean {
  return spec.shell || spec.command.length === 1;
}

/** The command for people: one line, secrets redacted. */
export function displayCommand(spec: LaunchSpec): string {
  return isShellLine(spec) ? oneLine(redact(spec.command.join(' '))) : displayArgv(spec.command);
}

/** `argv` for people: one line, secrets redacted. */
export function displayArgv(argv: readonly string[]): string {
  const words = redactArgv(argv.map((word) => word.replaceAll('\0', '')));
  return oneLine(words.map((word) => (/^[\w@%+=:,./*-]+$/.test(word) ? word : quoteWord(word))).join(' '));
}
