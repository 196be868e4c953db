import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { pids, statOf } from './processes.js';

/** A program on a terminal of its own. */
export interface UnderScript {
  /** util-linux's `script`; what it runs has the terminal. */
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  /** Everything that reached the terminal so far. */
  readonly bytes: () => Buffer;
  /** The same as text, from a character on. */
  readonly text: (from?: number) => string;
  readonly ended: Promise<void>;
  /** Pid of the program: `script` runs a shell, which becomes it. */
  readonly pid: () => number;
}

/** Runs `words` on a terminal of that size, which `script` makes, outside of any tmux. The caller ends it. */
export function underScript(
  words: readonly string[],
  [columns, rows]: readonly [number, number],
  env: NodeJS.ProcessEnv = {},
): UnderScript {
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn('script', ['-qfec', `stty cols ${columns} rows ${rows}; exec ${line}`, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', CI: 'false', TMUX: '', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const bytes = (): Buffer => Buffer.concat(parts);
  return {
    child,
    bytes,
    text: (from = 0) => bytes().toString('utf8').slice(from),
    ended: new Promise<void>((resolve) => child.once('close', () => resolve())),
    pid: () => childOf(child.pid),
  };
}

function childOf(parent: number | undefined): number {
  const found = pids().find((pid) => statOf(pid)?.[1] === String(parent));
  if (found === undefined) throw new Error(`script (${parent}) runs nothing`);
  return found;
}
