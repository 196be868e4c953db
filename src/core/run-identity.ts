import type { State } from './state.js';

/** Which attempt is watched. */
export interface RunIdentity {
  /** Boot id, pid and start ticks; the id of its entry in the history. */
  readonly id: string;
  readonly command: string;
  /** By our clock (ms). */
  readonly startedAt: number | null;
}

/** Which attempt is watched; null while no process of it is known. */
export function runIdentity(state: State): RunIdentity | null {
  const { attempt, process, host } = state;
  const skewMs = host?.clockSkewMs ?? 0;
  if (attempt !== null) {
    const { bootId, pid, startTicks, command, startedAt } = attempt;
    return { id: `${bootId} ${pid} ${startTicks}`, command, startedAt: startedAt - skewMs };
  }
  const seen = process.lastSeen;
  if (seen === null) return null;
  const startedAt = seen.startedAt === null ? null : seen.startedAt - skewMs;
  return { id: `${host?.bootId ?? '-'} ${seen.pid} ${seen.startTicks}`, command: seen.command, startedAt };
}

/** Its id alone. */
export const currentId = (state: State): string | null => runIdentity(state)?.id ?? null;
