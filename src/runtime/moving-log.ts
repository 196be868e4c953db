import type { LogProbe } from '../probes/log.js';
import type { Probe } from './keep-running.js';

/** A log probe that may be pointed at another file while it runs. */
export interface MovingLog extends Probe {
  /** Follows the log at `path` from now on, from its first byte; nothing happens where it does already. */
  readonly moveTo: (path: string) => void;
  /** As `LogProbe.setWritesTo`. */
  readonly setWritesTo: (path: string) => void;
}

/** `open` makes the probe of a file. */
export function createMovingLog(path: string, open: (path: string) => LogProbe): MovingLog {
  let at = path;
  let current = open(path);
  let moved = new AbortController();
  return {
    async run(host, signal) {
      for (let here = moved.signal; ; here = moved.signal) {
        await current.run(host, AbortSignal.any([signal, here]));
        if (signal.aborted || !here.aborted) return;
      }
    },
    moveTo(next) {
      if (next === at) return;
      at = next;
      current = open(next);
      const before = moved;
      moved = new AbortController();
      before.abort();
    },
    setWritesTo: (other) => current.setWritesTo(other),
  };
}
