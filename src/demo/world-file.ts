import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the simulated engine must know of the world that it runs in; lies in the demo's folder. */
export interface WorldFile {
  /** The process that owns the world: the engine ends when it is gone. */
  readonly owner: ProcessId;
  /** Divides every simulated duration. */
  readonly speed: number;
}

/** A pid alone is no identity, it is reused; the start time in clock ticks since boot makes it one. */
export interface ProcessId {
  readonly pid: number;
  /** Null where there is no `/proc`. */
  readonly startTicks: string | null;
}

export const worldFilePath = (folder: string): string => join(folder, 'world.json');

/** Reads `world.json` of a demo folder; throws when it is not there. */
export function readWorldFile(folder: string): WorldFile {
  return JSON.parse(readFileSync(worldFilePath(folder), 'utf8')) as WorldFile;
}
