import { spawnSync } from 'node:child_process';

/** The shells of this machine that scripts must run in. */
export const shells = [
  { name: 'dash', command: ['dash'] },
  { name: 'bash', command: ['bash'] },
  { name: 'busybox sh', command: ['busybox', 'sh'] },
].filter(({ command }) => runs(command));

/** The login shells of this machine that a command line may be given to. */
export const loginShells = ['bash', 'dash', 'zsh', 'fish', 'tcsh'].filter((name) => runs([name]));

function runs([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, [...args, '-c', 'exit 0']).status === 0;
}
