import type { Host } from './host.js';
import { type Keyring, keyring } from './keyring.js';
import { localHost } from './local.js';
import type { Prompts } from './prompts.js';
import type { HostSpec } from './spec.js';

export interface ConnectOptions {
  readonly prompts: Prompts;
  /** Keeps what was unlocked from one connection to the next; without it each one asks anew. */
  readonly keyring?: Keyring;
  /** Ends the attempt; afterwards it has no effect. */
  readonly signal?: AbortSignal;
  /** For SSH_AUTH_SOCK and the variables of the ssh config; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What the user should know and need not act on: a key was added, another transport was chosen. */
  readonly notice?: (text: string) => void;
}

/**
 * Opens the machine that `spec` names: this one, or one over a single SSH connection on which every command and
 * forwarded stream rides. Rejects with `FiredupError` (exit code 5, or 2 for a wrong name or config); `isFinal`
 * tells whether trying again can help, `openQuestion` what somebody must be asked.
 */
export async function connectHost(spec: HostSpec, options: ConnectOptions): Promise<Host> {
  if (spec.label === 'local') return localHost();
  // SSH costs Node some 60 ms to load.
  const { connectSsh } = await import('./ssh/connect-ssh.js');
  return connectSsh(spec, {
    prompts: options.prompts,
    keyring: options.keyring ?? keyring(),
    env: options.env ?? process.env,
    signal: options.signal ?? new AbortController().signal,
    notice: options.notice ?? (() => {}),
  });
}
