import { connectionError, FiredupError, usageError } from '../errors.js';
import type { Host } from './host.js';
import { type Keyring, keyring } from './keyring.js';
import { localHost } from './local.js';
import { LoginRefused } from './login-refused.js';
import { noPrompts, type Prompts } from './prompts.js';
import type { HostSpec } from './spec.js';
import type { Destination } from './ssh/destination.js';
import { configuredHop, trustedHop } from './ssh/hop.js';
import { readKeyFile } from './ssh/key-file.js';
import { destinationsTo, openRoute, type RouteOptions } from './ssh/route.js';
import { sshHost } from './ssh/ssh-host.js';
import { ssh2Transport } from './ssh/ssh2-transport.js';
import { openMaster } from './ssh/system/master.js';
import { nameRevocation } from './ssh/system/name-revocation.js';
import { systemTransport } from './ssh/system/system-transport.js';
import { whySystemSsh, whySystemSshAfter } from './ssh/why-system-ssh.js';

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
  const route: RouteOptions = {
    prompts: options.prompts,
    keyring: options.keyring ?? keyring(),
    env: options.env ?? process.env,
    signal: options.signal ?? new AbortController().signal,
    notice: options.notice ?? (() => {}),
  };
  if (spec.trusted !== undefined) {
    return sshHost(
      spec.label,
      ssh2Transport(await openRoute([trustedHop(spec, spec.trusted)], route)),
      false,
    );
  }
  const destinations = await destinationsTo(spec, route.env);
  return connectConfigured(spec, destinations, route);
}

async function connectConfigured(
  spec: HostSpec,
  destinations: readonly Destination[],
  options: RouteOptions,
): Promise<Host> {
  const hasSsh = destinations.every((destination) => destination.hasSsh);
  const bySsh = async (why: string | null): Promise<Host> => {
    if (why !== null) options.notice(`Connecting by the system's ssh: ${why}.`);
    return sshHost(spec.label, await systemConnection(spec, destinations, options), true);
  };
  if (spec.transport === 'ssh') {
    if (!hasSsh) throw usageError('--transport ssh needs an ssh program, and none was found.');
    return bySsh(null);
  }
  const isOpen = spec.transport === undefined;
  const why = isOpen ? await whySystemSsh(destinations) : null;
  if (why !== null && hasSsh) return bySsh(why);
  if (why !== null) options.notice(`There is no ssh program, which would be needed: ${why}.`);
  try {
    return sshHost(
      spec.label,
      ssh2Transport(await openRoute(destinations.map(configuredHop), options)),
      true,
    );
  } catch (error) {
    const whyNow = isOpen && hasSsh ? whySystemSshAfter(error, destinations, options.env) : null;
    if (whyNow === null) throw error;
    return bySsh(whyNow);
  }
}

async function systemConnection(spec: HostSpec, destinations: readonly Destination[], options: RouteOptions) {
  const target = destinations.at(-1);
  if (target === undefined) throw new Error('a route without hops');
  const prompts = target.batchMode ? noPrompts : options.prompts;
  const master = await openMaster({
    spec,
    prompts,
    env: options.env,
    alive: target.alive,
    connectTimeoutMs: target.connectTimeoutMs,
    connectionAttempts: target.connectionAttempts,
    strict: target.unknownKeys,
    forks: target.forks,
    jumps: destinations.length > 1,
    notice: options.notice,
    signal: options.signal,
  }).catch((error: unknown) => {
    throw nameRevocation(prompts.canAsk ? error : unanswered(error, target), destinations);
  });
  return systemTransport(master);
}

/** In BatchMode ssh does not say what it would have asked: that a key is locked, or a password wanted, must be seen by us. */
function unanswered(error: unknown, target: Destination): unknown {
  if (!(error instanceof FiredupError)) return error;
  if (error.code === 'host-key-unknown' && target.unknownKeys === 'ask') {
    const question = `Somebody must say whether the host key of ${target.label} is right.`;
    return connectionError(
      error.code,
      error.message,
      error.hint ?? undefined,
      new LoginRefused([], question),
    );
  }
  if (error.code !== 'login-failed') return error;
  const offered = /\(([a-z,-]+)\)\.?$/.exec(error.message)?.[1]?.split(',') ?? [];
  const locked = target.identityFiles.find((path) => {
    const file = readKeyFile(path);
    return file !== null && !(file instanceof Error) && file.encrypted;
  });
  const takesAnswers = offered.includes('password') || offered.includes('keyboard-interactive');
  const question =
    locked !== undefined
      ? `The key ${locked} needs a passphrase.`
      : takesAnswers
        ? `${target.label} asks for a password or a code.`
        : null;
  return connectionError(
    error.code,
    `${error.message.replace(/\.$/, '')}; nobody could be asked.`,
    locked === undefined ? (error.hint ?? undefined) : `Unlock the key first: ssh-add ${locked}`,
    new LoginRefused(offered, question),
  );
}
