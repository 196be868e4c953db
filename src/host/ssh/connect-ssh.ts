import { connectionError, FiredupError, usageError } from '../../errors.js';
import type { Host } from '../host.js';
import { LoginRefused } from '../login-refused.js';
import { noPrompts } from '../prompts.js';
import type { HostSpec } from '../spec.js';
import type { Destination } from './destination.js';
import { configuredHop, trustedHop } from './hop.js';
import { readKeyFile } from './key-file.js';
import { destinationsTo, openRoute, type RouteOptions } from './route.js';
import { sshHost } from './ssh-host.js';
import { ssh2Transport } from './ssh2-transport.js';
import { openMaster } from './system/master.js';
import { nameRevocation } from './system/name-revocation.js';
import { systemTransport } from './system/system-transport.js';
import { whySystemSsh, whySystemSshAfter } from './why-system-ssh.js';

/** Opens another machine over one SSH connection, by ssh2 or by the system's ssh. Rejects as `connectHost` does. */
export async function connectSsh(spec: HostSpec, options: RouteOptions): Promise<Host> {
  if (spec.trusted !== undefined) {
    return sshHost(
      spec.label,
      ssh2Transport(await openRoute([trustedHop(spec, spec.trusted)], options)),
      false,
    );
  }
  const destinations = await destinationsTo(spec, options.env);
  return connectConfigured(spec, destinations, options);
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
