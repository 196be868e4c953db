import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { available } from '../support/available.js';
import { until } from '../support/until.js';

const bin = fileURLToPath(new URL('../../bin/firedup.js', import.meta.url));

// A log to which nothing is written any more: no EPIPE will ever tell.
describe.skipIf(!available('procfs', 'bash'))('a tail whose reader has gone', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-reader-'));
    writeFileSync(join(folder, 'log'), 'one\ntwo\nthree\nfour\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const tail = (): string => `${process.execPath} ${bin} tail local --log ${join(folder, 'log')} -n +1`;
  /** Whether the file that the line's last command writes is there. */
  const said = (name: string): string | null => {
    try {
      return readFileSync(join(folder, name), 'utf8') || null;
    } catch {
      return null;
    }
  };

  function run(line: string): () => void {
    const child = spawn('bash', ['-c', line], { cwd: folder, stdio: 'ignore', detached: true });
    return () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended.
      }
    };
  }

  it('ends by itself, through a pipe', async () => {
    const stop = run(`${tail()} | head -n 3 >lines; echo "\${PIPESTATUS[0]}" >code`);
    try {
      await until(() => said('code') !== null, 'it ends');
      expect(said('code')).toBe('130\n');
      expect(said('lines')).toBe('one\ntwo\nthree\n');
    } finally {
      stop();
    }
  });

  it('goes on while somebody holds the pipe, whoever that is by now', async () => {
    // The reader hands the pipe on and goes; who has it then reads nothing yet.
    const later = 'until [ -e go ]; do sleep 0.1; done; cat >rest';
    const stop = run(`${tail()} | bash -c '(${later}) <&0 & read x; echo "$x" >first' ; wait`);
    try {
      await until(() => said('first') !== null, 'the first line');
      // Longer than it is between two looks for a reader.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      writeFileSync(join(folder, 'go'), '');
      writeFileSync(join(folder, 'log'), 'five\n', { flag: 'a' });
      await until(() => said('rest')?.includes('five') === true, 'the later line');
    } finally {
      stop();
    }
  });

  it('ends by itself, through a socket', async () => {
    const [program = '', ...args] = tail().split(' ');
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    child.stdout.once('data', () => child.stdout.destroy());
    const late = setTimeout(() => child.kill('SIGKILL'), 60_000);
    expect(await ended).toBe(130);
    clearTimeout(late);
  });
});
