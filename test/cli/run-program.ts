import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly stdin?: string | Buffer;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly uid?: number;
}

/** Runs a command of the built program to its end. Without `stdin` its standard input is /dev/null. */
export const run = (args: readonly string[], options: RunOptions = {}): Promise<Ran> =>
  runCommand(process.execPath, [bin, ...args], options);

/** The same for any command. */
export function runCommand(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { stdin, uid, cwd, env } = options;
  const child = spawn(command, args, {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent', ...env },
    ...(cwd === undefined ? {} : { cwd }),
    ...(uid === undefined ? {} : { uid }),
  });
  const said = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  // A command that has refused its input does not read it.
  child.stdin?.on('error', () => {});
  child.stdin?.end(stdin);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? -1, ...said }));
  });
}
