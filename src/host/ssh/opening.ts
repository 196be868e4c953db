import type { FiredupError } from '../../errors.js';
import { interrupted } from '../failures.js';
import { onAbort } from '../on-abort.js';

/** What ends everything that waits on one connection: its loss, or our own `close()`. */
export interface Stopper {
  stop(error: FiredupError): void;
  /** Calls `listener` on `stop`; returns what unsubscribes it. */
  onStop(listener: (error: FiredupError) => void): () => void;
}

export function stopper(): Stopper {
  // Not an AbortSignal: it would warn about a leak from the eleventh waiting command on.
  const listeners = new Set<(error: FiredupError) => void>();
  return {
    stop(error) {
      for (const listener of listeners) listener(error);
      listeners.clear();
    },
    onStop(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export interface OpeningLimits {
  readonly ms: number;
  readonly late: () => FiredupError;
  readonly stopper: Stopper;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs `work` until it is done, late, stopped or aborted, whichever comes first: ssh2 never calls back on a dead
 * link. `work` gets the signal by which it learns that nobody waits any more.
 */
export async function opening<T>(
  limits: OpeningLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(limits.late()), limits.ms);
  const off = limits.stopper.onStop((error) => controller.abort(error));
  const offAbort = onAbort(limits.signal, () => controller.abort(interrupted('The command')));
  try {
    return await new Promise<T>((resolve, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason));
      controller.signal.throwIfAborted();
      work(controller.signal).then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    off();
    offAbort();
  }
}
