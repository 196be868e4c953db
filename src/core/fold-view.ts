import { type FoldKind, foldKinds } from './log-fold.js';
import type { LogRing } from './log-ring.js';

/** A group of lines that is shown as one row, as far as it has come. */
export interface Fold {
  /** Its first line that is kept: what it is known by. */
  readonly first: number;
  /** How often the line, or the traceback, is there. */
  readonly copies: number;
  readonly lines: number;
}

/**
 * Whether the line stands for itself in a log that is shown down to `bottom`, or for its group: of copies the first
 * line, so that it stays where it is while their number goes up; of a bar the newest frame; of a traceback its
 * exception.
 */
export function standsForItself(ring: LogRing, seq: number, bottom: number): boolean {
  const kind = kindOf(ring, seq);
  switch (kind) {
    case foldKinds.none:
      return true;
    case foldKinds.copy:
      return before(ring, seq) === null;
    case foldKinds.bar: {
      const next = after(ring, seq);
      return next === null || next > bottom;
    }
    case foldKinds.frame:
      return false;
    case foldKinds.end: {
      const next = nextEnd(ring, seq);
      return next === null || next > bottom;
    }
  }
}

/** The group of the line `seq`, of a bar or a traceback down to `bottom`; null where it is none, or only one line yet. */
export function foldAt(ring: LogRing, seq: number, bottom: number): Fold | null {
  const kind = kindOf(ring, seq);
  if (kind === foldKinds.none) return null;
  const first = firstOf(ring, seq);
  // Copies below the first are nowhere else.
  const last = kind === foldKinds.copy ? Number.POSITIVE_INFINITY : bottom;
  let lines = 0;
  let ends = 0;
  for (let at: number | null = first; at !== null && at <= last; at = after(ring, at)) {
    lines += 1;
    if (kindOf(ring, at) === foldKinds.end) ends += 1;
  }
  if (lines < 2) return null;
  return { first, lines, copies: kind === foldKinds.copy ? lines : kind === foldKinds.bar ? 1 : ends };
}

/** The first line, as far as it is kept, of the group that the line belongs to. */
export function firstOf(ring: LogRing, seq: number): number {
  let first = seq;
  for (let at = before(ring, seq); at !== null; at = before(ring, at)) first = at;
  return first;
}

/** The last line of the group that the line belongs to. */
export function lastOf(ring: LogRing, seq: number): number {
  let last = seq;
  for (let at = after(ring, seq); at !== null; at = after(ring, at)) last = at;
  return last;
}

/** The line of its group that is shown for the line `seq`, in a log shown down to `bottom`. */
export const rowOf = (ring: LogRing, seq: number, bottom: number): number =>
  rowFrom(ring, firstOf(ring, seq), bottom) ?? seq;

/** Looks at many lines of one ring: each group is walked along once, however many of its lines are asked for. */
export function groupsOf(ring: LogRing): {
  readonly firstOf: (seq: number) => number;
  readonly rowOf: (seq: number, bottom: number) => number;
} {
  const firsts = new Map<number, number>();
  const rows = new Map<number, number | null>();
  const first = (seq: number): number => {
    const path: number[] = [];
    let at = seq;
    for (let next: number | null = at; next !== null && !firsts.has(at); next = before(ring, at)) {
      at = next;
      path.push(at);
    }
    const found = firsts.get(at) ?? at;
    for (const passed of path) firsts.set(passed, found);
    return found;
  };
  return {
    firstOf: first,
    rowOf: (seq, bottom) => {
      const group = first(seq);
      const known = rows.get(group);
      const row = known === undefined ? rowFrom(ring, group, bottom) : known;
      rows.set(group, row);
      return row ?? seq;
    },
  };
}

function rowFrom(ring: LogRing, first: number, bottom: number): number | null {
  for (let at: number | null = first; at !== null && at <= bottom; at = after(ring, at)) {
    if (standsForItself(ring, at, bottom)) return at;
  }
  return null;
}

function kindOf(ring: LogRing, seq: number): FoldKind {
  const chunk = ring.peek(seq);
  return (chunk?.fold[seq - chunk.first] ?? foldKinds.none) as FoldKind;
}

function before(ring: LogRing, seq: number): number | null {
  const chunk = ring.peek(seq);
  const distance = chunk?.before[seq - chunk.first] ?? 0;
  return distance === 0 || seq - distance < ring.start ? null : seq - distance;
}

function after(ring: LogRing, seq: number): number | null {
  const chunk = ring.peek(seq);
  const distance = chunk?.after[seq - chunk.first] ?? 0;
  return distance === 0 ? null : seq + distance;
}

function nextEnd(ring: LogRing, seq: number): number | null {
  let at = after(ring, seq);
  while (at !== null && kindOf(ring, at) !== foldKinds.end) at = after(ring, at);
  return at;
}
