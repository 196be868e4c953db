import type { HistoryEntry } from '../core/history.js';
import { currentEntry, isFinal } from '../core/run-entry.js';
import type { State } from '../core/state.js';
import { isUnderWay } from '../core/under-way.js';
import { describeError } from '../errors.js';
import { readHistory, writeHistory } from '../store/history.js';
import type { PathEnvironment } from '../store/paths.js';
import type { Store } from './store.js';

export interface HistoryOptions {
  readonly env: PathEnvironment;
  /** Whose earlier attempts are shown; later ones are kept under the names that they have. */
  readonly server: { readonly host: string; readonly name: string };
  readonly now: () => number;
}

/** The ranks of a dying engine write for a while: what is kept are its last words (ms). */
const settledMs = 1000;

/**
 * Reads what is kept of earlier attempts into the store, and keeps each attempt that has an outcome, again when there
 * is more to say of it. A disk that refuses is told once and spoils nothing. `close` waits until all is written; once it
 * was asked for, nothing later is kept.
 */
export function keepHistory(
  store: Store,
  { env, server, now }: HistoryOptions,
): { readonly close: () => Promise<void> } {
  const kept = new WeakSet<HistoryEntry>();
  let seen = store.state().history;
  let written = '';
  let failed = false;
  let isLoaded = false;
  const loaded = load().then(() => {
    isLoaded = true;
  });
  let queue = loaded;

  let closing: Promise<void> | null = null;

  const unsubscribe = store.subscribe((state, event) => {
    if (state.history !== seen) {
      for (const entry of state.history) {
        if (!kept.has(entry) && event.type !== 'history') write(entry);
        kept.add(entry);
      }
      seen = state.history;
    }
    // What was done differently is known only beside the attempt before.
    if (event.type === 'tick' && isLoaded && isSettled(state)) keepCurrent(state);
  });

  return {
    close() {
      closing ??= finish();
      return closing;
    },
  };

  async function finish(): Promise<void> {
    unsubscribe();
    await loaded;
    keepCurrent(store.state());
    await queue;
  }

  async function load(): Promise<void> {
    try {
      const { entries } = await readHistory(env, server.host, server.name);
      if (entries.length > 0) store.dispatch({ type: 'history', at: now(), entries });
    } catch (error) {
      tell(error);
    }
  }

  function keepCurrent(state: State): void {
    const key = keyOf(state);
    if (key === null || key === written) return;
    const entry = currentEntry(state);
    if (entry === null || !isFinal(entry.outcome)) return;
    written = key;
    write(entry);
  }

  function write(entry: HistoryEntry): void {
    queue = queue.then(() => writeHistory(env, entry)).catch(tell);
  }

  function tell(error: unknown): void {
    if (failed) return;
    failed = true;
    store.dispatch({ type: 'notice', at: now(), level: 'warning', text: describeError(error) });
  }
}

/** What an outcome worth keeping hangs on; null while there is none, or it is not final. */
function keyOf(state: State): string | null {
  const { verdict, attempt, process } = state;
  if (verdict.provisional || isUnderWay(state)) return null;
  const gone = process.fact?.status === 'gone';
  if (!isFinal(verdict.outcome) && !gone) return null;
  return JSON.stringify([attempt?.number, process.lastSeen?.pid, verdict.outcome, verdict.summary, gone]);
}

function isSettled({ now, verdict, log }: State): boolean {
  return verdict.outcome === 'ready' || now - Math.max(verdict.since, log.lastAt ?? 0) >= settledMs;
}
