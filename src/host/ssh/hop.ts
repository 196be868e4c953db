import ssh2, { type ParsedKey } from 'ssh2';
import { describeError } from '../../errors.js';
import type { Keyring } from '../keyring.js';
import type { Prompts } from '../prompts.js';
import { type HostSpec, parseHostLabel, type TrustedServer } from '../spec.js';
import { type Algorithms, usualAlgorithms } from './algorithms.js';
import type { Destination } from './destination.js';
import { collectIdentities, type Identities, memoryIdentity } from './identities.js';
import { algorithmOrder, hostName, judgeKey, keyType } from './known-hosts.js';
import { appendKnownHost, readKnownHosts } from './known-hosts-file.js';
import { type LoginMethod, usualMethods } from './login-methods.js';
import { readRevokedKeys } from './revoked-keys.js';
import type { HostKeyRule } from './verify.js';
import { type AliveLimits, aliveLimits } from './watchdog.js';

/** One machine on the way, with its own address, host key rule and login keys. */
export interface Hop {
  readonly label: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly family: 0 | 4 | 6;
  readonly connectTimeoutMs: number;
  readonly connectionAttempts: number;
  readonly proxyCommand: string | null;
  readonly notes: readonly string[];
  readonly batchMode: boolean;
  readonly handshakeMs: number | null;
  readonly alive: AliveLimits;
  readonly methods: readonly LoginMethod[];
  readonly algorithms: Algorithms;
  readonly requiredRsaBits: number;
  readonly passwordTries: number;
  rule(options: HopOptions): HostKeyRule;
  identities(options: HopOptions): Promise<Identities>;
}

export interface HopOptions {
  readonly prompts: Prompts;
  readonly keyring: Keyring;
  /** Told what the user should know and need not act on. */
  readonly notice: (text: string) => void;
}

/** A machine as the user's ssh config describes it. */
export function configuredHop(destination: Destination): Hop {
  return {
    label: destination.label,
    host: destination.host,
    port: destination.port,
    user: destination.user,
    family: destination.family,
    connectTimeoutMs: destination.connectTimeoutMs,
    connectionAttempts: destination.connectionAttempts,
    proxyCommand: destination.proxyCommand,
    notes: destination.notes,
    batchMode: destination.batchMode,
    handshakeMs: destination.handshakeMs,
    alive: destination.alive,
    methods: destination.methods,
    algorithms: destination.algorithms,
    requiredRsaBits: destination.requiredRsaBits,
    passwordTries: destination.passwordTries,
    rule: (options) => configuredRule(destination, options),
    identities: (options) => collectIdentities(destination, options),
  };
}

function configuredRule(destination: Destination, options: HopOptions): HostKeyRule {
  const who = hostName(destination.host, destination.port, destination.hostKeyAlias);
  const known = readKnownHosts([...destination.userKnownHosts, ...destination.globalKnownHosts], who);
  const revoked = destination.revokedHostKeys === null ? [] : readRevokedKeys(destination.revokedHostKeys);
  return {
    name: who.name,
    algorithms: algorithmOrder(known, destination.algorithms.hostKeys),
    requiredRsaBits: destination.requiredRsaBits,
    judge: (key) => judgeKey([...known, ...revoked], key),
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
export function trustedHop(spec: HostSpec, trusted: TrustedServer): Hop {
  const { user, host, port } = parseHostLabel(spec.label);
  const hostKey = mustParse(trusted.hostKey, 'host key').getPublicSSH();
  const login = mustParse(trusted.privateKey, 'login key');
  const algorithms = usualAlgorithms();
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
    connectionAttempts: 1,
    proxyCommand: null,
    notes: [],
    batchMode: true,
    handshakeMs: null,
    alive: aliveLimits(0, 3),
    methods: usualMethods,
    algorithms,
    requiredRsaBits: 1024,
    passwordTries: 3,
    rule: () => ({
      name: spec.label,
      algorithms: algorithmOrder([entry], algorithms.hostKeys),
      requiredRsaBits: 1024,
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
