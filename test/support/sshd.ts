import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { pathOf } from './available.js';

export type HostKeyType = 'ed25519' | 'ecdsa' | 'rsa';

export interface SshdOptions {
  /** Extra lines of sshd_config, which win over ours; `%d/` in them is its folder. */
  readonly config?: readonly string[];
  /** Which host keys it has; ed25519 by default. */
  readonly hostKeys?: readonly HostKeyType[];
  /** Shows a certificate that `hostCa` has signed beside its ed25519 key. */
  readonly hostCertificate?: boolean;
}

/** A real OpenSSH server on a loopback port, with everything of its own in a temporary folder. */
export interface Sshd {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** sshd without root can only log in its own user, so it is always that one. */
  readonly user: string;
  readonly label: string;
  readonly folder: string;
  /** HOME of the commands; its `.bashrc` is empty at first. */
  readonly home: string;
  /** Private key file that `authorized_keys` holds. */
  readonly clientKey: string;
  readonly authorizedKeys: string;
  /** Private key file of an authority whose `user_ca.pub` TrustedUserCAKeys may name. */
  readonly userCa: string;
  /** Public key line of the authority that signs host keys. */
  readonly hostCa: string;
  /** Public host key lines, `type base64`, by type. */
  readonly hostKeys: Readonly<Partial<Record<HostKeyType, string>>>;
  /** The right known_hosts text, and a file with it. */
  readonly knownHosts: string;
  readonly knownHostsFile: string;
  /** Writes an ssh_config for `-F`, with the key, the known hosts and the port for every host; `lines` come first. */
  sshConfig(...lines: readonly string[]): string;
  /** The same, with `box` for this server as it is reached through a proxy's port. */
  configBehind(proxy: { readonly port: number }): string;
  /** What sshd has logged so far (LogLevel VERBOSE). */
  log(): string;
  stop(): Promise<void>;
}

/** Starts it and waits until it listens. The caller stops it. */
export async function startSshd(options: SshdOptions = {}): Promise<Sshd> {
  const folder = mkdtempSync(join(tmpdir(), 'firedup-sshd-'));
  const home = join(folder, 'home');
  mkdirSync(home);
  writeFileSync(join(home, '.bashrc'), '');
  const types = options.hostKeys ?? ['ed25519'];
  const hostKeys = Object.fromEntries(
    types.map((type) => [type, makeKey(join(folder, `host_${type}`), type)]),
  );
  const clientKey = join(folder, 'client');
  const authorizedKeys = join(folder, 'authorized_keys');
  writeFileSync(authorizedKeys, `${makeKey(clientKey, 'ed25519')}\n`, { mode: 0o600 });
  const userCa = join(folder, 'user_ca');
  makeKey(userCa);
  const hostCa = makeKey(join(folder, 'host_ca'));
  const config = (options.config ?? []).map((line) => line.replaceAll('%d/', `${folder}/`));
  if (options.hostCertificate === true) {
    const names = ['-h', '-n', '127.0.0.1', join(folder, 'host_ed25519.pub')];
    execFileSync('ssh-keygen', ['-q', '-s', join(folder, 'host_ca'), '-I', 'host', ...names]);
    config.push(`HostCertificate ${join(folder, 'host_ed25519-cert.pub')}`);
  }
  // Left behind by packages, needed by a root sshd on machines without a service manager.
  if (process.getuid?.() === 0 && !existsSync('/run/sshd')) mkdirSync('/run/sshd', { mode: 0o755 });

  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const started = await launch(folder, port, types, home, config);
    if (started === null && attempt < 5) continue;
    if (started === null) throw new Error('sshd found no free port');
    return server({ folder, home, port, hostKeys, clientKey, authorizedKeys, userCa, hostCa, started });
  }
}

/** Makes a key pair without a passphrase (or with one) and returns its public half, `type base64`. */
export function makeKey(
  path: string,
  type: HostKeyType = 'ed25519',
  passphrase = '',
  ...more: readonly string[]
): string {
  const size = type === 'rsa' ? ['-b', '2048'] : [];
  execFileSync('ssh-keygen', [
    '-q',
    '-t',
    type,
    ...size,
    '-N',
    passphrase,
    '-C',
    `test-${type}`,
    '-f',
    path,
    ...more,
  ]);
  return readFileSync(`${path}.pub`, 'utf8').trim().split(' ').slice(0, 2).join(' ');
}

/**
 * A port that nobody listens on, and that stays so: below those that the kernel gives to whoever asks for any
 * (`ip_local_port_range`), as other tests do all the time.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    const probe = net.createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false));
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly log: () => string;
}

async function launch(
  folder: string,
  port: number,
  types: readonly HostKeyType[],
  home: string,
  extra: readonly string[],
): Promise<Started | null> {
  const config = join(folder, 'sshd_config');
  // sshd heeds the first SetEnv alone. Without a HOME of its own a login would run this machine's rc files.
  const isEnv = (line: string): boolean => line.startsWith('SetEnv ');
  const env = extra.filter(isEnv).map((line) => line.slice('SetEnv '.length));
  const lines = [
    `SetEnv ${[...env, `HOME=${home}`].join(' ')}`,
    ...extra.filter((line) => !isEnv(line)),
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    ...types.map((type) => `HostKey ${join(folder, `host_${type}`)}`),
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PrintMotd no',
    'LogLevel VERBOSE',
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const sshd = pathOf('sshd');
  if (sshd === null) throw new Error('no sshd here');
  const child = spawn(sshd, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  // Also where a test ends without stopping it.
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.removeListener('exit', kill));
  let log = '';
  child.stderr?.setEncoding('utf8');
  const listening = await new Promise<boolean>((resolve, reject) => {
    child.stderr?.on('data', (text: string) => {
      log += text;
      if (/Server listening on/.test(log)) resolve(true);
    });
    child.once('error', reject);
    child.once('exit', () =>
      /in use|Cannot bind/.test(log) ? resolve(false) : reject(new Error(`sshd: ${log}`)),
    );
  });
  return listening ? { child, log: () => log } : null;
}

function server(parts: {
  readonly folder: string;
  readonly home: string;
  readonly port: number;
  readonly hostKeys: Partial<Record<HostKeyType, string>>;
  readonly clientKey: string;
  readonly authorizedKeys: string;
  readonly userCa: string;
  readonly hostCa: string;
  readonly started: Started;
}): Sshd {
  const { folder, port, started, hostKeys } = parts;
  const user = userInfo().username;
  const knownHosts = Object.values(hostKeys)
    .map((key) => `[127.0.0.1]:${port} ${key}\n`)
    .join('');
  const knownHostsFile = join(folder, 'known_hosts');
  writeFileSync(knownHostsFile, knownHosts, { mode: 0o600 });
  let configs = 0;
  const sshConfig = (...lines: readonly string[]): string => {
    const path = join(folder, `ssh_config.${++configs}`);
    const text = [
      ...lines,
      'Host *',
      `  User ${user}`,
      `  Port ${port}`,
      `  IdentityFile ${parts.clientKey}`,
      `  UserKnownHostsFile ${knownHostsFile}`,
      '  GlobalKnownHostsFile /dev/null',
    ];
    writeFileSync(path, `${text.join('\n')}\n`);
    chmodSync(path, 0o600);
    return path;
  };
  return {
    ...parts,
    host: '127.0.0.1',
    user,
    label: `${user}@127.0.0.1:${port}`,
    knownHosts,
    knownHostsFile,
    sshConfig,
    configBehind: (proxy) =>
      sshConfig(
        'Host box',
        '  HostName 127.0.0.1',
        `  Port ${proxy.port}`,
        `  HostKeyAlias [127.0.0.1]:${port}`,
      ),
    log: started.log,
    async stop() {
      if (started.child.exitCode === null && started.child.signalCode === null) {
        const gone = new Promise((resolve) => started.child.once('exit', resolve));
        started.child.kill('SIGTERM');
        await gone;
      }
      // What a login has started may still write into its home.
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
