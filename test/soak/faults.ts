import type { LinkProxy } from '../support/link-proxy.js';

/** Pseudo-random numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Fault = 'cut' | 'reset' | 'blackhole' | 'throttle' | 'delay' | 'refuse';

/** Faults that end the connection. */
export const breaks = (fault: Fault): boolean => fault !== 'throttle' && fault !== 'delay';

/** Makes the link bad in one way; `restore` of the proxy ends what lasts. */
export function inflict(proxy: LinkProxy, fault: Fault, random: () => number): void {
  if (fault === 'cut') proxy.cut();
  if (fault === 'reset') proxy.reset();
  if (fault === 'blackhole') proxy.blackhole();
  if (fault === 'throttle') proxy.throttle(20_000 + Math.floor(random() * 200_000));
  if (fault === 'delay') proxy.delay(20 + Math.floor(random() * 200));
  if (fault === 'refuse') {
    proxy.refuse(true);
    proxy.reset();
  }
}
