import type { State } from './state.js';

/** The pattern takes too long for some lines, so that what is shown is not all that there is. */
export interface SlowSearch {
  /** Number of the line, the first one met; null where that is not known. */
  readonly line: number | null;
  /** Lines that were not searched. */
  readonly left: number;
  /** The search was given up; else it went on without them. */
  readonly isStopped: boolean;
}

/** What the pattern in use takes too long for; null: nothing so far. */
export function slowSearch({ log, view }: State): SlowSearch | null {
  const found = view.hits ?? view.shown;
  const seq = found?.stoppedAt ?? found?.slowAt ?? null;
  if (found === null || seq === null) return null;
  const isStopped = found.stoppedAt !== null;
  const left = found.tooSlow + (isStopped ? found.left : 0);
  return { line: log.ring.get(seq)?.number ?? null, left, isStopped };
}

/** `too slow: 812,000 lines not searched`; where there is room, at which line. */
export function slowWords({ line, left, isStopped }: SlowSearch, isLong: boolean): string {
  const lines = `${left.toLocaleString('en')} ${left === 1 ? 'line' : 'lines'} not searched`;
  if (!isLong || line === null) return `too slow: ${lines}`;
  return `too slow on line ${line.toLocaleString('en')}: ${isStopped ? 'stopped, ' : ''}${lines}`;
}
