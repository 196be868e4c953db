import { isFolding, rowsUp, search, searchNew, stepOver, topAnchor } from './filter.js';
import { keepFilter, recalledFilter } from './filter-history.js';
import { firstOf, foldAt, lastOf, rowOf } from './fold-view.js';
import type { Intent } from './intents.js';
import { sameLine } from './log-ahead.js';
import { mark, toEvidence, toMark, toMatch } from './log-jumps.js';
import { emptyQuery, readQuery } from './query.js';
import type { State } from './state.js';
import { bottom, toLog, told, withFilter, withoutCard, withView } from './view-change.js';

/** The intents that change what of the log is shown, and how. */
export type LogIntent = Extract<
  Intent,
  {
    kind:
      | 'edit-filter'
      | 'filter-text'
      | 'filter-recall'
      | 'filter-done'
      | 'filter-clear'
      | 'toggle-filter-mode'
      | 'match'
      | 'scroll'
      | 'scroll-sideways'
      | 'scroll-to'
      | 'mark'
      | 'to-mark'
      | 'to-evidence';
  }
>;

export function reduceLogView(state: State, intent: LogIntent): State {
  switch (intent.kind) {
    case 'edit-filter':
      return withFilter(toLog(state), { editing: true });
    case 'filter-text':
      return typeFilter(state, intent.text);
    case 'filter-recall':
      return recall(state, intent.direction);
    case 'filter-done':
      return endFilter(state);
    case 'filter-clear':
      return clearFilter(state);
    case 'toggle-filter-mode':
      return toggleMode(state);
    case 'match':
      return toMatch(state, intent.direction);
    case 'scroll':
      return withView(state, { anchor: scrolled(state, intent.lines, intent.rows), found: null });
    case 'scroll-sideways':
      return scrollSideways(state, intent.columns);
    case 'scroll-to':
      return withView(state, { anchor: endAnchor(state, intent.end, intent.rows), found: null });
    case 'mark':
      return mark(state);
    case 'to-mark':
      return toMark(state);
    case 'to-evidence':
      return toEvidence(state);
  }
}

/** The toggles of the log pane; null for those of others. Where the screen does not show what changed, it is said. */
export function toggleLogView(state: State, what: Extract<Intent, { kind: 'toggle' }>['what']): State | null {
  const { view } = state;
  switch (what) {
    case 'errors-only':
      return search(withView(withoutCard(state), { errorsOnly: !view.errorsOnly }));
    case 'milestones-only':
      return search(withView(withoutCard(state), { milestonesOnly: !view.milestonesOnly }));
    case 'follow':
      return withView(state, { anchor: view.anchor === null ? bottom(state) : null, found: null });
    case 'wrap':
      return told(
        withView(state, { wrap: !view.wrap, column: 0 }),
        view.wrap ? 'long lines are cut: ← → show the rest' : 'long lines are wrapped',
      );
    case 'folds':
      return told(
        withView(state, { folds: !view.folds, opened: new Set() }),
        view.folds
          ? 'every line is shown'
          : 'copies of a line, bars and tracebacks are one row each: Enter opens one',
      );
    case 'stamps':
      return told(
        withView(state, { shortStamps: !view.shortStamps }),
        view.shortStamps ? 'time stamps are shown as they are' : 'time stamps are shown without their date',
      );
    default:
      return null;
  }
}

/** Opens or closes the lowest group of the `rows` in sight; null where there is none. */
export function toggleFold(state: State, rows: number): State | null {
  const { log, view } = state;
  const target = foldInSight(state, rows);
  if (target === null) return null;
  const opened = new Set(view.opened);
  if (!opened.delete(target)) {
    opened.add(target);
    // Whoever opens it wants to read it: the log waits. Copies stand below their row: as many as there is room for.
    const open = withView(state, { opened, anchor: bottom(state) });
    const lowest = Math.min(lastOf(log.ring, target), stepOver(open, target, 1 - rows));
    return withView(open, { anchor: Math.max(bottom(state), lowest) });
  }
  const row = rowOf(log.ring, target, Number.POSITIVE_INFINITY);
  const isBelow = view.anchor !== null && firstOf(log.ring, view.anchor) === target && row > view.anchor;
  return withView(state, { opened, anchor: isBelow ? row : view.anchor });
}

/** The first line of the group that Enter opens or closes: of the rows in sight the lowest that is, or was, a group. */
export function foldInSight(state: State, rows: number): number | null {
  if (!isFolding(state.view)) return null;
  const last = bottom(state);
  let left = rows;
  for (const seq of rowsUp(state, last, last)) {
    const fold = foldAt(state.log.ring, seq, last);
    if (fold !== null) return fold.first;
    left -= 1;
    if (left <= 0) return null;
  }
  return null;
}

/** What is shown goes with new lines, and with another ring for the same log. `before` is the state before it. */
export function lookAtNew(before: State, state: State): State {
  const { ring } = state.log;
  const old = before.log.ring;
  if (ring === old) {
    searchNew(state);
    return state;
  }
  const from = before.log.ahead?.from ?? old.end;
  const { marks, found } = state.view;
  const moved = withView(state, {
    opened: new Set(),
    found: sameLine(found, old, ring, from),
    marks: marks.map((seq) => sameLine(seq, old, ring, from) ?? seq),
  });
  return search(moved);
}

/** Esc: the filter first; where there is none, the card that stands over the log. */
function clearFilter(state: State): State {
  const { text, editing } = state.view.filter;
  const cleared = withFilter(state, {
    ...keepFilter(state.view.filter),
    text: '',
    editing: false,
    query: emptyQuery,
    error: null,
  });
  return search(text === '' && !editing ? withoutCard(cleared) : cleared);
}

function recall(state: State, direction: 1 | -1): State {
  const recalled = recalledFilter(state.view.filter, direction);
  if (recalled === null) return state;
  const { text, ...place } = recalled;
  return withFilter(typeFilter(state, text), place);
}

/** What cannot be read yet leaves what was found so far. */
function typeFilter(before: State, text: string): State {
  const state = withFilter(before, { recalled: null });
  const query = readQuery(text);
  if ('error' in query) return withFilter(state, { text, error: query.error });
  return search(withView(withFilter(state, { text, query, error: null }), { found: null }));
}

/** The text that is left is one that filters. */
function endFilter(state: State): State {
  const { error, query } = state.view.filter;
  const kept = keepFilter(state.view.filter);
  if (error === null) return withFilter(state, { ...kept, editing: false });
  const ended = withFilter(state, { ...kept, editing: false, text: query.text, error: null });
  return told(ended, `no regular expression: ${error}`, 'warning');
}

function toggleMode(state: State): State {
  const { filter } = state.view;
  const mode = filter.mode === 'filter' ? 'highlight' : 'filter';
  const next = search(withFilter(state, { mode }));
  return told(
    next,
    mode === 'filter' ? 'only lines that match are shown' : 'all lines are shown, matches highlighted',
  );
}

function scrolled(state: State, lines: number, rows: number | undefined): number | null {
  const { view, log } = state;
  if (log.ring.end === 0) return view.anchor;
  const from = Math.max(bottom(state), log.ring.start);
  const reached = stepOver(state, from, -lines);
  // At the newest line again: follow it, as `less +F` does.
  if (lines > 0) return stepOver(state, reached, -1) === reached ? null : reached;
  const top = rows === undefined ? reached : topAnchor(state, rows);
  if (reached >= top) return reached;
  // All that there is stands in the pane.
  return top >= from ? view.anchor : top;
}

function endAnchor(state: State, end: 'top' | 'bottom', rows: number | undefined): number | null {
  const { ring } = state.log;
  if (end === 'bottom' || ring.end === 0) return null;
  return rows === undefined ? ring.start : topAnchor(state, rows);
}

function scrollSideways(state: State, columns: number): State {
  const { view } = state;
  if (view.wrap)
    return told(state, 'long lines are wrapped: w cuts them, so that they can be scrolled', 'warning');
  return withView(state, { column: Math.max(0, view.column + columns) });
}
