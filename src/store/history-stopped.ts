import type { HistoryOutcome } from '../core/history.js';
import { readHistory, writeHistory } from './history.js';
import type { PathEnvironment } from './paths.js';

/** A process of a server whose attempts are kept under `host` and `name`. */
export interface StoppedServer {
  readonly host: string;
  readonly name: string;
  readonly process: { readonly pid: number; readonly startTicks: string; readonly bootId: string };
}

/**
 * Records in what is kept of an attempt that it was stopped on purpose, where nobody watched meanwhile. A crash or a hang
 * before it stays one; an attempt of which nothing is kept stays so. Rejects as `writeHistory` does.
 */
export async function keepStopped(env: PathEnvironment, server: StoppedServer, at: number): Promise<void> {
  const { bootId, pid, startTicks } = server.process;
  const { entries } = await readHistory(env, server.host, server.name);
  const entry = entries.find(({ id }) => id === `${bootId} ${pid} ${startTicks}`);
  if (entry === undefined || !open.includes(entry.outcome)) return;
  await writeHistory(env, { ...entry, outcome: 'stopped', endedAt: at });
}

/** Of these a later word is due. */
const open: readonly HistoryOutcome[] = ['ready', 'loading', 'unknown'];
