import { exitCodes, FiredupError } from '../errors.js';
import { connectHost } from '../host/connect.js';
import type { Host } from '../host/host.js';
import { keyring } from '../host/keyring.js';
import { plainText } from '../host/plain-text.js';
import { heldPrompts, noPrompts } from '../host/prompts.js';
import { run } from '../host/run.js';
import type { HostSpec } from '../host/spec.js';
import { sanitize } from '../ingest/sanitize.js';
import type { Asking } from '../runtime/login-again.js';
import type { Connect } from '../runtime/stay-connected.js';
import { isInteractive } from './is-interactive.js';
import { remark } from './remark.js';
import { terminalPrompts } from './terminal-prompts.js';

/** What `sshOptions` of `program/options.ts` leaves in a command's options. */
export interface SshOptions {
  readonly F?: string;
  readonly i?: string;
  readonly p?: number;
  readonly J?: string;
  readonly transport?: 'ssh' | 'ssh2';
  readonly acceptNew?: boolean;
  readonly readOnly?: boolean;
  readonly via?: Via;
}

/** The target of the config that led to a host. */
export interface Via {
  readonly target: string;
  /** Under which its attempts are kept there; null where firedup does not launch it. */
  readonly name: string | null;
  /** What a launch of it starts, for people; null where the config has no command. */
  readonly launch: string | null;
  /** The options that were given on the command line itself. */
  readonly given: Readonly<Record<string, unknown>>;
}

export function hostSpec(label: string, options: SshOptions): HostSpec {
  return {
    label,
    ...(options.F === undefined ? {} : { configFile: options.F }),
    ...(options.i === undefined ? {} : { identityFile: options.i }),
    ...(options.p === undefined ? {} : { port: options.p }),
    ...(options.J === undefined ? {} : { jump: options.J }),
    ...(options.transport === undefined ? {} : { transport: options.transport }),
    ...(options.acceptNew === undefined ? {} : { acceptNew: options.acceptNew }),
  };
}

/** The ssh options as words, so that the command that comes back reaches the same host. */
export function sshWords(options: SshOptions): readonly string[] {
  return [
    ...(options.F === undefined ? [] : ['-F', options.F]),
    ...(options.i === undefined ? [] : ['-i', options.i]),
    ...(options.p === undefined ? [] : ['-p', String(options.p)]),
    ...(options.J === undefined ? [] : ['-J', options.J]),
    ...(options.transport === undefined ? [] : ['--transport', options.transport]),
  ];
}

/** Passphrases that were given once open their keys for a reconnect as well. */
const keys = keyring();

/**
 * The first connection: asks on the terminal where there is one, and shows that it is at work. Rejects as `connectHost`
 * does, and with `not-linux` or `no-shell` (exit code 2) for a host that firedup cannot read.
 */
export async function connectFirst(spec: HostSpec): Promise<Host> {
  const host = await openFirst(spec);
  try {
    await mustBeLinux(host);
    return host;
  } catch (error) {
    await host.close();
    throw error;
  }
}

async function openFirst(spec: HostSpec): Promise<Host> {
  if (!isInteractive() || spec.label === 'local') {
    return connectHost(spec, {
      prompts: process.stdin.isTTY ? terminalPrompts(() => {}) : noPrompts,
      keyring: keys,
      notice: remark,
    });
  }
  const { showConnecting } = await import('../tui/connecting.js');
  const connecting = showConnecting(`connecting to ${sanitize(spec.label)}`);
  try {
    return await connectHost(spec, {
      prompts: terminalPrompts(connecting.hide),
      keyring: keys,
      notice: remark,
    });
  } finally {
    connecting.hide();
  }
}

/** Connecting again after a loss: nobody is asked but by the prompts given. */
export const connectAgain =
  (spec: HostSpec): Connect =>
  (signal, prompts = heldPrompts) =>
    connectHost(spec, { prompts, keyring: keys, signal });

/** Who is asked without a screen, where a login after a loss needs it: whoever sits before the terminal, if there is one. */
export const askingOnTerminal = (): Exclude<Asking, { kind: 'on-demand' }> =>
  process.stdin.isTTY && process.stderr.isTTY
    ? { kind: 'at-once', prompts: terminalPrompts(() => {}) }
    : { kind: 'nobody' };

/** In words that every shell understands; an rc file may print before the answer. */
async function mustBeLinux(host: Host): Promise<void> {
  const { stdout, stderr, code } = await run(host, 'uname -s');
  if (stdout.trimEnd().endsWith('Linux')) return;
  const found = plainText(
    stdout.trim().split('\n').at(-1) || stderr.trim().split('\n').at(-1) || 'no answer',
    80,
  );
  const { usage: exitCode } = exitCodes;
  if (code !== 0 && code !== 127 && !/not (?:found|recognized)/i.test(stderr)) {
    // nologin, a ForceCommand, a server for sftp only: it did not get as far as to be asked.
    throw new FiredupError('no-shell', `${host.label} runs no commands for this login: ${found}`, {
      exitCode,
      hint: 'firedup needs a login with a shell there. Is it the right user?',
    });
  }
  throw new FiredupError('not-linux', `${host.label} is not a Linux host (uname -s: ${found}).`, {
    exitCode,
    hint: 'firedup reads /proc on the host; other systems are not supported.',
  });
}
