import type { ExitStatus } from '../../core/events.js';

/**
 * Reads what a launch's supervisor wrote: `CODE EPOCHSECONDS oom:BEFORE:AFTER`. A shell gives 128 + n for a command
 * that signal n ended, and cannot tell that from an exit with the same number; it is taken for the signal.
 * Null: not in this form.
 */
export function parseExitStatus(line: string): ExitStatus | null {
  const found = /^\s*(\d+) (\d+) oom:(\d+|-):(\d+|-)\s*$/.exec(line);
  if (found === null) return null;
  const code = Number(found[1]);
  const signal = code > 128 ? signalName(code - 128) : null;
  const [before, after] = [found[3], found[4]];
  return {
    code: signal === null ? code : null,
    signal,
    at: Number(found[2]) * 1000,
    oomKills: before === '-' || after === '-' ? null : Number(after) - Number(before),
  };
}

function signalName(number: number): string | null {
  return linuxSignals.get(number) ?? null;
}

/** By Linux's numbers on x86 and ARM, which the host uses whatever this machine is. */
const linuxSignals = new Map<number, string>(
  'HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'
    .split(' ')
    .map((name, index) => [index + 1, `SIG${name}`]),
);
