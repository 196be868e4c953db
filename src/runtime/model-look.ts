import type { Event } from '../core/events.js';
import type { WantedProbes } from '../core/wanted.js';
import type { Host } from '../host/host.js';
import { readModelSize } from './model-size.js';

/**
 * Looks once at the size of each model that is wanted. A look that fails leaves the size unknown, which costs an estimate
 * and nothing else; one that a lost connection cut short is made again on the next.
 */
export function createModelLook(options: {
  readonly dispatch: (event: Event) => void;
  readonly now: () => number;
}): (
  wanted: WantedProbes['model'],
  place: { readonly host: Host; readonly signal: AbortSignal } | null,
) => void {
  let looked: string | null = null;
  return (wanted, place) => {
    if (wanted === null || place === null) return;
    const key = `${wanted.pid} ${wanted.path}`;
    if (key === looked) return;
    looked = key;
    const { host, signal } = place;
    readModelSize(host, { pid: wanted.pid, model: wanted.path }, signal)
      .then((bytes) => {
        if (bytes !== null) options.dispatch({ type: 'model-size', at: options.now(), bytes });
      })
      .catch(() => {
        if (signal.aborted && looked === key) looked = null;
      });
  };
}
