import type { Host } from '../host/host.js';
import { pause } from './pause.js';

/** A probe as the runtime sees it: runs on a host until the signal, and rejects when it breaks. */
export interface Probe {
  readonly run: (host: Host, signal: AbortSignal) => Promise<void>;
}

/** Who ran for so long before it broke begins with the shortest wait again (ms). */
const steadyMs = 60_000;

/** Waits between restarts of a broken probe (ms); the last one repeats. */
const restartMs = [500, 2000, 5000, 15_000] as const;

/**
 * Runs a probe, and again when it breaks, until `signal` aborts. `onFault` hears of each break with how many came
 * before it. Never rejects.
 */
export async function keepRunning(
  probe: Probe,
  host: Host,
  signal: AbortSignal,
  onFault: (error: unknown, earlier: number) => void,
): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const beganAt = performance.now();
    try {
      await probe.run(host, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (performance.now() - beganAt >= steadyMs) failures = 0;
      onFault(error, failures);
    }
    await pause(restartMs[Math.min(failures, restartMs.length - 1)] ?? 15_000, signal);
  }
}
