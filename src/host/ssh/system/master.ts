import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectionError, describeError, type FiredupError, usageError } from '../../../errors.js';
import { interrupted } from '../../failures.js';
import type { LinkLoss } from '../../host.js';
import { onAbort } from '../../on-abort.js';
import type { Prompts } from '../../prompts.js';
import type { HostSpec } from '../../spec.js';
import type { Environment } from '../config.js';
import { sshWords } from '../ssh-words.js';
import type { AliveLimits } from '../watchdog.js';
import { startAskpass } from './askpass.js';
import { explainSsh, lossReason } from './explain.js';
import { unsharedSpec } from './unshared-config.js';

/** One `ssh` that is logged in and lets others ride on its connection (ControlMaster). */
export interface Master {
  /** Its control socket. */
  readonly socket: string;
  /** A folder of our own for files of its clients. */
  readonly folder: string;
  readonly env: Environment;
  /** How many characters it has said on stderr so far, and what came after so many. */
  said(): number;
  saidSince(count: number): string;
  loss(): LinkLoss | null;
  onDown(listener: (loss: LinkLoss) => void): () => void;
  close(): Promise<void>;
}

export interface MasterOptions {
  readonly spec: HostSpec;
  readonly prompts: Prompts;
  readonly env: Environment;
  readonly alive: AliveLimits;
  /** Null: as the ssh config says. */
  readonly connectTimeoutMs: number;
  readonly connectionAttempts: number;
  readonly strict: 'refuse' | 'ask' | 'accept';
  readonly forks: boolean;
  /** Whether there are jump hosts. */
  readonly jumps: boolean;
  readonly notice: (text: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Logs in by the system's ssh, which reads the user's config itself. Rejects with `FiredupError` (the codes of the ssh2
 * side where ssh's words tell them, else `ssh-failed`), `login-timeout`, `interrupted`. Whatever happens to this
 * process, the ssh ends with it.
 */
export async function openMaster(options: MasterOptions): Promise<Master> {
  const { spec, prompts, signal } = options;
  const folder = mkdtempSync(join(socketBase(options.env), 'firedup-'));
  const socket = join(folder, 'c');
  let rearm = () => {};
  let pause = () => {};
  const askpass = prompts.canAsk
    ? await startAskpass({
        folder,
        prompts,
        notice: options.notice,
        async asking(question) {
          pause();
          try {
            return await question;
          } finally {
            rearm();
          }
        },
      })
    : null;
  const env = { ...options.env, ...(askpass?.env ?? { SSH_ASKPASS_REQUIRE: 'never' }) };
  const way = options.jumps ? unsharedSpec(folder, spec) : spec;
  const child = spawn(
    '/bin/sh',
    ['-c', guard, folder, 'ssh', ...masterWords(options, socket), ...sshWords(way)],
    {
      env,
      stdio: ['pipe', 'ignore', 'pipe'],
      // Without a terminal of its own it cannot ask there, and Ctrl-C on ours does not reach it.
      detached: true,
    },
  );
  let stderr = '';
  let said = 0;
  child.stdin.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-8192);
    said += text.length;
  });
  const listeners = new Set<(loss: LinkLoss) => void>();
  let loss: LinkLoss | null = null;
  let closing = false;
  let up = false;
  const clean = () => {
    askpass?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const gone = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  }).then(() => {
    child.stdin.destroy();
    clean();
    if (!up || closing) return;
    loss = { reason: lossReason(stderr, options.alive.silentMs) };
    for (const listener of listeners) listener(loss);
    listeners.clear();
  });
  const end = async () => {
    closing = true;
    child.stdin.end();
    const timer = setTimeout(() => killGroup(child.pid), politeMs);
    await gone;
    clearTimeout(timer);
  };

  const failure = await new Promise<FiredupError | null>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const limitMs = options.connectionAttempts * (options.connectTimeoutMs + 1000) + loginMs;
    pause = () => clearTimeout(timer);
    rearm = () => {
      clearTimeout(timer);
      timer = setTimeout(
        () => settle(connectionError('login-timeout', `${spec.label} does not answer the login.`)),
        limitMs,
      );
    };
    const settle = (error: FiredupError | null) => {
      clearTimeout(timer);
      clearInterval(looks);
      off();
      rearm = () => {};
      resolve(error);
    };
    // It appears, listening already, once the login is through.
    const looks = setInterval(() => existsSync(socket) && settle(null), lookMs);
    let off = () => {};
    rearm();
    void gone.then(() => settle(refusalOf(askpass?.refusal()) ?? explainSsh(spec.label, stderr)));
    off = onAbort(signal, () => settle(interrupted(`The login to ${spec.label}`)));
  });
  if (failure !== null) {
    await end();
    throw failure;
  }
  up = true;
  askpass?.close();
  const added = /Permanently added .*/.exec(stderr)?.[0];
  if (added !== undefined) options.notice(added.trim());

  return {
    socket,
    folder,
    env,
    said: () => said,
    saidSince: (count) => (said > count ? stderr.slice(-(said - count)) : ''),
    loss: () => loss,
    onDown(listener) {
      const already = loss;
      if (already !== null) queueMicrotask(() => listeners.delete(listener) && listener(already));
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: end,
  };
}

/**
 * Runs its arguments until they end or our side of stdin is closed, be it that this process was killed; then removes the
 * folder that is its name.
 */
const guard = [
  'exec 3<&0',
  '"$@" </dev/null 3<&- & ssh=$!',
  '{ cat <&3 >/dev/null; kill "$ssh"; } 2>/dev/null & watch=$!',
  'exec 3<&-',
  'wait "$ssh"',
  'kill "$watch" 2>/dev/null',
  'rm -rf "$0"',
].join('\n');

/** Options on the command line win over the user's config. */
function masterWords(
  { alive, connectTimeoutMs, strict, forks, prompts }: MasterOptions,
  socket: string,
): string[] {
  const options = [
    'ControlMaster=yes',
    `ControlPath=${socket.replaceAll('%', '%%')}`,
    'ControlPersist=no',
    // Before OpenSSH 8.7 there is no such option, and a word that ssh does not know ends it.
    ...(forks ? ['ForkAfterAuthentication=no'] : []),
    'RemoteCommand=none',
    'RequestTTY=no',
    'ClearAllForwardings=yes',
    'PermitLocalCommand=no',
    'ForwardAgent=no',
    'ForwardX11=no',
    'Tunnel=no',
    'LogLevel=INFO',
    `ConnectTimeout=${Math.ceil(connectTimeoutMs / 1000)}`,
    `ServerAliveInterval=${alive.intervalSeconds}`,
    `ServerAliveCountMax=${alive.countMax}`,
    // `no` would go on with a changed key.
    ...(strict === 'accept' ? ['StrictHostKeyChecking=accept-new'] : []),
    ...(prompts.canAsk ? [] : ['BatchMode=yes']),
  ];
  return ['-M', '-N', '-T', ...options.flatMap((option) => ['-o', option])];
}

/** A socket's path is at most 107 bytes long, and ssh adds 17 while it makes it. */
function socketBase(env: Environment): string {
  const base = [env.XDG_RUNTIME_DIR, tmpdir(), '/tmp'].find(
    (path) => path !== undefined && path !== '' && Buffer.byteLength(path) < 60 && existsSync(path),
  );
  if (base === undefined) throw usageError('There is no folder for the socket of ssh: set TMPDIR.');
  return base;
}

function refusalOf(error: unknown): FiredupError | null {
  if (error === null || error === undefined) return null;
  return connectionError('login-failed', describeError(error), undefined, error);
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
}

const lookMs = 15;
const loginMs = 30_000;
const politeMs = 1000;
