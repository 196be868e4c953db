import { type TimeBox, unlimited } from '../time-box.js';
import { quickSteps, stepBound } from '../triage/pattern-steps.js';
import { groupsOf, rowOf, standsForItself } from './fold-view.js';
import { type LineTest, Matches } from './matches.js';
import { isEmptyQuery, type Query } from './query.js';
import type { State } from './state.js';
import type { ViewState } from './view-state.js';

/** Lines looked at within one event, so that what is in sight is right at once. About 2 ms. */
const firstSlice = 4096;

/** Begins the searches anew that the filters ask for. */
export function search(state: State): State {
  const { ring } = state.log;
  const { view } = state;
  const begin = (query: Query | null): Matches | null => {
    const test = testFor(view, query);
    if (test === null) return null;
    const matches = new Matches(ring, test, mayBeSlow(query) ? state.timeBox : unlimited);
    matches.advance(firstSlice);
    return matches;
  };
  const isFilter = view.filter.mode === 'filter';
  const { query } = view.filter;
  return {
    ...state,
    view: {
      ...view,
      shown: begin(isFilter ? query : null),
      hits: isFilter || isEmptyQuery(query) ? null : begin(query),
    },
  };
}

/** Goes on with the searches by a slice of `lines`. */
export function searchOn(state: State, lines: number): State {
  const { shown, hits } = state.view;
  for (const matches of [shown, hits]) {
    if (matches !== null && !matches.isOver) {
      matches.advance(lines);
      break;
    }
  }
  return state;
}

/** New lines of the log pass the filters as they come. */
export function searchNew({ view }: State): void {
  for (const matches of [view.shown, view.hits]) matches?.advanceNew();
}

export const isSearching = ({ view }: State): boolean =>
  view.shown?.isOver === false || view.hits?.isOver === false;

/** Plain words need nobody to watch the time, on the longest line that is kept. */
const mayBeSlow = (query: Query | null): boolean =>
  query !== null &&
  [query.include, ...query.exclude].some(
    (pattern) => pattern !== null && stepBound(pattern.source)(longestLine) > quickSteps,
  );

const longestLine = 70_000;

/** Null: every line passes. */
function testFor({ errorsOnly, milestonesOnly }: ViewState, query: Query | null): LineTest | null {
  const asked = query === null || isEmptyQuery(query) ? null : query;
  if (!errorsOnly && !milestonesOnly && asked === null) return null;
  const ranks = new Map<string | null, boolean>();
  const isOfRank = (rank: string | null, wanted: readonly RegExp[]): boolean => {
    const known = ranks.get(rank);
    if (known !== undefined) return known;
    const found = rank !== null && wanted.some((pattern) => pattern.test(rank));
    ranks.set(rank, found);
    return found;
  };
  return (chunk, at, rank) => {
    // Lines of ours are shown in any case, and are no find.
    if (chunk.number(at) === 0) return false;
    // Both of them: hardly a line is the one and the other, so each is shown.
    const isWanted = (errorsOnly && chunk.level(at) === 'error') || (milestonesOnly && chunk.milestone(at));
    if ((errorsOnly || milestonesOnly) && !isWanted) return false;
    if (asked === null) return true;
    if (asked.ranks.length > 0 && !isOfRank(rank, asked.ranks)) return false;
    return fitsText(chunk.text(at), asked);
  };
}

/** Whether a text passes what the query says of texts. */
export function fitsText(text: string, { include, exclude }: Query): boolean {
  return (include === null || include.test(text)) && !exclude.some((pattern) => pattern.test(text));
}

/** The same where the text is the only one: also false where there is no time to tell. */
export function fitsInTime(text: string, query: Query, timeBox: TimeBox): boolean {
  let fits = false;
  timeBox(() => {
    try {
      fits = fitsText(text, query);
    } catch {
      fits = false;
    }
  }, oneTextMs);
  return fits;
}

const oneTextMs = 5;

/** Groups of lines are rows, but where somebody looks for lines: then each that is found is one. */
export const isFolding = ({ folds, filter }: ViewState): boolean =>
  folds && (filter.mode === 'highlight' || isEmptyQuery(filter.query));

/** Tells of lines whether they are rows of their own in a log shown down to `bottom`, the filters aside. */
function rowTest({ log, view }: State, bottom: number): (seq: number) => boolean {
  if (!isFolding(view)) return () => true;
  const { ring } = log;
  const groups = groupsOf(ring);
  return (seq) => {
    if (standsForItself(ring, seq, bottom)) return true;
    if (view.opened.size > 0 && view.opened.has(groups.firstOf(seq))) return true;
    // A row that a filter keeps back must not take its other lines along.
    return view.shown !== null && !view.shown.has(groups.rowOf(seq, bottom));
  };
}

/**
 * The rows from the line `from` upwards, newest first, of a log shown down to `bottom`. Lines of ours, which part files
 * and attempts, pass every filter: what was found is of the one or the other.
 */
export function* rowsUp(state: State, from: number, bottom: number): Generator<number> {
  const { ring } = state.log;
  const { shown } = state.view;
  const isRow = rowTest(state, bottom);
  if (shown === null) {
    for (let seq = Math.min(from, ring.end - 1); seq >= ring.start; seq -= 1) if (isRow(seq)) yield seq;
    return;
  }
  let mark = ring.marks.findLastIndex((seq) => seq <= from);
  for (let index = shown.before(from + 1) - 1; index >= 0; index -= 1) {
    const seq = shown.at(index);
    if (seq === undefined || !isRow(seq)) continue;
    for (let at = ring.marks[mark]; at !== undefined && at >= seq; at = ring.marks[--mark]) {
      if (at > seq) yield at;
    }
    yield seq;
  }
  for (let at = ring.marks[mark]; at !== undefined; at = ring.marks[--mark]) yield at;
}

/** The same from the line `from` downwards, oldest first, of a log shown to its end. */
export function* rowsDown(state: State, from: number): Generator<number> {
  const { ring } = state.log;
  const { shown } = state.view;
  const isRow = rowTest(state, Number.POSITIVE_INFINITY);
  if (shown === null) {
    for (let seq = Math.max(from, ring.start); seq < ring.end; seq += 1) if (isRow(seq)) yield seq;
    return;
  }
  const marks = ring.marks.filter((seq) => seq >= from);
  let mark = 0;
  for (let index = shown.before(from); index < shown.count; index += 1) {
    const seq = shown.at(index);
    if (seq === undefined || !isRow(seq)) continue;
    for (let at = marks[mark]; at !== undefined && at <= seq; at = marks[++mark]) {
      if (at < seq) yield at;
    }
    yield seq;
  }
  for (let at = marks[mark]; at !== undefined; at = marks[++mark]) yield at;
}

/** The row `count` rows above (negative: below) the line `from`; the last one there is. */
export function stepOver(state: State, from: number, count: number): number {
  const rows = count < 0 ? rowsDown(state, from + 1) : rowsUp(state, from - 1, Number.POSITIVE_INFINITY);
  return nth(rows, Math.abs(count), from);
}

function nth(rows: Iterable<number>, count: number, otherwise: number): number {
  let reached = otherwise;
  let left = count;
  if (left === 0) return reached;
  for (const seq of rows) {
    reached = seq;
    left -= 1;
    if (left === 0) break;
  }
  return reached;
}

/** The row to go to for the next match above (-1) or below (1) `from`; null when there is none. */
export function findMatch(
  state: State,
  from: number,
  direction: 1 | -1,
): { readonly seq: number; readonly opens: boolean } | null {
  const { log, view } = state;
  const hits = view.filter.mode === 'filter' ? view.shown : view.hits;
  if (isEmptyQuery(view.filter.query) || hits === null) return null;
  const isRow = rowTest(state, Number.POSITIVE_INFINITY);
  let index = direction === 1 ? hits.before(from + 1) : hits.before(from) - 1;
  for (; index >= 0 && index < hits.count; index += direction) {
    const seq = hits.at(index);
    if (seq === undefined) return null;
    if (isRow(seq)) return { seq, opens: false };
    const row = rowOf(log.ring, seq, Number.POSITIVE_INFINITY);
    // The row says the same: it stands for this one too. Else it would hide what was found.
    if (!hits.has(row)) return { seq, opens: true };
    if (direction === 1 ? row > from : row < from) return { seq: row, opens: false };
  }
  return null;
}
