import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, run } from '../cli/run-program.js';
import { available } from '../support/available.js';

const server = fileURLToPath(new URL('../fixtures/server.mjs', import.meta.url));

describe.skipIf(!available('procfs'))('firedup history', () => {
  let folder: string;
  const children = new Set<number>();
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'firedup-history-'));
  });
  afterAll(async () => {
    for (const pid of children) process.kill(-pid, 'SIGKILL');
    await firedup('kill', 'local', '--name', 'eagle', '--yes', '--grace', '1s');
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const firedup = (...args: readonly string[]): Promise<Ran> =>
    run(args, { cwd: folder, env: { XDG_STATE_HOME: join(folder, 'state') } });

  const entries = async (...args: readonly string[]): Promise<readonly Record<string, unknown>[]> => {
    const { out } = await firedup('history', 'local', '--json', ...args);
    return out
      .split('\n')
      .filter(Boolean)
      .map((line): Record<string, unknown> => JSON.parse(line));
  };

  it('is empty at first, which is no error', async () => {
    const { code, out, err } = await firedup('history', 'nowhere.example');
    expect([code, out]).toEqual([0, '']);
    expect(err).toContain('no attempt at a server on nowhere.example is kept yet');
  });

  it('tells a crash, the change after it, and that this helped', async () => {
    // The fault is one that a variable does away with.
    const script = `if [ -n "$CURE" ]; then exec "$0" "$1"; else exec "$0" "$1" --crash; fi`;
    const launched = await firedup(
      'launch',
      'local',
      '--name',
      'eagle',
      '--timeout',
      '60s',
      '--',
      'sh',
      '-c',
      script,
      process.execPath,
      server,
    );
    expect(launched.code).toBe(1);
    const again = await firedup('relaunch', 'local', '--name', 'eagle', '--yes', '--env', 'CURE=1');
    expect([again.code, again.err]).toEqual([0, expect.anything()]);

    const [first, second, ...more] = await entries('--name', 'eagle');
    expect(more).toEqual([]);
    expect(first).toMatchObject({
      attempt: 1,
      outcome: 'crashed',
      cause: { text: "KeyError: 'lm_head.weight'" },
      readyAt: null,
      engine: 'sglang',
      before: [],
      serverArgs: { model_path: '/models/demo', tp_size: 1 },
    });
    expect(second).toMatchObject({
      attempt: 2,
      outcome: 'ready',
      change: 'CURE=1',
      helped: true,
      env: { CURE: '1' },
    });
    expect(second?.readyAt).toBeGreaterThanOrEqual(Number(second?.startedAt));
  });

  it('says of a server that was ended by a command that it was stopped', async () => {
    const ready = await firedup(
      'launch',
      'local',
      '--name',
      'brief',
      '--timeout',
      '60s',
      '--',
      process.execPath,
      server,
    );
    expect([ready.code, ready.err]).toEqual([0, expect.anything()]);
    const again = await firedup('relaunch', 'local', '--name', 'brief', '--yes', '--timeout', '60s');
    expect([again.code, again.err]).toEqual([0, expect.anything()]);
    expect((await firedup('kill', 'local', '--name', 'brief', '--yes')).code).toBe(0);
    const [first, second] = await entries('--name', 'brief');
    expect([first?.outcome, second?.outcome]).toEqual(['stopped', 'stopped']);
    rmSync(join(folder, 'state', 'firedup', '.history', 'local', 'brief'), { recursive: true });
  });

  it('prints a table that fits 80 columns, and takes a later look for the same attempt', async () => {
    expect((await firedup('wait', 'local', '--name', 'eagle', '--timeout', '30s')).code).toBe(0);
    const { code, out } = await firedup('history', 'local');
    expect(code).toBe(0);
    expect(out).toMatch(/^local · eagle: 2 attempts · 1 ready, the fastest in 0:\d\d\n/);
    expect(out).toMatch(/^ +1 +\w{3} \d\d \d\d:\d\d +✗ crashed +– +KeyError: 'lm_head.weight'$/m);
    expect(out).toMatch(/^ +2 +\w{3} \d\d \d\d:\d\d +✓ ready +0:\d\d$/m);
    expect(out).toMatch(/^ {5}→ CURE=1\n {5}✓ helped$/m);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(out).not.toContain('\u001B');
    const newest = (await firedup('history', 'local', '-n', '1')).out;
    expect(newest).not.toMatch(/crashed/);
  });

  it('keeps a server of others under its log, and lists the servers where there are several', async () => {
    const log = join(folder, 'other.log');
    writeFileSync(log, '');
    const child = spawn('sh', ['-c', 'exec "$0" "$1" >>"$2" 2>&1', process.execPath, server, log], {
      stdio: 'ignore',
      detached: true,
    });
    if (child.pid) children.add(child.pid);
    expect((await firedup('wait', 'local', '--log', log, '--timeout', '60s')).code).toBe(0);
    const [entry] = await entries('--log', log);
    expect(entry).toMatchObject({ name: log, attempt: null, outcome: 'ready', env: null, before: null });
    expect(String(entry?.id)).toContain(` ${child.pid} `);

    const { code, out } = await firedup('history', 'local');
    expect(code).toBe(0);
    expect(out).toContain('There are several servers on local; choose one with --name or --log.');
    expect(out).toMatch(/^eagle +2 +1 /m);
    expect(out).toContain(log);
    expect(await entries()).toHaveLength(3);
  });

  it('says which there are when another one is asked for', async () => {
    const { code, err } = await firedup('history', 'local', '--name', 'eagel');
    expect(code).toBe(2);
    expect(err).toContain('eagle');
  });

  it('knows a target of the config by its name', async () => {
    writeFileSync(join(folder, 'firedup.yaml'), 'targets:\n  mine:\n    host: local\n    name: eagle\n');
    const { code, out } = await firedup('history', 'mine');
    expect([code, out]).toEqual([0, expect.stringContaining('local · eagle: 2 attempts')]);
  });
});
