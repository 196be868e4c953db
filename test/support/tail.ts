import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { localState } from './program.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

/** `firedup tail` of the built program, its standard output taken as bytes. */
export interface Tail {
  readonly pid: number;
  readonly bytes: () => Buffer;
  readonly length: () => number;
  readonly stderr: () => string;
  readonly waitForBytes: (count: number, limitMs?: number) => Promise<void>;
  readonly waitForError: (pattern: RegExp, limitMs?: number) => Promise<void>;
  /** Until its remote scripts have had the time to start: a beat without output. */
  readonly waitUntilQuiet: () => Promise<void>;
  readonly ended: (limitMs?: number) => Promise<number>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Starts to read, where it was started `paused`. */
  readonly read: () => void;
  /** Closes the reading end of its output. */
  readonly closeReader: () => void;
  readonly stop: () => Promise<void>;
}

export interface TailOptions {
  /** Reads nothing at first. */
  readonly paused?: boolean;
  /** A file descriptor for its output instead of a pipe. */
  readonly stdout?: number;
  /** Takes the output instead of `bytes`. */
  readonly onBytes?: (bytes: Buffer) => void;
}

/** Starts `firedup tail ARGS`. The caller stops it. */
export function startTail(args: readonly string[], options: TailOptions = {}): Tail {
  const child = spawn(process.execPath, [bin, 'tail', ...args], {
    env: { ...process.env, XDG_STATE_HOME: localState(), CI: 'false' },
    stdio: ['ignore', options.stdout ?? 'pipe', 'pipe'],
  });
  const parts: Buffer[] = [];
  let length = 0;
  let errors = '';
  const read = (): void => {
    child.stdout?.on('data', (part: Buffer) => {
      length += part.length;
      if (options.onBytes) options.onBytes(part);
      else parts.push(part);
    });
  };
  if (!options.paused) read();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  let code: number | null = null;
  const exit = new Promise<number>((resolve) => {
    child.once('exit', (status, signal) => {
      const ended = (): void => {
        code = status ?? (signal === 'SIGINT' ? 130 : 128);
        resolve(code);
      };
      // All that it wrote has been read when its output is closed; one that we closed never says so.
      if (child.stdout === null || child.stdout.destroyed || child.stdout.readableEnded) ended();
      else child.stdout.once('close', ended);
    });
  });
  const wait = async (condition: () => boolean, what: string, limitMs = 60_000): Promise<void> => {
    const end = Date.now() + limitMs;
    while (!condition()) {
      if (Date.now() > end || (code !== null && !condition())) {
        throw new Error(`${what} never came (exit ${code}); ${length} bytes, stderr: ${errors}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };

  return {
    pid: child.pid ?? 0,
    bytes: () => Buffer.concat(parts),
    length: () => length,
    stderr: () => errors,
    waitForBytes: (count, limitMs) => wait(() => length >= count, `byte ${count}`, limitMs),
    waitForError: (pattern, limitMs) => wait(() => pattern.test(errors), `stderr like ${pattern}`, limitMs),
    async waitUntilQuiet() {
      for (let before = -1; before !== length; ) {
        before = length;
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    },
    async ended(limitMs = 120_000) {
      const late = new Promise<never>((_, reject) => {
        setTimeout(() => reject(new Error(`still running; stderr: ${errors}`)), limitMs).unref();
      });
      return Promise.race([exit, late]);
    },
    signal: (name) => {
      child.kill(name);
    },
    read,
    closeReader: () => {
      child.stdout?.destroy();
    },
    async stop() {
      if (code !== null) return;
      child.stdout?.destroy();
      child.kill('SIGKILL');
      await exit;
    },
  };
}
