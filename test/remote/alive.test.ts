import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { scriptCommand } from '../../src/remote/script.js';
import { pidsOfSession } from '../probes/support.js';
import { until, wellBeforeDeadManMs } from '../support/until.js';
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
    await until(() => left().length === 0, 'it has ended', wellBeforeDeadManMs);
  });

  it('ends within 30 s without a heartbeat, and lives on with them', async () => {
    const silent = await startStuck(false);
    const kept = await startStuck(true);
    const began = performance.now();
    await until(() => silent.left().length === 0, 'the silent one has ended');
    expect(performance.now() - began).toBeGreaterThan(15_000);
    await pause(3000);
    expect(kept.left().length).toBeGreaterThan(0);
    kept.stop();
    kept.child.stdin.end();
    await until(() => kept.left().length === 0, 'the other one has ended');
  });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
