import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Gives all tests an empty home folder of their own: they leave nothing in that of whoever runs them, and his login
 * shell's files, which may do anything (a lock that a killed shell leaves behind makes the next one wait), play no part.
 */
export function setup(): () => void {
  const home = mkdtempSync(join(tmpdir(), 'firedup-home-'));
  process.env.HOME = home;
  return () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
