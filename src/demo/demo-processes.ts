import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, startTicksOf } from './process-id.js';
import type { ProcessId } from './world-file.js';

const variable = 'FIREDUP_DEMO_FOLDER';

/** The variable that every command of a demo inherits: by it its descendants are found, whatever session they are in. */
export const marker = (folder: string): Record<string, string> => ({ [variable]: folder });

/** Processes that carry this demo's marker and still run. Without `/proc` none are found. */
export function findDemoProcesses(folder: string): ProcessId[] {
  const wanted = `${variable}=${folder}`;
  return pids().flatMap((pid) => {
    const startTicks = startTicksOf(pid);
    return startTicks !== null && environment(pid).includes(wanted) ? [{ pid, startTicks }] : [];
  });
}

/** Kills them all by SIGKILL and waits until they are gone; looks again, as a process may start one meanwhile. */
export async function endProcesses(folder: string): Promise<void> {
  for (let round = 0; round < 50; round++) {
    const found = findDemoProcesses(folder);
    if (found.length === 0) return;
    for (const id of found) killExactly(id);
    for (let wait = 0; wait < 40 && found.some(isAlive); wait++) await sleep(10);
  }
}

function killExactly(id: ProcessId): void {
  try {
    if (isAlive(id)) process.kill(id.pid, 'SIGKILL');
  } catch {
    // Ended between the look and the signal.
  }
}

function pids(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function environment(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // Gone, or another user's.
    return [];
  }
}
