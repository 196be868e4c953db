import { readdirSync, readFileSync } from 'node:fs';

/** Pids of all processes of this machine. */
export const pids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Its command line, each word of it with a NUL behind; empty when it has gone. */
export const commandLineOf = (pid: number): string => textOf(`/proc/${pid}/cmdline`) ?? '';

/** What it was started with, each `NAME=value` with a NUL behind; empty when it has gone, or is another user's. */
export const environmentOf = (pid: number): string => textOf(`/proc/${pid}/environ`) ?? '';

/** The fields of /proc/PID/stat from the state on (its field 3); null when it is gone. */
export function statOf(pid: number): readonly string[] | null {
  return textOf(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ') ?? null;
}

/** Pid and command line of each process that an sshd of the tests has started: they have its HOME. */
export const startedBy = ({ home }: { readonly home: string }): readonly string[] =>
  pids()
    .filter((pid) => environmentOf(pid).includes(`HOME=${home}`))
    .map((pid) => `${pid} ${commandLineOf(pid).replaceAll('\0', ' ').slice(0, 80)}`);

/** By SIGKILL; nothing happens where it went by itself. A negative pid is a group. */
export function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went by itself.
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
