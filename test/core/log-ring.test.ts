import { describe, expect, it } from 'vitest';
import { LogRing } from '../../src/core/log-ring.js';

const fill = (ring: LogRing, count: number, text = 'x'): LogRing => {
  for (let number = 1; number <= count; number += 1) {
    ring.push({ number, text, level: 'info', rank: null, milestone: false });
  }
  return ring;
};

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

  it('keeps no more characters than its budget, but always the newest line', () => {
    const ring = fill(new LogRing(1000, 100), 50, 'x'.repeat(30));
    expect([ring.start, ring.end]).toEqual([47, 50]);
    fill(ring, 1, 'y'.repeat(5000));
    expect([ring.start, ring.end, ring.get(50)?.text.length]).toEqual([50, 51, 5000]);
  });

  it('is empty at first', () => {
    const ring = new LogRing(5);
    expect([ring.start, ring.end, ring.get(0)]).toEqual([0, 0, undefined]);
  });
});
