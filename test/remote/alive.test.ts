import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scriptCommand } from '../../src/remote/script.js';
import { pidsOfSession } from '../probes/support.js';
import { shells } from './shells.js';

const folder = mkdtempSync(join(tmpdir(), 'firedup alive '));
const log = join(folder, 'big.log');
writeFileSync(log, 'x'.repeat(99).concat('\n').repeat(50_000));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.concurrent.each(shells)('a script of ours in $name', ({ command }) => {
  /** Nobody reads its output: it is stuck in a write, as behind a link that has gone silent. */
  async function startStuck(heartbeats: boolean) {
    const child = spawn(
      '/bin/sh',
      ['-c', scriptCommand('follow', ['nonce', log, '-', '0', '32'], { shell: command.join(' ') })],
      {
        detached: true,
        stdio: ['pipe', 'pipe', 'ignore'],
      },
    );
    child.stdin.on('error', () => {});
    child.stdin.write('.\n');
    const timer = heartbeats ? setInterval(() => child.stdin.write('.\n'), 8000) : undefined;
    await once(child.stdout, 'readable');
    return { child, left: () => pidsOfSession(child.pid ?? 0), stop: () => clearInterval(timer) };
  }

  it('ends at once, with all it started, when its stdin ends', async () => {
    const { child, left } = await startStuck(false);
    expect(left().length).toBeGreaterThan(0);
    child.stdin.end();
    const began = performance.now();
    while (left().length > 0 && performance.now() - began < 10_000) await pause(50);
    expect(left()).toEqual([]);
    expect(performance.now() - began).toBeLessThan(5000);
  });

  it('ends within 30 s without a heartbeat, and lives on with them', async () => {
    const silent = await startStuck(false);
    const kept = await startStuck(true);
    const began = performance.now();
    while (silent.left().length > 0 && performance.now() - began < 40_000) await pause(250);
    expect(silent.left()).toEqual([]);
    expect(performance.now() - began).toBeGreaterThan(15_000);
    await pause(3000);
    expect(kept.left().length).toBeGreaterThan(0);
    kept.stop();
    kept.child.stdin.end();
    while (kept.left().length > 0 && performance.now() - began < 55_000) await pause(50);
    expect(kept.left()).toEqual([]);
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
