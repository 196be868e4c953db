import { setTimeout as sleep } from 'node:timers/promises';

/** Simulated time: everything that takes long in the real engine waits here. */
export interface Pace {
  /** Waits `ms` of simulated time. */
  pause(ms: number): Promise<void>;
  /** Simulated seconds since the pace began. */
  seconds(): number;
}

/** A pace that runs `speed` times as fast as the clock. Late timers are made up for at the next pause. */
export function createPace(speed: number): Pace {
  const begin = performance.now();
  let due = begin;
  return {
    async pause(ms) {
      const now = performance.now();
      // What was lost to slow timers may be caught up with, but not a real wait such as a barrier.
      due = Math.max(due, now - 40) + ms / speed;
      if (due > now) await sleep(due - now);
    },
    seconds: () => ((performance.now() - begin) * speed) / 1000,
  };
}
