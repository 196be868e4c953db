import { spawnSync } from 'node:child_process';

/**
 * The interpreter itself: what is called python3 on the PATH may be a script that chooses one, sets variables of its
 * own, and needs more than it finds where a test runs it. Null where there is none.
 */
export function realPython(): string | null {
  const found = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
}
