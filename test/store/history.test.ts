import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../src/core/history.js';
import {
  historyFolder,
  historyHosts,
  readHistories,
  readHistory,
  writeHistory,
} from '../../src/store/history.js';
import { keepStopped } from '../../src/store/history-stopped.js';
import { historyEntry } from '../support/history-entry.js';

let env: { XDG_STATE_HOME: string };
beforeEach(() => {
  env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'firedup-store-')) };
});
afterEach(() => rmSync(env.XDG_STATE_HOME, { recursive: true, force: true }));

const entry = (attempt: number, more: Partial<HistoryEntry> = {}): HistoryEntry =>
  historyEntry(attempt, { startedAt: attempt * 1000, ...more });

const attempts = async (name = 'default', host = 'gpu-box') =>
  (await readHistory(env, host, name)).entries.map(({ attempt, outcome }) => [attempt, outcome]);

describe('the history', () => {
  it('gives back what was kept, in order, and is empty at first', async () => {
    expect(await readHistory(env, 'gpu-box', 'default')).toEqual({ entries: [], unreadable: 0 });
    const ready = entry(2, { outcome: 'ready', cause: null, readyAt: 2500 });
    await writeHistory(env, ready);
    await writeHistory(env, entry(1));
    expect((await readHistory(env, 'gpu-box', 'default')).entries).toEqual([entry(1), ready]);
    const folder = historyFolder(env, 'gpu-box', 'default');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  });

  it('takes a later word on the same attempt, and forgets nothing that only the earlier knew', async () => {
    await writeHistory(
      env,
      entry(1, { outcome: 'ready', readyAt: 1500, env: { A: '1' }, change: 'A=1', helped: true }),
    );
    await writeHistory(env, entry(2));
    await writeHistory(env, entry(1, { outcome: 'stopped', readyAt: null, env: null }));
    expect(await attempts()).toEqual([
      [1, 'stopped'],
      [2, 'crashed'],
    ]);
    const [first] = (await readHistory(env, 'gpu-box', 'default')).entries;
    expect(first).toMatchObject({ readyAt: 1500, env: { A: '1' }, change: 'A=1', helped: true });
  });

  it('learns that a server was stopped while nobody watched, and leaves a crash one', async () => {
    await writeHistory(env, entry(1, { outcome: 'ready', cause: null, readyAt: 1500 }));
    await writeHistory(env, entry(2));
    for (const pid of [1, 2, 3]) {
      const process = { bootId: 'boot', pid, startTicks: '100' };
      await keepStopped(env, { host: 'gpu-box', name: 'default', process }, 9000);
    }
    expect(await attempts()).toEqual([
      [1, 'stopped'],
      [2, 'crashed'],
    ]);
    const [first] = (await readHistory(env, 'gpu-box', 'default')).entries;
    expect(first).toMatchObject({ readyAt: 1500, endedAt: 9000 });
  });

  it('lets a crash stay one when somebody tidies up after it', async () => {
    await writeHistory(env, entry(1, { outcome: 'crashed', lastLines: ['its last words'] }));
    await writeHistory(env, entry(1, { outcome: 'stopped', cause: null, lastLines: ['stopped'] }));
    expect((await readHistory(env, 'gpu-box', 'default')).entries).toEqual([
      entry(1, { lastLines: ['its last words'] }),
    ]);
  });

  it('keeps servers apart, also those whose names differ only in what a file name cannot hold, and lists them', async () => {
    await writeHistory(env, entry(1, { host: 'a/b' }));
    await writeHistory(env, entry(2, { host: 'a~2fb' }));
    await writeHistory(env, entry(3, { host: 'a/b', name: '/logs/server.log', attempt: null }));
    expect(await attempts('default', 'a/b')).toEqual([[1, 'crashed']]);
    expect([...(await readHistories(env, 'a/b')).keys()].toSorted()).toEqual(['/logs/server.log', 'default']);
    expect(await historyHosts(env)).toEqual(['a/b', 'a~2fb']);
  });

  it('reads what earlier versions kept as lines of one file, beside what is kept now, and counts what is none', async () => {
    const old = `${historyFolder(env, 'gpu-box', 'default')}.ndjson`;
    mkdirSync(dirname(old), { recursive: true });
    const first = {
      schema: 1,
      host: 'gpu-box',
      name: 'default',
      attempt: 1,
      id: 'old-1',
      outcome: 'crashed',
    };
    const rest = {
      cause: 'KeyError',
      startedAt: 500,
      readyAt: null,
      endedAt: 900,
      command: 'vllm serve',
      log: null,
    };
    const lists = {
      change: null,
      phases: [{ id: 'weights', model: 'target', seconds: 12.5 }],
      lastLines: ['a'],
    };
    writeFileSync(old, `\n${JSON.stringify({ ...first, ...rest, ...lists })}\n{"schema":1,"host":"gpu-b`);
    await writeHistory(env, entry(2));
    writeFileSync(join(historyFolder(env, 'gpu-box', 'default'), 'x.json'), '{"schema":99}');
    const { entries, unreadable } = await readHistory(env, 'gpu-box', 'default');
    expect(unreadable).toBe(2);
    expect(entries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(entries[0]).toMatchObject({
      id: 'old-1',
      cause: { text: 'KeyError', category: null },
      phases: [{ id: 'weights', model: 'target', seconds: 12.5, isDone: true }],
      remedies: [],
    });
  });

  it('loses no entry of many that are kept at once, and tears none that two write at once', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index + 1);
    const long = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(200)}`);
    await Promise.all(
      [...numbers, ...numbers].map((number) => writeHistory(env, entry(number, { lastLines: long }))),
    );
    const { entries, unreadable } = await readHistory(env, 'gpu-box', 'default');
    expect(entries.map(({ attempt }) => attempt)).toEqual(numbers);
    expect(unreadable).toBe(0);
    expect(
      readdirSync(historyFolder(env, 'gpu-box', 'default')).filter((file) => file.endsWith('.new')),
    ).toEqual([]);
  });

  it('keeps the newest 200 attempts of a server', async () => {
    for (let number = 1; number <= 205; number++) await writeHistory(env, entry(number, { lastLines: [] }));
    const kept = await attempts();
    expect(kept).toHaveLength(200);
    expect(kept.at(-1)).toEqual([205, 'crashed']);
  });

  it('keeps at most the last 40 lines, and no secrets, wherever they stand', async () => {
    const lastLines = Array.from({ length: 45 }, (_, index) => `line ${index}`);
    await writeHistory(
      env,
      entry(1, {
        lastLines: [...lastLines, 'HF_TOKEN=private-word'],
        command: 'vllm serve --api-key private-word --db=postgres://me:private-word@db/x',
        change: 'API_KEY=private-word',
        env: { HF_TOKEN: 'private-word', PLAIN: 'seen' },
        before: ['login --password private-word'],
        cause: { text: "ValueError: api_key='private-word'", category: null },
        serverArgs: { api_key: 'private-word', admin: { password: 'private-word' }, tp_size: 8 },
        remedies: [{ id: 'x', title: 'x', change: { env: { SECRET_KEY: 'private-word' } } }],
      }),
    );
    const folder = historyFolder(env, 'gpu-box', 'default');
    const text = readdirSync(folder)
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('');
    expect(text).not.toContain('private-word');
    const { entries } = await readHistory(env, 'gpu-box', 'default');
    expect(entries[0]?.lastLines).toEqual([...lastLines.slice(-39), 'HF_TOKEN=***']);
    expect(entries[0]?.env).toEqual({ HF_TOKEN: '***', PLAIN: 'seen' });
    expect(entries[0]?.serverArgs).toMatchObject({ tp_size: 8 });
  });
});
