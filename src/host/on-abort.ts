import { setMaxListeners } from 'node:events';

/** Calls `listener` when `signal` aborts, at once where it has aborted already. Returns what unsubscribes it. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return () => {};
  if (signal.aborted) {
    listener();
    return () => {};
  }
  // One signal may stop many commands; Node would print a warning over the screen from the eleventh on.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
