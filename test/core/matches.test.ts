import { describe, expect, it } from 'vitest';
import { LogRing } from '../../src/core/log-ring.js';
import { Matches } from '../../src/core/matches.js';
import { deflate } from '../../src/runtime/squeeze.js';

const fill = (ring: LogRing, count: number): LogRing => {
  const from = ring.end;
  for (let number = from + 1; number <= from + count; number += 1) {
    ring.push({ number, text: `line ${number}`, level: 'info', rank: null, milestone: false });
  }
  return ring;
};

const tens = (ring: LogRing): Matches => new Matches(ring, (chunk, at) => chunk.text(at).endsWith('0'));

const all = (matches: Matches): readonly (number | undefined)[] =>
  Array.from({ length: matches.count }, (_, index) => matches.at(index));

const everyTenth = (from: number, to: number): readonly number[] =>
  Array.from({ length: (to - from) / 10 }, (_, index) => from + index * 10);

describe('a search through the ring', () => {
  it('finds the newest lines first, slice by slice, and each of them once', () => {
    const ring = fill(new LogRing(20_000, { squeeze: deflate, plainBytes: 0 }), 10_000);
    const matches = tens(ring);
    matches.advance(100);
    expect([matches.isComplete, all(matches)]).toEqual([false, everyTenth(9_909, 10_009)]);
    expect(matches.share).toBeCloseTo(0.01);
    for (let slice = 0; slice < 200 && !matches.isComplete; slice += 1) matches.advance(77);
    expect([matches.isComplete, matches.share]).toEqual([true, 1]);
    expect(all(matches)).toEqual(everyTenth(9, 10_009));
  });

  it('looks at new lines before older ones, and forgets what the ring has given up', () => {
    const ring = fill(new LogRing(2_000), 2_000);
    const matches = tens(ring);
    matches.advance(500);
    fill(ring, 1_000);
    matches.advanceNew();
    expect(all(matches)).toEqual(everyTenth(1_509, 3_009));
    matches.advance(10_000);
    expect(all(matches)).toEqual(everyTenth(1_009, 3_009));
    fill(ring, 5_000);
    matches.advanceNew();
    expect([all(matches), matches.isComplete]).toEqual([everyTenth(6_009, 8_009), true]);
  });

  it('leaves out a line that a pattern cannot take, and hides no other fault', () => {
    const failing = (error: Error): Matches =>
      new Matches(fill(new LogRing(100), 10), (chunk, at) => {
        if (chunk.text(at) === 'line 3') throw error;
        return true;
      });
    const tooLarge = failing(new RangeError('Maximum call stack size exceeded'));
    tooLarge.advance(100);
    expect([tooLarge.count, tooLarge.tooSlow]).toEqual([9, 1]);
    expect(() => failing(new TypeError('a bug')).advance(100)).toThrow('a bug');
  });

  it('tells where a line stands among those found', () => {
    const matches = tens(fill(new LogRing(1_000), 100));
    matches.advance(1_000);
    expect([matches.before(0), matches.before(9), matches.before(10), matches.before(99)]).toEqual([
      0, 0, 1, 9,
    ]);
    expect([matches.has(9), matches.has(10), matches.has(99), matches.has(500)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('takes a slice of long lines for more', () => {
    const ring = new LogRing(1_000);
    for (let number = 1; number <= 100; number += 1) {
      ring.push({ number, text: 'x'.repeat(20_000), level: 'info', rank: null, milestone: false });
    }
    let looked = 0;
    const matches = new Matches(ring, () => {
      looked += 1;
      return false;
    });
    matches.advance(10);
    expect(looked).toBeLessThan(30);
  });
});
