/** Waits between tries to connect (ms), before jitter; the last one repeats. */
const stepsMs = [1000, 2000, 4000, 8000, 15_000, 30_000] as const;

/** Wait before try number `failures` + 1, spread by ± 30 % so that many clients do not come at once. `random` is 0 to 1. */
export function backoffMs(failures: number, random: number): number {
  const step = stepsMs[Math.min(failures, stepsMs.length - 1)] ?? 30_000;
  return Math.round(step * (0.7 + 0.6 * random));
}
