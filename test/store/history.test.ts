import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendHistory, historyPath, readHistory } from '../../src/store/history.js';
import type { HistoryEntry } from '../../src/store/history-entry.js';

let env: { XDG_STATE_HOME: string };
beforeEach(() => {
  env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'firedup-store-')) };
});
afterEach(() => rmSync(env.XDG_STATE_HOME, { recursive: true, force: true }));

const entry = (attempt: number, more: Partial<HistoryEntry> = {}): HistoryEntry => ({
  schema: 1,
  host: 'gpu-box',
  name: 'default',
  attempt,
  id: `id-${attempt}`,
  outcome: 'crashed',
  cause: "KeyError: 'model.layers.0'",
  startedAt: 1000,
  readyAt: null,
  endedAt: 2000,
  command: 'python3 -m sglang.launch_server',
  log: '/tmp/server.log',
  change: null,
  phases: [{ id: 'weights', model: 'target', seconds: 12.5 }],
  lastLines: ['a', 'b'],
  ...more,
});

describe('the history', () => {
  it('gives back what was added, in order, and is empty at first', async () => {
    expect(await readHistory(env, 'gpu-box', 'default')).toEqual({ entries: [], unreadable: 0 });
    await appendHistory(env, entry(1));
    await appendHistory(env, entry(2, { outcome: 'ready', cause: null, readyAt: 1500 }));
    const { entries } = await readHistory(env, 'gpu-box', 'default');
    expect(entries).toEqual([entry(1), entry(2, { outcome: 'ready', cause: null, readyAt: 1500 })]);
    expect(statSync(historyPath(env, 'gpu-box', 'default')).mode & 0o777).toBe(0o600);
  });

  it('takes a second word on the same attempt for the last one', async () => {
    await appendHistory(env, entry(1, { outcome: 'ready' }));
    await appendHistory(env, entry(2));
    await appendHistory(env, entry(1, { outcome: 'stopped' }));
    const { entries } = await readHistory(env, 'gpu-box', 'default');
    expect(entries.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'stopped'],
      [2, 'crashed'],
    ]);
  });

  it('keeps servers apart, also those whose names differ only in what a file name cannot hold', async () => {
    await appendHistory(env, entry(1, { host: 'a/b' }));
    await appendHistory(env, entry(2, { host: 'a~2fb' }));
    await appendHistory(env, entry(3, { host: 'a/b', name: 'other' }));
    const { entries } = await readHistory(env, 'a/b', 'default');
    expect(entries.map(({ attempt }) => attempt)).toEqual([1]);
  });

  it('loses no entry but the torn one, and counts that', async () => {
    await appendHistory(env, entry(1));
    appendFileSync(historyPath(env, 'gpu-box', 'default'), '{"schema":1,"host":"gpu-b');
    await appendHistory(env, entry(2));
    const { entries, unreadable } = await readHistory(env, 'gpu-box', 'default');
    expect(entries.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(unreadable).toBe(1);
  });

  it('keeps every entry of many that are added at once', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index + 1);
    const long = Array.from({ length: 40 }, (_, index) => `${index} ${'x'.repeat(200)}`);
    await Promise.all(numbers.map((number) => appendHistory(env, entry(number, { lastLines: long }))));
    const { entries, unreadable } = await readHistory(env, 'gpu-box', 'default');
    expect(entries.map(({ attempt }) => attempt).toSorted((a, b) => Number(a) - Number(b))).toEqual(numbers);
    expect(unreadable).toBe(0);
  });

  it('keeps at most the last 40 lines, and no secrets', async () => {
    const lastLines = Array.from({ length: 45 }, (_, index) => `line ${index}`);
    await appendHistory(
      env,
      entry(1, {
        lastLines: [...lastLines, 'HF_TOKEN=private-word'],
        command: 'vllm serve --api-key private-word',
        change: 'API_KEY=private-word',
      }),
    );
    const text = readFileSync(historyPath(env, 'gpu-box', 'default'), 'utf8');
    expect(text).not.toContain('private-word');
    const { entries } = await readHistory(env, 'gpu-box', 'default');
    expect(entries[0]?.lastLines).toEqual([...lastLines.slice(-39), 'HF_TOKEN=***']);
    expect(entries[0]?.command).toBe('vllm serve --api-key ***');
  });
});
