import { isSearching } from '../core/filter.js';
import type { Store } from './store.js';

/** How long a slice may take (ms): keys wait for no longer than a few of these. */
const sliceMs = 8;

/** Lines of a slice, before anybody knows how fast this machine is. */
const firstLines = 8192;

/**
 * Looks through the log for the filter, slice by slice, while there is something to look through; between two slices
 * keys and the connection have their turn. Returns what ends it.
 */
export function searchInSlices(store: Store, now: () => number): () => void {
  let next: NodeJS.Immediate | undefined;
  let lines = firstLines;

  const slice = (): void => {
    next = undefined;
    const began = performance.now();
    store.dispatch({ type: 'search', at: now(), lines });
    const tookMs = Math.max(0.1, performance.now() - began);
    // Half of the way to what would have taken just as long as it may: one slow slice says little.
    const ideal = lines * (sliceMs / tookMs);
    lines = Math.round(Math.min(65_536, Math.max(256, (lines + ideal) / 2)));
    goOn();
  };
  const goOn = (): void => {
    if (next === undefined && isSearching(store.state())) next = setImmediate(slice);
  };

  const unsubscribe = store.subscribe(() => goOn());
  return () => {
    unsubscribe();
    clearImmediate(next);
    next = undefined;
  };
}
