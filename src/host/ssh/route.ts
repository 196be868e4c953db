import type { Duplex } from 'node:stream';
import ssh2, { type ParsedKey } from 'ssh2';
import { connectionError, describeError, FiredupError, usageError } from '../../errors.js';
import type { Prompts } from '../prompts.js';
import type { HostSpec, TrustedServer } from '../spec.js';
import { parseHostLabel } from '../spec.js';
import { loginAuth } from './auth.js';
import { type Environment, resolveDestination } from './config.js';
import type { Destination } from './destination.js';
import { ForwardedStream } from './forwarded-stream.js';
import { collectIdentities, type Identities, memoryIdentity } from './identities.js';
import { algorithmOrder, hostName, judgeKey, keyType } from './known-hosts.js';
import { appendKnownHost, readKnownHosts } from './known-hosts-file.js';
import { type Link, type LinkLimits, openLink } from './link.js';
import { openProxyCommand, ProxyStream } from './proxy-command.js';
import { openTcp } from './transport.js';
import { type HostKeyRule, hostKeyVerifier } from './verify.js';

export interface RouteOptions {
  readonly prompts: Prompts;
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Told what the user should know and need not act on. */
  readonly notice: (text: string) => void;
  readonly limits?: LinkLimits;
}

/** The logged-in link to the host, and what ends it together with its jump hosts. */
export interface Route {
  readonly link: Link;
  close(): Promise<void>;
}

/** Connects hop by hop; each hop is resolved, verified and logged in to on its own. Undoes all when one fails. */
export async function openRoute(spec: HostSpec, options: RouteOptions): Promise<Route> {
  const hops =
    spec.trusted === undefined ? await hopsTo(spec, options.env) : [trustedHop(spec, spec.trusted)];
  const links: Link[] = [];
  const close = async () => {
    // From the far end: the inner connections ride on the outer ones.
    for (const link of links.toReversed()) await link.close();
  };
  try {
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

interface Hop {
  readonly label: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly family: 0 | 4 | 6;
  readonly connectTimeoutMs: number;
  readonly proxyCommand: string | null;
  readonly notes: readonly string[];
  rule(options: RouteOptions): HostKeyRule;
  identities(prompts: Prompts): Promise<Identities>;
}

/** The jump hosts and the host itself. Only the first jump host follows its own ProxyJump, as with `ssh -J`. */
async function hopsTo(spec: HostSpec, env: Environment, depth = 0): Promise<readonly Hop[]> {
  if (depth > maxJumps) throw usageError(`The jump hosts to ${spec.label} go round in a circle.`);
  const destination = await resolveDestination(spec, env);
  const hops: Hop[] = [];
  for (const [index, jump] of destination.jumps.entries()) {
    // As ssh does: -F holds for all hops, -i, -p and -J for the last one only.
    const { jump: _jump, port: _port, identityFile: _identityFile, ...common } = spec;
    const jumpSpec = { ...common, label: jump };
    if (index === 0) hops.push(...(await hopsTo(jumpSpec, env, depth + 1)));
    else hops.push(configuredHop(await resolveDestination(jumpSpec, env)));
  }
  return [...hops, configuredHop(destination)];
}

const maxJumps = 8;

function configuredHop(destination: Destination): Hop {
  return {
    label: destination.label,
    host: destination.host,
    port: destination.port,
    user: destination.user,
    family: destination.family,
    connectTimeoutMs: destination.connectTimeoutMs,
    proxyCommand: destination.proxyCommand,
    notes: destination.notes,
    rule: (options) => configuredRule(destination, options),
    identities: (prompts) => collectIdentities(destination, prompts),
  };
}

function configuredRule(destination: Destination, options: RouteOptions): HostKeyRule {
  const who = hostName(destination.host, destination.port, destination.hostKeyAlias);
  const known = readKnownHosts([...destination.userKnownHosts, ...destination.globalKnownHosts], who);
  return {
    name: who.name,
    algorithms: algorithmOrder(known),
    judge: (key) => judgeKey(known, key),
    unknown: destination.unknownKeys,
    confirm: (question) => options.prompts.confirmHostKey(question),
    remember(key) {
      const file = destination.userKnownHosts[0];
      if (file === undefined) return;
      try {
        appendKnownHost(file, who.name, key, destination.hashKnownHosts);
        options.notice(`The ${keyType(key)} key of ${who.name} was added to ${file}.`);
      } catch (error) {
        options.notice(`The key of ${who.name} could not be added to ${file}: ${describeError(error)}`);
      }
    },
  };
}

/** A server of our own: one known key, one login key, no files. */
function trustedHop(spec: HostSpec, trusted: TrustedServer): Hop {
  const { user, host, port } = parseHostLabel(spec.label);
  const hostKey = mustParse(trusted.hostKey, 'host key').getPublicSSH();
  const login = mustParse(trusted.privateKey, 'login key');
  const entry = {
    file: 'memory',
    line: 1,
    marker: 'plain',
    type: keyType(hostKey) ?? '',
    key: hostKey,
    withoutPort: false,
  } as const;
  return {
    label: spec.label,
    host,
    port: spec.port ?? port ?? 22,
    user: user ?? 'firedup',
    family: 0,
    connectTimeoutMs: 10_000,
    proxyCommand: null,
    notes: [],
    rule: () => ({
      name: spec.label,
      algorithms: algorithmOrder([entry]),
      judge: (key) => judgeKey([entry], key),
      unknown: 'refuse',
      confirm: async () => false,
      remember: () => {},
    }),
    identities: async () => ({ keys: [memoryIdentity('the key given', login)], notes: [] }),
  };
}

function mustParse(text: string, what: string): ParsedKey {
  const parsed = ssh2.utils.parseKey(text);
  if (parsed instanceof Error) throw new Error(`The ${what} given cannot be used: ${parsed.message}`);
  return parsed;
}

async function transportTo(hop: Hop, via: Link | undefined, options: RouteOptions): Promise<Duplex> {
  if (via === undefined) {
    return hop.proxyCommand === null
      ? openTcp({ ...hop, timeoutMs: hop.connectTimeoutMs }, options.signal)
      : openProxyCommand(hop.proxyCommand, options.env);
  }
  return new Promise((resolve, reject) => {
    const failed = (words: string, cause?: unknown) =>
      reject(
        connectionError(
          'jump-failed',
          `The jump host does not reach ${hop.host}:${hop.port}: ${words}`,
          undefined,
          cause,
        ),
      );
    const timer = setTimeout(() => failed('no answer'), hop.connectTimeoutMs);
    const off = via.onDown((loss) => failed(loss.reason));
    via.client.forwardOut('127.0.0.1', 0, hop.host, hop.port, (error, channel) => {
      clearTimeout(timer);
      off();
      if (error === undefined) resolve(new ForwardedStream(channel));
      else failed(describeError(error), error);
    });
  });
}

async function logIn(hop: Hop, transport: Duplex, options: RouteOptions): Promise<Link> {
  try {
    const rule = hop.rule(options);
    const identities = await hop.identities(options.prompts);
    const { prompts, signal } = options;
    return await openLink(
      {
        label: hop.label,
        transport,
        user: hop.user,
        algorithms: rule.algorithms,
        verifier: hostKeyVerifier(rule),
        auth: (asking) => loginAuth({ user: hop.user, host: hop.label, identities, prompts, asking }),
        ...(options.limits === undefined ? {} : { limits: options.limits }),
      },
      signal,
    );
  } catch (error) {
    transport.destroy();
    if (transport instanceof ProxyStream && transport.complaint !== null)
      options.notice(`ProxyCommand: ${transport.complaint}`);
    throw error instanceof FiredupError
      ? error
      : connectionError('login-failed', describeError(error), undefined, error);
  }
}
