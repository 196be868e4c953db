import type { ExitStatus } from '../core/process-fact.js';

/**
 * Reads what the launch's supervisor wrote when the command ended: `CODE EPOCHSECONDS oom:BEFORE:AFTER by:signal|exit`,
 * where a CODE over 128 is a signal (that is how a shell tells it), but with `by:exit`, where the command has exited with
 * that status itself. `oom` counts OOM kills in the command's cgroup, `-` where that cannot be read. Null when it is
 * something else. The last word was not always written.
 */
export function parseExitStatus(text: string): ExitStatus | null {
  const [, status = '', epoch = '', before = '-', after = '-', by = 'signal'] =
    /^(\d+)(?: (\d+))?(?: oom:(\d+|-):(\d+|-))?(?: by:(signal|exit))?\s*$/.exec(text.trim()) ?? [];
  if (status === '') return null;
  const code = Number(status);
  const named = code > 128 ? (signals.get(code - 128) ?? null) : null;
  const signal = by === 'signal' ? named : null;
  return {
    code: signal === null ? code : null,
    signal,
    ...(named === null || signal !== null ? {} : { relayed: named }),
    at: epoch === '' ? null : Number(epoch) * 1000,
    oomKills: before === '-' || after === '-' ? null : Number(after) - Number(before),
  };
}

/** Numbers of Linux on x86 and ARM, whatever this machine is. */
const signals = new Map<number, string>([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [31, 'SIGSYS'],
]);
