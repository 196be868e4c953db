import type { Remedy } from './report.js';

/** A remedy that people carry out themselves. */
export const step = (id: string, title: string, why: string): Remedy => ({
  id,
  title,
  why,
  change: null,
  url: null,
});

/** Where Linux says which processes were killed for memory. */
export const kernelKills =
  'dmesg -T | grep -iE "out of memory|oom-kill|killed process", and memory.events of its cgroup';
