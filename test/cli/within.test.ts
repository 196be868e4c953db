import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { within } from '../../src/cli/within.js';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

describe('a time limit beside a signal', () => {
  it('ends the wait though nobody holds it and garbage is collected meanwhile', async () => {
    const outer = new AbortController();
    const collecting = setInterval(collectGarbage, 10);
    // The promise is all that is left of it, as in a function that waits for that alone.
    await aborted(within(outer.signal, 150).signal);
    clearInterval(collecting);
    expect(outer.signal.aborted).toBe(false);
  });

  it('ends it with the signal, and not by itself once it is stopped', () => {
    vi.useFakeTimers();
    const outer = new AbortController();
    const { signal, stop } = within(outer.signal, 20);
    stop();
    vi.advanceTimersByTime(60);
    vi.useRealTimers();
    expect(signal.aborted).toBe(false);
    outer.abort();
    expect(signal.aborted).toBe(true);
  });
});
