import { describe, expect, it } from 'vitest';
import { LogRing } from '../../src/core/log-ring.js';
import { deflate } from '../../src/runtime/squeeze.js';

const textOf = (number: number): string => `line ${number} ${number % 7 === 0 ? '宽 █▍ 🚀' : 'plain é'}`;

const fill = (ring: LogRing, count: number, text: (number: number) => string = textOf): LogRing => {
  const from = ring.end;
  for (let number = from + 1; number <= from + count; number += 1) {
    const rank = number % 3 === 0 ? null : `TP${number % 3}`;
    const level = number % 100 === 0 ? 'error' : 'info';
    ring.push({ number, text: text(number), level, rank, milestone: number % 50 === 0 });
  }
  return ring;
};

const entry = (number: number) => ({
  seq: number - 1,
  number,
  text: textOf(number),
  level: number % 100 === 0 ? 'error' : 'info',
  rank: number % 3 === 0 ? null : `TP${number % 3}`,
  milestone: number % 50 === 0,
});

describe('the log ring', () => {
  it('keeps the newest lines under sequence numbers that never repeat', () => {
    const ring = fill(new LogRing(10), 25);
    expect([
      ring.start,
      ring.end,
      ring.get(14),
      ring.get(15)?.number,
      ring.get(24)?.number,
      ring.get(25),
    ]).toEqual([15, 25, undefined, 16, 25, undefined]);
  });

  it.each([
    ['as it is', {}],
    ['squeezed', { squeeze: deflate, plainBytes: 0 }],
    ['in part squeezed', { squeeze: deflate, plainBytes: 60_000 }],
  ])('gives every line back as it was, %s', (_name, options) => {
    const ring = fill(new LogRing(50_000, options), 9_000);
    for (let number = 1; number <= 9_000; number += 1) expect(ring.get(number - 1)).toEqual(entry(number));
    // From any place, in any order.
    for (const number of [8_999, 1, 5_000, 1_024, 1_025, 4, 9_000]) {
      expect(ring.get(number - 1)).toEqual(entry(number));
    }
  });

  it('keeps lines of any length, and an unknown number apart from 0', () => {
    const ring = new LogRing(100);
    const texts = ['', 'x'.repeat(70_000), '', '\t', 'y'.repeat(300_000), 'z'];
    texts.forEach((text, index) => {
      ring.push({ number: index === 2 ? null : index, text, level: 'warning', rank: null, milestone: false });
    });
    expect(texts.map((_, seq) => ring.get(seq)?.text)).toEqual(texts);
    expect(texts.map((_, seq) => ring.get(seq)?.number)).toEqual([0, 1, null, 3, 4, 5]);
  });

  it('keeps no more bytes than its budget, but always the newest lines', () => {
    const options = { budgetBytes: 1_000_000 };
    const ring = fill(new LogRing(100_000, options), 8_000, () => 'x'.repeat(1000));
    expect(ring.bytes).toBeLessThan(1_300_000);
    expect(ring.end - ring.start).toBeGreaterThan(600);
    expect(ring.end).toBe(8_000);
    fill(ring, 1, () => 'y'.repeat(5_000_000));
    fill(ring, 1, () => 'last');
    expect(ring.get(8_000)?.text.length).toBe(5_000_000);
    expect(ring.get(8_001)?.text).toBe('last');
    fill(ring, 3_000);
    expect(ring.get(8_000)).toBeUndefined();
  });

  it('goes on in two ways from a fork', () => {
    const ring = fill(new LogRing(5_000, { squeeze: deflate, plainBytes: 10_000 }), 3_500);
    const other = ring.fork();
    fill(ring, 4_000);
    other.push({ number: null, text: 'another', level: 'info', rank: 'TP9', milestone: false });
    expect([other.start, other.end, ring.start, ring.end]).toEqual([0, 3_501, 2_500, 7_500]);
    expect(other.get(3_500)).toMatchObject({ text: 'another', rank: 'TP9', number: null });
    expect(other.get(3_499)).toEqual(entry(3_500));
    expect(other.get(0)).toEqual(entry(1));
    expect(ring.get(3_500)).toEqual(entry(3_501));
  });

  it('is empty at first', () => {
    const ring = new LogRing(5);
    expect([ring.start, ring.end, ring.get(0)]).toEqual([0, 0, undefined]);
  });
});
