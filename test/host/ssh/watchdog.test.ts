import { describe, expect, it } from 'vitest';
import { type LinkWatch, lookAtLink } from '../../../src/host/ssh/watchdog.js';

const periodMs = 250;

/** Looks every period from 0 to `untilMs`; returns when the link was called dead. */
function deadAt(
  untilMs: number,
  bytesInAt: (ms: number) => number,
  options: {
    bytesOutAt?: (ms: number) => number;
    wallAt?: (ms: number) => number;
    looks?: (ms: number) => boolean;
  } = {},
): number | null {
  let watch: LinkWatch | null = null;
  for (let ms = 0; ms <= untilMs; ms += periodMs) {
    if (options.looks?.(ms) === false) continue;
    const look = {
      monoMs: ms,
      wallMs: options.wallAt?.(ms) ?? ms,
      bytesIn: bytesInAt(ms),
      bytesOut: options.bytesOutAt?.(ms) ?? 0,
    };
    const next = lookAtLink(watch, look, periodMs);
    if (next.dead) return ms;
    watch = next.watch;
  }
  return null;
}

describe('the watchdog of a link', () => {
  it('calls a silent link dead within 10 s of its last byte', () => {
    const dead = deadAt(60_000, (ms) => Math.min(ms, 20_000));
    expect(dead).toBeGreaterThanOrEqual(28_000);
    expect(dead).toBeLessThan(30_000);
  });

  it('never does while bytes come, however few', () => {
    expect(deadAt(600_000, (ms) => Math.floor(ms / 7000))).toBeNull();
  });

  it('starts anew after the process was stopped, by the steady clock', () => {
    const stopped = (ms: number) => ms < 5000 || ms > 60_000;
    expect(deadAt(66_000, () => 1, { looks: stopped })).toBeNull();
    expect(deadAt(70_000, () => 1, { looks: stopped })).toBe(68_250);
  });

  it('starts anew after the machine was suspended, which only the calendar clock sees', () => {
    const wallAt = (ms: number) => (ms < 7000 ? ms : ms + 3_600_000);
    expect(deadAt(14_750, () => 1, { wallAt })).toBeNull();
    expect(deadAt(20_000, () => 1, { wallAt })).toBe(15_000);
  });

  it('is not misled by a calendar clock that is set back', () => {
    expect(deadAt(20_000, () => 1, { wallAt: (ms) => (ms < 3000 ? ms : ms - 3_600_000) })).toBe(8000);
  });

  it('waits for the answer to a large upload on a slow uplink, but not for ever', () => {
    expect(deadAt(60_000, () => 1, { bytesOutAt: (ms) => (ms > 500 ? 96 * 1024 : 0) })).toBe(14_000);
    expect(deadAt(60_000, () => 1, { bytesOutAt: (ms) => ms * 1000 })).toBe(28_000);
  });

  it('is not stretched by our own pings', () => {
    expect(deadAt(60_000, () => 1, { bytesOutAt: (ms) => Math.floor(ms / 2000) * 100 })).toBeLessThan(8_600);
  });
});
