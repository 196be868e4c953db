import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/core/events.js';
import { initialState } from '../../src/core/initial.js';
import { reduce } from '../../src/core/reduce.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { createReading } from '../../src/triage/reading.js';
import { watchTarget } from './fold.js';

const target = watchTarget({ host: 'box', log: '/log', pid: 7, port: 8000 });

function screenAfter(...events: readonly Event[]) {
  let state = initialState({ target, reading: createReading({ engine: null }), now: 0 });
  for (const event of events) state = reduce(state, event)[0];
  return selectScreen(state);
}

const seen: readonly Event[] = [
  { type: 'link', at: 0, link: { status: 'up' } },
  {
    type: 'process',
    at: 1000,
    process: {
      status: 'alive',
      pid: 7,
      startTicks: '1',
      startedAt: null,
      command: 'server',
      user: null,
      foundBy: 'pid',
      tree: [],
    },
  },
  {
    type: 'health',
    at: 1000,
    answer: {
      port: 8000,
      path: '/health',
      source: 'given',
      result: { kind: 'status', code: 200 },
      owned: true,
    },
  },
  { type: 'gpus', at: 1000, reading: { status: 'ok', gpus: [], apps: [], tookMs: 5 } },
];

describe('what is on screen while the link is away', () => {
  it('is as it was seen, while the link stands', () => {
    const { header, gpus } = screenAfter(...seen);
    expect(header).toMatchObject({
      process: { status: 'alive' },
      http: { ok: true },
      link: { text: 'connected' },
    });
    expect(gpus.stale).toBe(false);
  });

  it('is marked as old at once, with its age', () => {
    const { header, gpus, log } = screenAfter(
      ...seen,
      { type: 'link', at: 9000, link: { status: 'down', reason: 'nothing heard for 8 s', retryAt: 10_000 } },
      { type: 'tick', at: 9000 },
    );
    expect(header.link).toEqual({ status: 'down', text: 'link down · data 8 s old · next try in 1 s' });
    expect(header).toMatchObject({ process: { status: 'unknown' }, http: { ok: false } });
    expect(gpus).toMatchObject({ stale: true, note: 'data 8 s old' });
    expect(log.isOld).toBe(true);
  });

  it('is fresh again after the reconnect', () => {
    const { header, gpus, log } = screenAfter(
      ...seen,
      { type: 'link', at: 2000, link: { status: 'down', reason: 'cut', retryAt: 3000 } },
      { type: 'link', at: 3000, link: { status: 'up' } },
    );
    expect(header).toMatchObject({ process: { status: 'alive' }, link: { text: 'connected' } });
    expect([gpus.stale, log.isOld]).toEqual([false, false]);
  });
});
