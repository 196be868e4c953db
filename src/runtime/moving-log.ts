import type { Host } from '../host/host.js';
import type { Probe } from './keep-running.js';

/** What follows a log; one that is left is read to its end first, where it can be. */
export interface LogReader extends Probe {
  readonly runToEnd?: (host: Host, signal: AbortSignal) => Promise<void>;
}

/** The same that may be pointed at another file while it runs. */
export interface MovingLog<Reader extends LogReader> extends Probe {
  /** Follows the log at `path` from now on, from its first byte; false where it does already. */
  readonly moveTo: (path: string) => boolean;
  /** Reads what was left, then the present one, to their ends. */
  readonly runToEnd: (host: Host, signal: AbortSignal) => Promise<void>;
  readonly current: () => Reader;
}

/** `open` makes what reads a file. */
export function createMovingLog<Reader extends LogReader>(
  path: string,
  open: (path: string) => Reader,
): MovingLog<Reader> {
  let at = path;
  let current = open(path);
  let moved = new AbortController();
  /** Those that were left, and are not read to their ends. */
  const left: Reader[] = [];
  const finishLeft = async (host: Host, signal: AbortSignal): Promise<void> => {
    for (let [last] = left; last !== undefined && !signal.aborted; [last] = left) {
      await last.runToEnd?.(host, signal);
      if (!signal.aborted) left.shift();
    }
  };
  return {
    async run(host, signal) {
      while (!signal.aborted) {
        await finishLeft(host, signal);
        if (signal.aborted) return;
        const here = moved.signal;
        await current.run(host, AbortSignal.any([signal, here]));
        if (!here.aborted) return;
      }
    },
    async runToEnd(host, signal) {
      await finishLeft(host, signal);
      if (!signal.aborted) await current.runToEnd?.(host, signal);
    },
    moveTo(next) {
      if (next === at) return false;
      at = next;
      left.push(current);
      current = open(next);
      const before = moved;
      moved = new AbortController();
      before.abort();
      return true;
    },
    current: () => current,
  };
}
