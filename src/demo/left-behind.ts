import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './process-id.js';
import { readWorldFile, worldFilePath } from './world-file.js';

export const folderPrefix = 'firedup-demo-';

const oldMs = 3_600_000;

/**
 * Removes demo folders in `parent` that a killed demo left behind (a running engine would have done it): those of an
 * owner that is gone, and older than an hour, since a pid of another container that shares the folder looks gone too.
 */
export async function removeLeftBehind(parent: string, now: number): Promise<void> {
  const names = await readdir(parent).catch((): string[] => []);
  for (const name of names.filter((entry) => entry.startsWith(folderPrefix))) {
    const folder = join(parent, name);
    try {
      const { mtimeMs } = await stat(worldFilePath(folder));
      if (now - mtimeMs < oldMs || isAlive(readWorldFile(folder).owner)) continue;
      await rm(folder, { recursive: true, force: true });
    } catch {
      // No world file (yet), or another user's: not ours to judge.
    }
  }
}
