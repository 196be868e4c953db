import { readFileSync } from 'node:fs';
import type { ProcessId } from './world-file.js';

/** Start of a running process in clock ticks since boot (field 22 of `/proc/PID/stat`), null when it is gone or a zombie. */
export function startTicksOf(pid: number): string | null {
  const fields = statFields(pid);
  return fields === null || fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
}

/** The identity of this very process. */
export const ownProcessId = (): ProcessId => ({ pid: process.pid, startTicks: startTicksOf(process.pid) });

/** Whether exactly that process still runs; without `/proc` only the pid can be asked. */
export function isAlive(id: ProcessId): boolean {
  if (id.startTicks !== null) return startTicksOf(id.pid) === id.startTicks;
  try {
    process.kill(id.pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Fields from the third on: the second, the name, may itself hold blanks and brackets. */
function statFields(pid: number): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(') ') + 2).split(' ');
  } catch {
    return null;
  }
}
