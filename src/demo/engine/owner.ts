import { rmSync } from 'node:fs';
import { isAlive } from '../process-id.js';
import type { ProcessId } from '../world-file.js';

/**
 * Ends this engine when the process that owns the demo is gone, so that a crash of it leaves nothing behind:
 * its schedulers end with it, and the demo's folder goes. Returns what stops watching.
 */
export function watchOwner(owner: ProcessId, folder: string): () => void {
  const timer = setInterval(() => {
    if (isAlive(owner)) return;
    clearInterval(timer);
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}
