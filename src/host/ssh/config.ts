import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { fileReason, usageError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { type HostSpec, isPort, parseHostLabel } from '../spec.js';
import { algorithmsOf } from './algorithms.js';
import type { Destination } from './destination.js';
import { loginMethods } from './login-methods.js';
import { onlySystemSsh } from './only-system-ssh.js';
import { optionName } from './option-names.js';
import { type ConfigAnswer, readSshConfig } from './read-ssh-config.js';
import { sshWords } from './ssh-words.js';
import { expandPath, expandTokens, type TokenValues } from './tokens.js';
import { aliveLimits } from './watchdog.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What the user's ssh config says of the host in `spec`, by asking `ssh -G`: so Include, Match, CanonicalizeHostname
 * and first-match-wins are ssh's own. Without an ssh program the config is read by us, and a note says what is left out.
 * Throws a usage error for a bad name, a bad config (in ssh's words) or a missing `-i` file.
 */
export async function resolveDestination(spec: HostSpec, env: Environment): Promise<Destination> {
  const label = parseHostLabel(spec.label);
  const port = spec.port ?? label.port;
  if (port !== null && !isPort(port)) throw usageError(`${port} is not a port number (1 to 65535).`);
  if (spec.identityFile !== undefined) mustBeReadable(spec.identityFile, 'key');
  // ssh would take the first word of one with blanks in it, and drop the rest.
  for (const jump of spec.jump?.split(',') ?? []) parseHostLabel(jump);
  if (spec.configFile !== undefined && spec.configFile !== 'none')
    mustBeReadable(spec.configFile, 'ssh config');
  const [answer, defaults] = await Promise.all([
    askSsh(['-T', '-G', ...sshWords(spec)], env),
    askSsh(['-T', '-G', '-F', 'none', '--', 'firedup'], env).catch(() => null),
  ]);
  const as = { spec, originalHost: label.host, env };
  if (answer !== null) {
    const usual = defaults === null ? null : parseAnswer(defaults);
    return destinationOf({ ...as, answer: parseAnswer(answer), defaults: usual, hasSsh: true });
  }
  const found = readSshConfig(spec, label.host);
  const { notes } = found;
  return { ...destinationOf({ ...as, answer: found.answer, defaults: null, hasSsh: false }), notes };
}

/** `key value` lines; keys are lower case, and repeat where there are several values. */
function parseAnswer(text: string): ConfigAnswer {
  const answer = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const blank = line.indexOf(' ');
    if (blank < 0) continue;
    const key = optionName(line.slice(0, blank));
    answer.set(key, [...(answer.get(key) ?? []), line.slice(blank + 1)]);
  }
  return answer;
}

interface Resolved {
  readonly spec: HostSpec;
  readonly originalHost: string;
  readonly answer: ConfigAnswer;
  /** What ssh says without any config; null where that is not known. */
  readonly defaults: ConfigAnswer | null;
  readonly env: Environment;
  readonly hasSsh: boolean;
}

function destinationOf({ spec, originalHost, answer, defaults, env, hasSsh }: Resolved): Destination {
  const one = (key: string) => answer.get(key)?.[0] ?? null;
  const given = (key: string) => (one(key) === 'none' ? null : one(key));
  const host = one('hostname') ?? originalHost;
  const port = Number(one('port') ?? 22);
  const user = one('user') ?? userInfo().username;
  const values: TokenValues = { originalHost, host, port, user, hostKeyAlias: one('hostkeyalias'), env };
  const expand = (path: string) => expandPath(path, values);

  const proxyCommand = given('proxycommand');
  const revoked = given('revokedhostkeys');
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
    revokedHostKeys: revoked === null ? null : expand(revoked),
    unknownKeys: spec.acceptNew === true ? 'accept' : unknownKeys(one('stricthostkeychecking')),
    hashKnownHosts: one('hashknownhosts') === 'yes',
    identityFiles: (answer.get('identityfile') ?? []).filter((path) => path !== 'none').map(expand),
    identitiesOnly: one('identitiesonly') === 'yes',
    certificateFiles: (answer.get('certificatefile') ?? []).filter((path) => path !== 'none').map(expand),
    methods: loginMethods(answer),
    algorithms: algorithmsOf(answer, defaults),
    requiredRsaBits: whole(one('requiredrsasize'), 1024),
    passwordTries: whole(one('numberofpasswordprompts'), 3),
    hostKeyDns: !['no', 'false', null].includes(one('verifyhostkeydns')),
    gssapi: one('gssapiauthentication') === 'yes',
    batchMode: one('batchmode') === 'yes',
    agentSocket: agentSocket(one('identityagent'), expand, env),
    connectTimeoutMs: seconds > 0 ? seconds * 1000 : connectTimeoutMs,
    connectionAttempts: whole(one('connectionattempts'), 1),
    handshakeMs: seconds > 0 ? seconds * 1000 : null,
    alive: aliveLimits(Number(one('serveraliveinterval') ?? 0), Number(one('serveralivecountmax') ?? 3)),
    jumps: given('proxyjump')?.split(',') ?? [],
    proxyCommand: proxyCommand === null ? null : expandTokens(proxyCommand, values),
    forks: one('forkafterauthentication') === 'yes',
    onlySystemSsh: onlySystemSsh(answer, defaults),
    hasSsh,
    notes: [],
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
  } catch (error) {
    const reason = fileReason(error as NodeJS.ErrnoException);
    throw usageError(`The ${what} file ${path} cannot be read: ${reason}.`);
  }
}

const whole = (text: string | null, usual: number): number =>
  text !== null && /^\d+$/.test(text) ? Number(text) : usual;

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
  // `$NAME` is the older form, of a whole path; `${NAME}` may stand within one.
  return (/^\$(?!\{)/.test(value) ? env[value.slice(1)] : expand(value)) || null;
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
