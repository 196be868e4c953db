import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

export interface Line {
  readonly text: string;
  /** Arrival, ms since the epoch. */
  readonly at: number;
}

/** The built program, run as users run it, with its own home and its output read line by line. */
export interface Program {
  readonly pid: number;
  readonly lines: readonly Line[];
  readonly stderr: () => string;
  /** The first line that matches, now or later; fails with all that was said when it does not come. */
  readonly waitFor: (pattern: RegExp, limitMs?: number) => Promise<Line>;
  /** Its exit code (128 + n for a signal) once it has ended. */
  readonly ended: (limitMs?: number) => Promise<number>;
  readonly signal: (name: NodeJS.Signals) => void;
}

export interface ProgramOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Fed to its standard input, which then ends; without it there is none. */
  readonly stdin?: string | Buffer;
  readonly nodeOptions?: readonly string[];
}

/** Starts `firedup ARGS`. What is still running when `stopPrograms` is called is ended. */
export function firedup(args: readonly string[], options: ProgramOptions = {}): Program {
  const child = spawn(process.execPath, [...(options.nodeOptions ?? []), bin, ...args], {
    env: { ...process.env, XDG_STATE_HOME: localState(), CI: 'false', ...options.env },
    stdio: [options.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  if (options.stdin !== undefined) child.stdin?.end(options.stdin);
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let pending = '';
  let errors = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (pending + chunk).split('\n');
    pending = parts.pop() ?? '';
    for (const text of parts) lines.push({ text, at: Date.now() });
    for (const look of waiting) look();
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const exit = new Promise<number>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve(code ?? 128 + (signalNumbers[signal ?? ''] ?? 0));
    });
  });
  const story = (): string =>
    `firedup ${args.join(' ')}\n${lines.map(({ text }) => text).join('\n')}\n${errors}`;

  return {
    pid: child.pid ?? 0,
    lines,
    stderr: () => errors,
    waitFor: (pattern, limitMs = 60_000) =>
      within(
        limitMs,
        () => `no line like ${pattern} in ${limitMs} ms of ${story()}`,
        (resolve, reject) => {
          const look = (): void => {
            const line = lines.find(({ text }) => pattern.test(text));
            if (!line) return;
            waiting.delete(look);
            resolve(line);
          };
          waiting.add(look);
          look();
          void exit.then((code) => {
            look();
            if (waiting.delete(look))
              reject(new Error(`ended with ${code} and no line like ${pattern}: ${story()}`));
          });
        },
      ),
    ended: (limitMs = 120_000) =>
      within(
        limitMs,
        () => `still running after ${limitMs} ms: ${story()}`,
        (resolve) => void exit.then(resolve),
      ),
    signal: (name) => {
      child.kill(name);
    },
  };
}

const running = new Set<ChildProcess>();
const signalNumbers: Readonly<Record<string, number>> = { SIGINT: 2, SIGKILL: 9, SIGTERM: 15, SIGHUP: 1 };
let state: string | null = null;

/** A state folder of the tests' own, so that nothing is written into the user's. */
export function localState(): string {
  state ??= mkdtempSync(join(tmpdir(), 'firedup-state-'));
  return state;
}

/** Ends what the tests left running, and removes the state folder. For `afterAll`. */
export async function stopPrograms(): Promise<void> {
  const left = [...running];
  await Promise.all(
    left.map((child) => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGTERM');
      const hard = setTimeout(() => child.kill('SIGKILL'), 20_000);
      return ended.finally(() => clearTimeout(hard));
    }),
  );
  // The supervisors of what was launched may still be writing down how it ended.
  if (state) rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  state = null;
}

function within<T>(
  limitMs: number,
  message: () => string,
  start: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message())), limitMs);
    start(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
