import type { Duplex } from 'node:stream';
import { connectionError, describeError, FiredupError, usageError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { noPrompts } from '../prompts.js';
import type { HostSpec } from '../spec.js';
import { nothingInCommon } from './algorithms.js';
import { loginAuth } from './auth.js';
import { type Environment, resolveDestination } from './config.js';
import type { Destination } from './destination.js';
import { ForwardedStream } from './forwarded-stream.js';
import type { Hop, HopOptions } from './hop.js';
import { type LinkLimits, openLink } from './link.js';
import type { Link } from './live-link.js';
import { opening, stopper } from './opening.js';
import { openProxyCommand, ProxyStream } from './proxy-command.js';
import { openTcp } from './transport.js';
import { hostKeyVerifier } from './verify.js';

export interface RouteOptions extends HopOptions {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly limits?: LinkLimits;
}

/** The logged-in link to the host, and what ends it together with its jump hosts. */
export interface Route {
  readonly link: Link;
  close(): Promise<void>;
}

/** Connects hop by hop; each is verified and logged in to on its own. Undoes all when one fails. */
export async function openRoute(hops: readonly Hop[], options: RouteOptions): Promise<Route> {
  const links: Link[] = [];
  const close = async () => {
    // From the far end: the inner connections ride on the outer ones.
    for (const link of links.toReversed()) await link.close();
  };
  try {
    for (const hop of hops) {
      const nothing = nothingInCommon(hop.label, hop.algorithms);
      if (nothing !== null) throw nothing;
    }
    for (const hop of hops) {
      for (const note of hop.notes) options.notice(note);
      const transport = await transportTo(hop, links.at(-1), options);
      links.push(await logIn(hop, transport, options));
    }
  } catch (error) {
    await close();
    throw error;
  }
  const link = links.at(-1);
  if (link === undefined) throw new Error('a route without hops');
  return { link, close };
}

/** The jump hosts and the host itself, each as the ssh config describes it. Only the first jump host follows its own ProxyJump, as with `ssh -J`. */
export async function destinationsTo(
  spec: HostSpec,
  env: Environment,
  depth = 0,
): Promise<readonly Destination[]> {
  if (depth > maxJumps) throw usageError(`The jump hosts to ${spec.label} go round in a circle.`);
  const destination = await resolveDestination(spec, env);
  const hops: Destination[] = [];
  for (const [index, jump] of destination.jumps.entries()) {
    // As ssh does: -F holds for all hops, -i, -p and -J for the last one only.
    const { jump: _jump, port: _port, identityFile: _identityFile, ...common } = spec;
    const jumpSpec = { ...common, label: jump };
    if (index === 0) hops.push(...(await destinationsTo(jumpSpec, env, depth + 1)));
    else hops.push(await resolveDestination(jumpSpec, env));
  }
  return [...hops, destination];
}

const maxJumps = 8;

async function transportTo(hop: Hop, via: Link | undefined, options: RouteOptions): Promise<Duplex> {
  if (via === undefined) {
    return hop.proxyCommand === null
      ? openTcp({ ...hop, timeoutMs: hop.connectTimeoutMs, attempts: hop.connectionAttempts }, options.signal)
      : openProxyCommand(hop.proxyCommand, options.env);
  }
  const failed = (words: string, cause?: unknown) =>
    connectionError(
      'jump-failed',
      `The jump host does not reach ${hop.host}:${hop.port}: ${words}`,
      undefined,
      cause,
    );
  const stops = stopper();
  const off = via.onDown((loss) => stops.stop(failed(loss.reason)));
  const limits = {
    ms: hop.connectTimeoutMs,
    late: () => failed('no answer'),
    stopper: stops,
    signal: options.signal,
  };
  try {
    // What opens too late goes down with the jump host's link.
    return await opening(limits, () => forwardThrough(via, hop, failed));
  } finally {
    off();
  }
}

function forwardThrough(
  via: Link,
  hop: Hop,
  failed: (words: string, cause?: unknown) => FiredupError,
): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    via.client.forwardOut('127.0.0.1', 0, hop.host, hop.port, (error, channel) => {
      if (error === undefined) resolve(new ForwardedStream(channel));
      else reject(failed(plainText(describeError(error)), error));
    });
  });
}

async function logIn(hop: Hop, transport: Duplex, options: RouteOptions): Promise<Link> {
  try {
    const prompts = hop.batchMode ? noPrompts : options.prompts;
    const { signal } = options;
    const rule = hop.rule({ ...options, prompts });
    const identities = await hop.identities({ ...options, prompts });
    return await openLink(
      {
        label: hop.label,
        transport,
        user: hop.user,
        algorithms: { ...hop.algorithms, hostKeys: rule.algorithms },
        verifier: hostKeyVerifier(rule),
        auth: (asking, announced) =>
          loginAuth({
            user: hop.user,
            host: hop.label,
            identities,
            prompts,
            asking,
            announced,
            methods: hop.methods,
            accepted: hop.algorithms.publicKeys,
            requiredRsaBits: hop.requiredRsaBits,
            passwordTries: hop.passwordTries,
          }),
        limits: {
          ...(hop.handshakeMs === null ? {} : { handshakeMs: hop.handshakeMs }),
          ...options.limits,
        },
        alive: hop.alive,
      },
      signal,
    );
  } catch (error) {
    transport.destroy();
    const complaint = transport instanceof ProxyStream ? await transport.complaint() : null;
    if (complaint !== null) options.notice(`ProxyCommand: ${complaint}`);
    throw error instanceof FiredupError
      ? error
      : connectionError('login-failed', describeError(error), undefined, error);
  }
}
