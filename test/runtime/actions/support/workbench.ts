import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Host } from '../../../../src/host/host.js';
import { localHost } from '../../../../src/host/local.js';
import type { KillTarget } from '../../../../src/runtime/actions/kill-target.js';
import { commandLineOf, endProcess, environmentOf, pids, statOf } from '../../../support/processes.js';
import { realPython } from '../../../support/real-python.js';
import { until } from '../../../support/until.js';

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

export interface WorkbenchOptions {
  readonly host?: Host;
  /** What `sh` is on the host; with busybox all its other programs too. */
  readonly shell?: readonly string[];
}

export function workbench(options: WorkbenchOptions = {}): Workbench {
  const host = options.host ?? localHost();
  const folder = mkdtempSync(join(tmpdir(), 'firedup actions-'));
  const before = { XDG_STATE_HOME: process.env.XDG_STATE_HOME, PATH: process.env.PATH };
  process.env.XDG_STATE_HOME = join(folder, 'state');
  if (options.shell) process.env.PATH = `${programs(join(folder, 'bin'), options.shell)}:${before.PATH}`;
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
      for (const { pid, startTicks } of adopted) if (startTicksOf(pid) === startTicks) endProcess(pid);
      // Whoever else was born here has inherited the name of the state folder.
      for (const pid of carriersOf(`XDG_STATE_HOME=${join(folder, 'state')}`)) endProcess(pid);
      await host.close();
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
      await removeFolder(folder);
    },
  };
}

/** The other processes that have this entry in their environment. */
const carriersOf = (entry: string): readonly number[] =>
  pids().filter((pid) => pid !== process.pid && environmentOf(pid).split('\0').includes(entry));

/** A supervisor may still be writing down the end of what was killed. */
export function removeFolder(folder: string): Promise<true> {
  return until(() => {
    try {
      rmSync(folder, { recursive: true, force: true });
      return true;
    } catch {
      return false;
    }
  }, `the removal of ${folder}`);
}

/** A folder for PATH in which `sh` is the shell. */
function programs(folder: string, [shell = 'sh', ...applet]: readonly string[]): string {
  mkdirSync(folder);
  const path = execFileSync('/bin/sh', ['-c', `command -v ${shell}`], { encoding: 'utf8' }).trim();
  const names =
    applet.length === 0 ? ['sh'] : execFileSync(path, ['--list'], { encoding: 'utf8' }).split('\n');
  for (const name of names.filter(Boolean)) symlinkSync(path, join(folder, name));
  return folder;
}

/** Without one, what needs it fails by itself. */
export const python = realPython() ?? 'python3';

/** Field 22 of `/proc/PID/stat`; null when there is no such process, or only its zombie. */
export function startTicksOf(pid: number): string | null {
  const fields = statOf(pid);
  if (fields === null || (fields[0] === 'Z' && Number(fields[17]) <= 1)) return null;
  return fields[19] ?? null;
}

export const isAlive = (pid: number): boolean => startTicksOf(pid) !== null;

export function targetOf(pid: number): KillTarget {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return { pid, startTicks: startTicksOf(pid) ?? 'none', bootId };
}

/** Until a shell has become the program that it was to run, with the files open that it was told to open. */
export const becomes = (pid: number | undefined, name: string): Promise<boolean> =>
  until(() => commandLineOf(pid ?? 0).startsWith(`${name}\0`), `${pid} is ${name}`);

/** The content of a file once it is there and not empty. */
export const content = (path: string): Promise<string> =>
  until(() => existsSync(path) && readFileSync(path, 'utf8'), `content in ${path}`);
