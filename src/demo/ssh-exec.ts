import { spawn } from 'node:child_process';
import type { ServerChannel, Session } from 'ssh2';

export interface ExecOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What ends the commands that run now. */
  readonly running: Set<() => void>;
  /** Called once when the channel is gone and its command has ended: until then the session counts. */
  readonly onClosed: () => void;
}

/** Serves one session channel: one command, run as sshd runs it when no terminal was asked for. */
export function runExec(session: Session, options: ExecOptions): void {
  let started = false;
  session.on('pty', (_accept, reject) => reject?.());
  session.on('env', (_accept, reject) => reject?.());
  session.on('shell', (_accept, reject) => reject?.());
  session.on('exec', (accept, reject, { command }) => {
    if (started) return reject();
    started = true;
    run(session, accept(), command, options);
  });
  session.on('close', () => {
    if (!started) options.onClosed();
  });
}

/**
 * The command has its own session and process group. Closing the channel ends its stdin and its outputs lead
 * nowhere from then on, but nothing is killed: that is how sshd treats a command without a terminal.
 */
function run(session: Session, channel: ServerChannel, command: string, options: ExecOptions): void {
  const child = spawn('/bin/sh', ['-c', command], {
    env: { ...options.env },
    cwd: options.cwd,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const kill = (signal: NodeJS.Signals): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signal);
    } catch {
      // The group is gone already.
    }
  };
  const end = (): void => kill('SIGKILL');
  options.running.add(end);
  session.on('signal', (accept, reject, { name }) => {
    if (!/^[A-Z0-9]+$/.test(name)) return reject?.();
    accept?.();
    kill(`SIG${name}` as NodeJS.Signals);
  });

  channel.pipe(child.stdin);
  child.stdout.pipe(channel, { end: false });
  child.stderr.pipe(channel.stderr, { end: false });
  for (const stream of [channel, channel.stderr, child.stdin, child.stdout, child.stderr])
    stream.on('error', () => {});

  channel.on('close', () => {
    // Like sshd, let go of the pipes: the command learns of it by EOF, and by EPIPE when it writes.
    child.stdin.destroy();
    child.stdout.destroy();
    child.stderr.destroy();
  });
  child.on('error', () => reportExit(channel, 127, null));
  child.on('exit', (code, signal) => {
    options.running.delete(end);
    reportExit(channel, code, signal);
  });
  // `close` comes when both outputs have ended, which a background child that holds them may put off.
  child.on('close', () => {
    channel.end();
    channel.close();
    options.onClosed();
  });
}

/** At once, as sshd does it: output of the command may still follow. */
function reportExit(channel: ServerChannel, code: number | null, signal: NodeJS.Signals | null): void {
  if (!channel.writable) return;
  if (signal === null) channel.exit(code ?? 0);
  else channel.exit(signal.replace(/^SIG/, ''), false, '');
}
