import { readdirSync, readFileSync } from 'node:fs';

/** Pid and command line of each process that an sshd of the tests has started: they have its HOME. */
export function startedBy({ home }: { readonly home: string }): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && read(`/proc/${name}/environ`).includes(`HOME=${home}`))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 80)}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
