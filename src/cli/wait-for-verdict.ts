import type { State } from '../core/state.js';
import { exitCodes } from '../errors.js';
import type { Store } from '../runtime/store.js';

export interface Ending {
  readonly exitCode: number;
  /** The verdict's outcome, or `timeout`. */
  readonly outcome: string;
}

/** After the first fatal sign, the log must be quiet for this long before its cause is named (ms) … */
const settledMs = 1200;
/** … but it is named at the latest after this. */
const latestMs = 6000;
/** Where its process lives on, it is not named before this: other ranks may still have their say. */
const earliestMs = 3000;
/** How long nothing may show whether what is left is the server, before that is the answer (ms). */
const doubtMs = 10_000;

/**
 * Resolves with how it ended: a verdict that stands, the connection lost for good, a finished log, or the time
 * that ran out. Never stops the server.
 */
export function waitForVerdict(store: Store, timeoutMs: number | null, signal: AbortSignal): Promise<Ending> {
  const beganAt = store.state().now;
  return firstEnding(store, (state) => endingOf(state) ?? timedOut(state, beganAt, timeoutMs), signal);
}

/** Resolves where no verdict can come: a folder, a device, or a file that may not be read, and nothing but it was given. */
export const findNoLog = (store: Store, signal: AbortSignal): Promise<Ending> =>
  firstEnding(
    store,
    (state) => (isNoLog(state) ? { exitCode: exitCodes.usage, outcome: 'unknown' } : null),
    signal,
  );

function firstEnding(
  store: Store,
  find: (state: State) => Ending | null,
  signal: AbortSignal,
): Promise<Ending> {
  return new Promise((resolve) => {
    const settle = (ending: Ending): void => {
      unsubscribe();
      resolve(ending);
    };
    const look = (state: State): void => {
      const ending = find(state);
      if (ending) settle(ending);
    };
    const unsubscribe = store.subscribe(look);
    signal.addEventListener(
      'abort',
      () => settle({ exitCode: exitCodes.interrupted, outcome: 'interrupted' }),
      { once: true },
    );
    look(store.state());
  });
}

function isNoLog({ log, target, attempt }: State): boolean {
  if (log.status !== 'unreadable' || !/^It is (?:a|not)|denied$/.test(log.detail ?? '')) return false;
  return attempt === null && target.pid === null && target.port === null && target.container == null;
}

function timedOut(state: State, beganAt: number, timeoutMs: number | null): Ending | null {
  if (timeoutMs === null || state.now - beganAt < timeoutMs) return null;
  const { outcome, provisional } = state.verdict;
  // A verdict that stands counts, though its cause may not have been told to the end.
  if (outcome === 'crashed' && !provisional) return { exitCode: exitCodes.crashed, outcome };
  if (outcome === 'stopped' && !provisional) return { exitCode: exitCodes.stopped, outcome };
  return { exitCode: exitCodes.timeout, outcome: 'timeout' };
}

function endingOf(state: State): Ending | null {
  const { verdict, link, process } = state;
  if (link.status === 'lost') return { exitCode: exitCodes.connection, outcome: 'unknown' };
  if (link.status !== 'up' || verdict.provisional) return null;
  switch (verdict.outcome) {
    case 'ready':
      return { exitCode: exitCodes.ready, outcome: 'ready' };
    case 'stalled':
      return { exitCode: exitCodes.stalled, outcome: 'stalled' };
    case 'stopped':
      return isSettled(state) ? { exitCode: exitCodes.stopped, outcome: 'stopped' } : null;
    case 'crashed':
      return isSettled(state) ? { exitCode: exitCodes.crashed, outcome: 'crashed' } : null;
    case 'unknown':
      // A finished log that was ready once, or ends in the middle; or a server that went after it was ready.
      return process.fact?.status === 'absent' || process.fact?.status === 'gone' || isDoubtful(state)
        ? { exitCode: exitCodes.timeout, outcome: 'unknown' }
        : null;
    case 'loading':
      return null;
  }
}

/** Something lives on, but for a while nothing has shown that it is the server. */
function isDoubtful({ now, verdict, process: { fact, aliveSince } }: State): boolean {
  if (fact?.status !== 'alive') return false;
  return now - Math.max(verdict.since, aliveSince ?? 0) >= doubtMs;
}

/** The ranks of a dying engine write for a while: the cause may come after the first fatal line. */
function isSettled({ now, verdict, log, process }: State): boolean {
  if (now - verdict.since >= latestMs) return true;
  const isEnded = process.fact?.status === 'gone' || process.fact?.status === 'absent';
  if (!isEnded && now - verdict.since < earliestMs) return false;
  return now - Math.max(verdict.since, log.lastAt ?? 0) >= settledMs;
}
