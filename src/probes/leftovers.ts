import type { Host } from '../host/host.js';
import { run } from '../host/run.js';
import { scriptCommand } from '../remote/script.js';

/** A script of ours on the host, as its hello line tells: by all three it is found again and nothing else is. */
export interface Leftover {
  readonly pid: string;
  readonly startTicks: string;
  readonly boot: string;
  /** A word of its command line that holds its nonce. */
  readonly mark: string;
}

const running = new WeakMap<Host, Set<Leftover>>();

/** Notes a script that runs on a connection. Returns what strikes it out, for when its end is known. */
export function noteRunning(host: Host, script: Leftover): () => void {
  const scripts = running.get(host) ?? new Set();
  running.set(host, scripts);
  scripts.add(script);
  return () => {
    scripts.delete(script);
  };
}

/** The scripts whose end on that connection is not known. */
export const leftOn = (host: Host): readonly Leftover[] => [...(running.get(host) ?? [])];

/**
 * Ends what a lost connection has left on the host, with everything that it started. The scripts would do so
 * themselves within 25 s; until then they would use up processes and, on some hosts, sessions. Rejects as `run` does.
 */
export async function reap(host: Host, leftovers: readonly Leftover[]): Promise<void> {
  if (leftovers.length === 0) return;
  const args = leftovers.flatMap(({ pid, startTicks, boot, mark }) => [pid, startTicks, boot, mark]);
  await run(host, scriptCommand('alive-reap', args));
}
