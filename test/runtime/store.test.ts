import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/core/effects.js';
import { initialState } from '../../src/core/initial.js';
import { backoffMs } from '../../src/runtime/backoff.js';
import { createStore } from '../../src/runtime/store.js';
import { createReading } from '../../src/triage/reading.js';
import { Story } from '../core/fold.js';

const store = (effects: Effect[] = []) =>
  createStore(
    initialState({ target: new Story().state.target, reading: createReading({ engine: null }), now: 0 }),
    (effect) => effects.push(effect),
  );

describe('the store', () => {
  it('shows each fold whole to everyone before the next, also when a listener dispatches', () => {
    const { dispatch, subscribe } = store();
    const seen: string[] = [];
    subscribe((state) => {
      if (state.now === 1) dispatch({ type: 'tick', at: 2 });
      seen.push(`first ${state.now}`);
    });
    subscribe((state) => seen.push(`second ${state.now}`));
    dispatch({ type: 'tick', at: 1 });
    expect(seen).toEqual(['first 1', 'second 1', 'first 2', 'second 2']);
  });

  it('hands effects on, and forgets who unsubscribed', () => {
    const effects: Effect[] = [];
    const { dispatch, subscribe } = store(effects);
    let calls = 0;
    const stop = subscribe(() => {
      calls += 1;
    });
    stop();
    dispatch({ type: 'intent', at: 1, intent: { kind: 'leave' } });
    expect([calls, effects]).toEqual([0, [{ type: 'leave', back: false }]]);
  });
});

describe('the wait before the next try to connect', () => {
  it('grows from 1 to 30 s, spread by 30 %', () => {
    expect([0, 1, 2, 3, 4, 5, 99].map((failures) => backoffMs(failures, 0.5))).toEqual([
      1000, 2000, 4000, 8000, 15_000, 30_000, 30_000,
    ]);
    expect([backoffMs(0, 0), backoffMs(0, 1)]).toEqual([700, 1300]);
  });
});
