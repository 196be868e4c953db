import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { inputOf, type OutputStream, outputOf } from '../streams.js';
import type { Master } from './master.js';

/** One `ssh` that rides on a master's connection, once its channel is open. */
export interface MasterClient {
  readonly stdin: Writable;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Its exit code, and all that the ssh itself had to say: the remote's stderr is apart from that. */
  readonly closed: Promise<{ readonly code: number | null; readonly log: string }>;
  kill(): void;
}

/** Thrown when the channel was not opened; `log` holds ssh's words. */
export class ChannelRefused extends Error {
  readonly log: string;
  constructor(log: string) {
    super(log.split('\n').find((line) => /refused|failed/.test(line)) ?? 'the channel was not opened');
    this.log = log;
  }
}

let count = 0;

/**
 * Starts `ssh WORDS` on the master's socket and waits until the server has opened its channel. It never connects by
 * itself: what the master refuses ends at a ProxyCommand that fails.
 */
export async function openClient(master: Master, words: readonly string[]): Promise<MasterClient> {
  const path = join(master.folder, `log.${++count}`);
  const options = ['ControlMaster=no', 'ProxyCommand=false', 'LogLevel=DEBUG2'];
  const args = [
    '-F',
    'none',
    '-S',
    master.socket,
    '-E',
    path,
    '-T',
    ...options.flatMap((option) => ['-o', option]),
  ];
  // Its own group: Ctrl-C on our terminal must not reach it.
  const child = spawn('ssh', [...args, ...words], { env: { ...master.env }, detached: true });
  child.stdin.on('error', () => {});
  // At once: Node throws away what nobody listens to when the process ends.
  const stdout = outputOf(child.stdout);
  const stderr = outputOf(child.stderr);
  const stdin = inputOf(child.stdin);
  const closed = new Promise<{ readonly code: number | null; readonly log: string }>((resolve) => {
    child.once('error', () => resolve({ code: null, log: '' }));
    child.once('close', (code) => {
      resolve({ code, log: textOf(path) });
      rmSync(path, { force: true });
    });
  });
  let end: string | null = null;
  void closed.then(({ log }) => {
    end = log;
  });
  const kill = () => {
    child.kill('SIGTERM');
    stdout.end();
    stderr.end();
  };
  for (let waitMs = 2; ; waitMs = Math.min(waitMs * 1.5, 40)) {
    const log: string = end ?? textOf(path);
    if (/master session id/.test(log)) return { stdin, stdout, stderr, closed, kill };
    if (end !== null || /Session open refused|request(?:ed)? failed|refused/.test(log)) {
      kill();
      throw new ChannelRefused(log);
    }
    await Promise.race([closed, pause(waitMs)]);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Not yet there, or gone with the master's folder.
    return '';
  }
}
