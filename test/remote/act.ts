import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { scriptCommand } from '../../src/remote/script.js';

export interface Told {
  /** What it said after the opening line, a line each. */
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** Runs a script of those that act, in one of the shells, as a host would. */
export function act(
  shell: readonly string[],
  name: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly stdin?: string } = {},
): Told {
  const command = scriptCommand(name, args, { shell: shell.join(' ') });
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    input: options.stdin ?? '',
    encoding: 'utf8',
    env: { ...process.env, ...options.env },
  });
  const [, ...said] = stdout.split('\n=firedup=\n');
  return { lines: said.join('').split('\n').filter(Boolean), stderr };
}

/** A folder for PATH with nothing but these programs, and `sh`. */
export function onlyPrograms(folder: string, shell: string, names: readonly string[]): string {
  mkdirSync(folder);
  for (const name of names) symlinkSync(where(name), join(folder, name));
  symlinkSync(where(shell), join(folder, 'sh'));
  return folder;
}

/** A folder for PATH with nothing but busybox under the names of all its programs. */
export function busyboxOnly(folder: string, less: readonly string[] = []): string {
  const names = execFileSync('busybox', ['--list'], { encoding: 'utf8' }).split('\n').filter(Boolean);
  mkdirSync(folder);
  for (const name of names.filter((other) => !less.includes(other)))
    symlinkSync(where('busybox'), join(folder, name));
  return folder;
}

function where(name: string): string {
  return execFileSync('/bin/sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' }).trim();
}

/** The start script's way of standing in a payload, with how many bytes it has. */
export function payload(start: string): { stdin: string; bytes: string } {
  const stdin = `{"shown":true}\n{"launch":true}\n${start}\n`;
  return { stdin, bytes: String(Buffer.byteLength(stdin)) };
}
