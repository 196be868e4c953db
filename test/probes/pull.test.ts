import { describe, expect, it } from 'vitest';
import { createPull, pullUnit } from '../../src/probes/pull.js';

interface Link {
  readonly bytesPerSecond: number;
  readonly roundTripMs: number;
}

/** Reads `bytes` over a link that carries one piece after the other; what the longest queue on it was (ms). */
function read(bytes: number, linkAt: (now: number) => Link): { seconds: number; longestQueueMs: number } {
  const pull = createPull();
  let now = 0;
  let read = 0;
  /** When the link is free again, and what the host may send from when on. */
  let freeAt = 0;
  let longestQueueMs = 0;
  const allowed = [{ at: 0, bytes: pull.firstBytes }];
  while (read < bytes) {
    const next = allowed.shift();
    if (next === undefined) throw new Error('Nothing more was asked for.');
    for (let left = Math.min(next.bytes, bytes - read); left > 0; left -= pullUnit) {
      const piece = Math.min(left, pullUnit);
      const { bytesPerSecond, roundTripMs } = linkAt(now);
      const start = Math.max(freeAt, next.at + roundTripMs / 2);
      // The first second is for learning what the link is.
      if (now > 1000) longestQueueMs = Math.max(longestQueueMs, freeAt - (next.at + roundTripMs / 2));
      freeAt = start + (1000 * piece) / bytesPerSecond;
      now = freeAt + roundTripMs / 2;
      read += piece;
      const units = pull.took(piece, read < bytes, now);
      if (units > 0) allowed.push({ at: now, bytes: units * pullUnit });
    }
  }
  return { seconds: now / 1000, longestQueueMs };
}

describe('asking for a log in pieces', () => {
  it.each([
    ['a slow one', 100e3, 40],
    ['one of 1 MB/s', 1e6, 60],
    ['a good one', 10e6, 20],
  ])('fills %s, and no answer of others waits for long behind it', (_, bytesPerSecond, roundTripMs) => {
    const seconds = 25;
    const took = read(bytesPerSecond * seconds, () => ({ bytesPerSecond, roundTripMs }));
    expect(took.seconds).toBeLessThan(seconds * 1.25);
    expect(took.longestQueueMs).toBeLessThan(320);
  });

  it('fills a fast link over which an answer takes 100 ms at more than 15 MB/s', () => {
    const took = read(400e6, () => ({ bytesPerSecond: 100e6, roundTripMs: 100 }));
    expect(400e6 / took.seconds).toBeGreaterThan(15e6);
  });

  it('finds out within a minute that the way has become a longer one', () => {
    const linkAt = (now: number): Link => ({ bytesPerSecond: 20e6, roundTripMs: now < 10_000 ? 10 : 300 });
    const took = read(500e6, linkAt);
    expect(took.seconds).toBeLessThan(150);
  });

  it('asks for nothing while nothing comes, and for as much as has come afterwards', () => {
    const pull = createPull();
    let asked = pull.firstBytes;
    let came = 0;
    // A log that is written a line at a time, with hours between the lines.
    for (let line = 0; line < 5000; line += 1) {
      const piece = Math.min(200, asked - came);
      expect(piece).toBeGreaterThan(0);
      came += piece;
      asked += pull.took(piece, false, line * 3_600_000) * pullUnit;
    }
    expect(asked - came).toBeGreaterThan(0);
    expect(asked - came).toBeLessThanOrEqual(2 * 1024 * 1024);
  });
});
