import { readFileSync } from 'node:fs';
import { packageFile } from '../../src/package-file.js';
import { statOf } from '../support/processes.js';
import { underScript } from '../support/under-script.js';

/** firedup on a terminal of its own, which util-linux's `script` makes, with what it writes and costs. */
export interface OnTerminal {
  readonly pid: number;
  /** From the start of the process to its first whole frame. */
  readonly firstFrameMs: number;
  press(keys: string): void;
  /** Ms until something matches that is written from now on; rejects after `limitMs`. */
  waitFor(pattern: RegExp, limitMs?: number): Promise<number>;
  /** Begins a measurement; the function gives what has come of it so far. */
  measure(): () => Cost;
  /** Resident memory now and at its highest (MiB). */
  memory(): { readonly rssMiB: number; readonly peakMiB: number };
  /** Everything written so far. */
  written(): string;
  close(): Promise<void>;
}

export interface Cost {
  readonly seconds: number;
  /** Share of one core, in percent: of the program alone, without what it runs on the host. */
  readonly cpuPercent: number;
  readonly bytesPerSecond: number;
  readonly framesPerSecond: number;
  /** Times that the whole screen was cleared. */
  readonly clears: number;
}

export async function openOnTerminal(
  args: readonly string[],
  size: readonly [number, number],
  env: NodeJS.ProcessEnv = {},
  /** For Node itself: `--cpu-prof` shows where the time goes. */
  nodeOptions: readonly string[] = [],
): Promise<OnTerminal> {
  const words = [process.execPath, ...nodeOptions, packageFile('bin/firedup.js'), ...args];
  const { child, ended, pid: pidOf } = underScript(words, size, env);
  let written = '';
  const waiting = new Set<() => void>();
  child.stdout.on('data', (bytes: Buffer) => {
    written += bytes.toString('latin1');
    for (const look of waiting) look();
  });

  const waitFor = (pattern: RegExp, limitMs = 30_000): Promise<number> => {
    const from = written.length;
    const began = performance.now();
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(limit);
        waiting.delete(look);
      };
      const look = (): void => {
        if (!pattern.test(written.slice(from))) return;
        done();
        resolve(performance.now() - began);
      };
      const limit = setTimeout(() => {
        done();
        reject(new Error(`nothing like ${pattern} was written: ${JSON.stringify(written.slice(-2000))}`));
      }, limitMs);
      waiting.add(look);
    });
  };
  const firstFrameMs = await waitFor(/\x1b\[\?1049h[\s\S]*? help/);
  const pid = pidOf();

  return {
    pid,
    firstFrameMs,
    press: (keys) => void child.stdin.write(keys),
    waitFor,
    measure() {
      const [at, cpu, from] = [performance.now(), cpuMs(pid), written.length];
      return () => {
        const seconds = (performance.now() - at) / 1000;
        const text = written.slice(from);
        return {
          seconds,
          cpuPercent: (cpuMs(pid) - cpu) / seconds / 10,
          bytesPerSecond: text.length / seconds,
          framesPerSecond: count(text, /\x1b\[\?2026h/g) / seconds,
          clears: count(text, /\x1b\[[23]J|\x1bc/g),
        };
      };
    },
    memory: () => ({ rssMiB: memoryMiB(pid, 'VmRSS'), peakMiB: memoryMiB(pid, 'VmHWM') }),
    written: () => written,
    async close() {
      child.stdin.write('\x03');
      await ended;
    },
  };
}

/** User and system time so far; ticks are of 10 ms on Linux. */
function cpuMs(pid: number): number {
  const stat = statOf(pid);
  return (Number(stat?.[11]) + Number(stat?.[12])) * 10;
}

function memoryMiB(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
