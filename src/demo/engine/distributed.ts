import { existsSync, mkdirSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Rank } from './rank.js';

const contextGib = 0.58;
const ncclGib = 1.24;

/**
 * Joins the ranks. A rank first needs the lock of its GPU's peer-to-peer cache; one that was left behind by a
 * dead process holds it for ever, and then everybody waits in silence, as in a real NCCL start-up hang.
 */
export async function initDistributed(rank: Rank, which: 'target' | 'draft'): Promise<void> {
  const begin = rank.pace.seconds();
  rank.log.say('Init torch distributed begin.');
  if (which === 'target') {
    rank.gpu.allocate(contextGib);
    await lockFree(joinLockPath(rank.folder, rank.index));
    await rank.pace.pause(900 + 60 * rank.index);
  }
  await rank.gather(`${which} joined`, rank.index);
  if (which === 'target') {
    if (rank.index === 0) rank.log.say('sglang is using nccl==2.27.5');
    await rank.pace.pause(500);
    rank.gpu.allocate(ncclGib);
  }
  const elapsed = (rank.pace.seconds() - begin).toFixed(2);
  const used = which === 'target' ? ncclGib : 0;
  rank.log.say(`Init torch distributed ends. elapsed=${elapsed} s, mem usage=${used.toFixed(2)} GB`);
}

/** The file that a rank waits for while it is there. */
export const joinLockPath = (folder: string, rank: number): string =>
  join(folder, 'home', '.cache', 'sglang', `gpu_p2p_access_cache_for_${rank}.lock`);

/** Settles when the file is not there; waits by inotify, so that the waiting process does nothing at all. */
function lockFree(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  return new Promise((resolve) => {
    const watcher = watch(dirname(path), (_event, name) => {
      if (name === basename(path)) look();
    });
    const look = (): void => {
      if (existsSync(path)) return;
      watcher.close();
      resolve();
    };
    look();
  });
}
