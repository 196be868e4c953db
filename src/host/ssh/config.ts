import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { usageError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { type HostSpec, isPort, parseHostLabel } from '../spec.js';
import type { Destination } from './destination.js';
import { expandPath, expandTokens, type TokenValues } from './tokens.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the user's ssh config says of the host in `spec`, by asking `ssh -G`: so Include, Match, CanonicalizeHostname
 * and first-match-wins are ssh's own. Without an ssh program the label alone counts, and a note says so.
 * Throws a usage error for a bad name, a bad config (in ssh's words) or a missing `-i` file.
 */
export async function resolveDestination(spec: HostSpec, env: Environment): Promise<Destination> {
  const label = parseHostLabel(spec.label);
  const port = spec.port ?? label.port;
  if (port !== null && !isPort(port)) throw usageError(`${port} is not a port number (1 to 65535).`);
  if (spec.identityFile !== undefined) mustBeReadable(spec.identityFile, 'key');
  if (spec.configFile !== undefined && spec.configFile !== 'none')
    mustBeReadable(spec.configFile, 'ssh config');
  const args = ['-T', '-G'];
  if (spec.configFile !== undefined) args.push('-F', spec.configFile);
  if (spec.identityFile !== undefined) args.push('-i', spec.identityFile);
  if (port !== null) args.push('-p', String(port));
  if (label.user !== null) args.push('-l', label.user);
  if (spec.jump !== undefined) args.push('-J', spec.jump);
  // `--`: no host name is ever an option.
  const answer = await askSsh([...args, '--', label.host], env);
  if (answer === null) return plainDestination(spec, port, env);
  return destinationOf(spec, label.host, parseAnswer(answer), env);
}

type Answer = ReadonlyMap<string, readonly string[]>;

/** `key value` lines; keys are lower case, and repeat where there are several values. */
function parseAnswer(text: string): Answer {
  const answer = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const blank = line.indexOf(' ');
    if (blank < 0) continue;
    const key = line.slice(0, blank);
    answer.set(key, [...(answer.get(key) ?? []), line.slice(blank + 1)]);
  }
  return answer;
}

function destinationOf(spec: HostSpec, originalHost: string, answer: Answer, env: Environment): Destination {
  const one = (key: string) => answer.get(key)?.[0] ?? null;
  const given = (key: string) => (one(key) === 'none' ? null : one(key));
  const host = one('hostname') ?? originalHost;
  const port = Number(one('port') ?? 22);
  const user = one('user') ?? userInfo().username;
  const values: TokenValues = { originalHost, host, port, user, hostKeyAlias: one('hostkeyalias'), env };
  const expand = (path: string) => expandPath(path, values);

  const proxyCommand = given('proxycommand');
  const seconds = Number(given('connecttimeout') ?? Number.NaN);
  return {
    label: spec.label,
    host,
    port,
    user,
    family: one('addressfamily') === 'inet' ? 4 : one('addressfamily') === 'inet6' ? 6 : 0,
    hostKeyAlias: one('hostkeyalias'),
    userKnownHosts: pathList(one('userknownhostsfile')).map(expand),
    globalKnownHosts: pathList(one('globalknownhostsfile')).map(expand),
    unknownKeys: spec.acceptNew === true ? 'accept' : unknownKeys(one('stricthostkeychecking')),
    hashKnownHosts: one('hashknownhosts') === 'yes',
    identityFiles: (answer.get('identityfile') ?? []).filter((path) => path !== 'none').map(expand),
    identitiesOnly: one('identitiesonly') === 'yes',
    agentSocket: agentSocket(one('identityagent'), expand, env),
    connectTimeoutMs: seconds > 0 ? seconds * 1000 : connectTimeoutMs,
    jumps:
      given('proxyjump')
        ?.split(',')
        .map((hop) => hop.replace(/^ssh:\/\//, '')) ?? [],
    proxyCommand: proxyCommand === null ? null : expandTokens(proxyCommand, values),
    notes: unsupported.filter(([key]) => given(key) !== null).map(([, note]) => note),
  };
}

/** What would change the login, and is not done. */
const unsupported: readonly (readonly [option: string, note: string])[] = [
  [
    'certificatefile',
    'The ssh config names a CertificateFile, which is not supported; plain keys are tried.',
  ],
  ['revokedhostkeys', 'The ssh config names RevokedHostKeys, which are not checked; @revoked lines are.'],
  [
    'knownhostscommand',
    'The ssh config names a KnownHostsCommand, which is not run; its keys count as unknown.',
  ],
];

/** Without an ssh program: the words of the label and ssh's own defaults. */
function plainDestination(spec: HostSpec, port: number | null, env: Environment): Destination {
  const { user, host } = parseHostLabel(spec.label);
  const folder = join(userInfo().homedir, '.ssh');
  const defaults = ['id_rsa', 'id_ecdsa', 'id_ed25519'].map((name) => join(folder, name));
  return {
    label: spec.label,
    host,
    port: port ?? 22,
    user: user ?? userInfo().username,
    family: 0,
    hostKeyAlias: null,
    userKnownHosts: [join(folder, 'known_hosts'), join(folder, 'known_hosts2')],
    globalKnownHosts: ['/etc/ssh/ssh_known_hosts', '/etc/ssh/ssh_known_hosts2'],
    unknownKeys: spec.acceptNew === true ? 'accept' : 'ask',
    hashKnownHosts: false,
    identityFiles: spec.identityFile === undefined ? defaults : [spec.identityFile],
    identitiesOnly: false,
    agentSocket: env.SSH_AUTH_SOCK ?? null,
    connectTimeoutMs,
    jumps: spec.jump?.split(',') ?? [],
    proxyCommand: null,
    notes: ['No ssh program was found, so ssh_config is not read: aliases and options in it do not count.'],
  };
}

// ssh waits for the system's own limit, over two minutes; nobody looks at a screen that long.
const connectTimeoutMs = 10_000;

/** `ssh -G`'s answer; null when there is no ssh program. */
function askSsh(args: readonly string[], env: Environment): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...env }, timeout: 10_000, maxBuffer: 4 * 1024 * 1024 };
    execFile('ssh', [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout);
      if (error.code === 'ENOENT') return resolve(null);
      const words = plainText(stderr.trim().split('\n')[0] ?? '') || 'ssh -G gave no answer in time';
      reject(usageError(`The ssh config cannot be used: ${words}`));
    });
  });
}

function mustBeReadable(path: string, what: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw usageError(`The ${what} file ${path} cannot be read.`);
  }
}

function unknownKeys(strict: string | null): Destination['unknownKeys'] {
  switch (strict) {
    case 'true':
    case 'yes':
      return 'refuse';
    case 'accept-new':
    case 'false':
    case 'no':
    case 'off':
      return 'accept';
    default:
      return 'ask';
  }
}

function agentSocket(
  value: string | null,
  expand: (path: string) => string,
  env: Environment,
): string | null {
  if (value === 'none') return null;
  if (value === null || value === 'SSH_AUTH_SOCK') return env.SSH_AUTH_SOCK || null;
  return (value.startsWith('$') ? env[value.slice(1)] : expand(value)) || null;
}

/** One space-joined line; a path with blanks in it is put together again, since paths begin with `/`, `~`, `%` or `$`. */
function pathList(line: string | null): readonly string[] {
  const paths: string[] = [];
  for (const word of line?.split(' ') ?? []) {
    const last = paths.length - 1;
    if (/^[/~%$]/.test(word) || last < 0) paths.push(word);
    else paths[last] = `${paths[last]} ${word}`;
  }
  return paths.filter((path) => path !== 'none');
}
