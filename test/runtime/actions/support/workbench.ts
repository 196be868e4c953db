import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../../../src/host/host.js';
import { localHost } from '../../../../src/host/local.js';
import type { KillTarget } from '../../../../src/runtime/actions/kill-target.js';

/** A folder with a state folder in it, a host, and the duty to end what was started. */
export interface Workbench {
  readonly host: Host;
  readonly folder: string;
  path(name: string): string;
  write(name: string, text: string): string;
  read(name: string): string;
  /** Remembers a process that must not outlive the test. */
  adopt(pid: number): void;
  close(): Promise<void>;
}

export function workbench(host: Host = localHost()): Workbench {
  const folder = mkdtempSync(join(tmpdir(), 'firedup actions-'));
  const before = process.env.XDG_STATE_HOME;
  process.env.XDG_STATE_HOME = join(folder, 'state');
  const adopted: { pid: number; startTicks: string }[] = [];
  const path = (name: string) => join(folder, name);
  return {
    host,
    folder,
    path,
    write(name, text) {
      writeFileSync(path(name), text);
      return path(name);
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    adopt(pid) {
      const startTicks = startTicksOf(pid);
      if (startTicks !== null) adopted.push({ pid, startTicks });
    },
    async close() {
      for (const { pid, startTicks } of adopted)
        if (startTicksOf(pid) === startTicks) process.kill(pid, 'SIGKILL');
      await host.close();
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Field 22 of `/proc/PID/stat`; null when there is no such process, or only its zombie. */
export function startTicksOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    return fields[0] === 'Z' && Number(fields[17]) <= 1 ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}

export const isAlive = (pid: number): boolean => startTicksOf(pid) !== null;

export function targetOf(pid: number): KillTarget {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return { pid, startTicks: startTicksOf(pid) ?? 'none', bootId };
}

/** Waits until `condition` gives something; fails after `limitMs`. */
export async function until<T>(
  what: string,
  condition: () => T | null | undefined | false,
  limitMs = 20_000,
): Promise<T> {
  for (const end = Date.now() + limitMs; ; ) {
    const value = condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The content of a file once it is there and not empty. */
export const content = (path: string): Promise<string> =>
  until(`content in ${path}`, () => existsSync(path) && readFileSync(path, 'utf8'));

/** Command lines of all processes, as `ps` shows them. */
export function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');
}
