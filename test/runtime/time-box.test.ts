import { describe, expect, it } from 'vitest';
import { isSearching } from '../../src/core/filter.js';
import { initialState } from '../../src/core/initial.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { slowSearch, slowWords } from '../../src/core/slow-search.js';
import { searchInSlices } from '../../src/runtime/search-slices.js';
import { createStore, type Store } from '../../src/runtime/store.js';
import { timeBox } from '../../src/runtime/time-box.js';
import { createReading } from '../../src/triage/reading.js';
import { Story } from '../core/fold.js';

describe('a limit on time', () => {
  it('lets what is quick come to its end, and passes on what it throws', () => {
    let done = false;
    const { isDone } = timeBox(() => {
      done = true;
    }, 10_000);
    expect(isDone).toBe(true);
    expect(done).toBe(true);
    const fault = new RangeError('too far');
    expect(() =>
      timeBox(() => {
        throw fault;
      }, 10_000),
    ).toThrow(fault);
    expect(timeBox(() => {}, 10_000).isDone).toBe(true);
  });

  it.each([
    ['repeats within repeats', /(a+)+$/, `${'a'.repeat(40)}b`],
    ['any, any times', /(.*)*x/, 'b'.repeat(200)],
    ['words', /(\w+\s?)+:$/, 'hello world '.repeat(100)],
    ['alike branches', /(?:a|aa)+$/, `${'a'.repeat(100)}b`],
    ['a look ahead', /^(?=(a+)+$)/, `${'a'.repeat(50)}b`],
    ['a look behind', /(?<=(?:a+)+x)b/, `${'a'.repeat(60)}b`],
    ['a back reference', /(a+)\1+$/, `${'a'.repeat(20_000)}b`],
    ['three times anything on a line of a megabyte', /.*.*.*x$/, 'b'.repeat(1_000_000)],
    ['one class on a line of a megabyte', /x*y/, 'x'.repeat(1_000_000)],
  ])('stops %s, and the work before it counts', (_, pattern, text) => {
    const found: boolean[] = [];
    const began = performance.now();
    const { isDone } = timeBox(() => {
      found.push(pattern.test('ab'));
      found.push(pattern.test(text));
    }, 20);
    // A look behind is quick in some versions of V8; and the limit may come just at the end.
    expect(found).toHaveLength(isDone ? 2 : Math.min(2, found.length));
    expect(found[0]).toBe(pattern.test('ab'));
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

/** A store over a log of `lines`, which looks through it in slices; `done` resolves when nothing is left to look at. */
function searching(lines: readonly string[]): {
  readonly store: Store;
  readonly type: (text: string) => Promise<void>;
  readonly add: (texts: readonly string[]) => void;
  readonly close: () => void;
  readonly longestMs: () => number;
} {
  const { target } = new Story().state;
  const store = createStore(initialState({ target, reading: createReading(), now: 0, timeBox }), () => {});
  let number = 0;
  const add = (texts: readonly string[]): void => {
    const numbered = texts.map((text) => ({ number: ++number, text }));
    store.dispatch({ type: 'log-lines', at: 0, lines: numbered, offset: number, size: number });
  };
  add(lines);
  const close = searchInSlices(store, () => 0);
  let longestMs = 0;
  return {
    store,
    add,
    close,
    longestMs: () => longestMs,
    type: async (text) => {
      let last = performance.now();
      store.dispatch({ type: 'intent', at: 0, intent: { kind: 'filter-text', text } });
      do {
        longestMs = Math.max(longestMs, performance.now() - last);
        last = performance.now();
        await new Promise((resolve) => setImmediate(resolve));
      } while (isSearching(store.state()));
    },
  };
}

const shown = (store: Store): readonly string[] =>
  selectScreen(store.state())
    .log.rows(50)
    .map(({ text }) => text);

describe('a pattern that takes for ever', () => {
  const bad = `${'a'.repeat(60)}b`;
  const lines = Array.from({ length: 5_000 }, (_, index) => (index === 3_000 ? bad : `aa line ${index} aa`));

  it('is tried on every line but those, and they are counted', async () => {
    const log = searching(lines);
    await log.type('(a+)+$');
    const { matched, slow } = selectScreen(log.store.state()).log;
    expect(matched).toMatchObject({ count: 4_999, of: 5_000, share: 1 });
    expect(slow).toEqual({ line: 3_001, left: 1, isStopped: false });
    expect(slow && slowWords(slow, true)).toBe('too slow on line 3,001: 1 line not searched');
    // Other programs have their time too; without a limit it would be years.
    expect(log.longestMs()).toBeLessThan(20_000);
    await log.type('line 42\\b');
    expect([shown(log.store), slowSearch(log.store.state())]).toEqual([['aa line 42 aa'], null]);
    log.close();
  });

  it('is so among new lines too, which are folded at once', async () => {
    const log = searching(lines.slice(0, 10));
    await log.type('(a+)+$');
    const began = performance.now();
    log.add(['x aa', bad, 'y aa', bad]);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(log.store.state().log.ring.end).toBe(14);
    await log.type('(a+)+$');
    expect([shown(log.store).slice(-2), slowSearch(log.store.state())?.left]).toEqual([['x aa', 'y aa'], 2]);
    log.close();
  });

  it('is given up where most lines are such, and says how many were not searched', async () => {
    // A clock by which each look takes long: the real one would need half a minute.
    const { target } = new Story().state;
    const slowBox: typeof timeBox = (work, limitMs) => ({
      ...timeBox(work, Math.min(limitMs, 5)),
      cpuMs: 2_000,
    });
    const store = createStore(
      initialState({ target, reading: createReading(), now: 0, timeBox: slowBox }),
      () => {},
    );
    const numbered = Array.from({ length: 400 }, (_, index) => ({ number: index + 1, text: bad }));
    store.dispatch({ type: 'log-lines', at: 0, lines: numbered, offset: 1, size: 1 });
    store.dispatch({ type: 'intent', at: 0, intent: { kind: 'filter-text', text: '(a+)+$' } });
    while (isSearching(store.state())) store.dispatch({ type: 'search', at: 0, lines: 256 });
    const { slow, matched } = selectScreen(store.state()).log;
    expect(slow).toMatchObject({ left: 400, isStopped: true });
    expect(matched?.share).toBeLessThan(1);
    expect(slow && slowWords(slow, true)).toMatch(/^too slow on line 39\d: stopped, 400 lines not searched$/);
    store.dispatch({ type: 'intent', at: 0, intent: { kind: 'match', direction: -1 } });
    expect(store.state().notice?.text).toBe('no match above; too slow: 400 lines not searched');
  });
});
