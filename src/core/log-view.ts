import { search, searchNew, stepOver } from './filter.js';
import { keepFilter, recalledFilter } from './filter-history.js';
import { firstOf, lastOf, rowOf } from './fold-view.js';
import type { Intent } from './intents.js';
import { sameLine } from './log-ahead.js';
import { mark, toEvidence, toMark, toMatch } from './log-jumps.js';
import { told } from './notice.js';
import { emptyQuery, readQuery } from './query.js';
import type { State } from './state.js';
import { anchored, bottom, toLog, withFilter, withoutCard, withView } from './view-change.js';

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
      | 'scroll-log'
      | 'choose-line'
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
      return withView(state, { ...anchored(scrolled(state, intent.lines)), found: null });
    case 'scroll-sideways':
      return scrollSideways(state, intent.columns);
    case 'scroll-to':
      return withView(state, { ...anchored(endAnchor(state, intent.end)), found: null });
    case 'scroll-log':
      return withView(state, { ...anchored(intent.anchor, intent.hidden), found: null });
    case 'choose-line':
      return withView(state, {
        ...anchored(intent.anchor, intent.hidden),
        found: state.view.found === intent.seq ? null : intent.seq,
      });
    case 'mark':
      return mark(state, intent.lowest);
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
      return withView(state, { ...anchored(view.anchor === null ? bottom(state) : null), found: null });
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

/** Opens or closes the group whose first line is `target`, in a pane of so many `rows`. */
export function toggleFold(state: State, target: number, rows: number): State {
  const { log, view } = state;
  const opened = new Set(view.opened);
  if (!opened.delete(target)) {
    opened.add(target);
    // Whoever opens it wants to read it: the log waits. Copies stand below their row: as many as there is room for.
    const open = withView(state, { opened, ...anchored(bottom(state)) });
    const last = stepOver(open, target, 1 - rows);
    const lowest = Math.max(bottom(state), Math.min(lastOf(log.ring, target), last));
    // What was opened does not push itself out at the top, where it fits.
    const fits = rowOf(log.ring, target, Number.POSITIVE_INFINITY) <= last;
    return withView(open, anchored(fits ? Math.min(lowest, last) : lowest));
  }
  const row = rowOf(log.ring, target, Number.POSITIVE_INFINITY);
  const isBelow = view.anchor !== null && firstOf(log.ring, view.anchor) === target && row > view.anchor;
  return withView(state, { opened, ...anchored(isBelow ? row : view.anchor) });
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

/** By lines, where nobody knows how many rows of the screen they take. */
function scrolled(state: State, lines: number): number | null {
  const { view, log } = state;
  if (log.ring.end === 0) return view.anchor;
  const reached = stepOver(state, Math.max(bottom(state), log.ring.start), -lines);
  // At the newest line again: follow it, as `less +F` does.
  return lines > 0 && stepOver(state, reached, -1) === reached ? null : reached;
}

function endAnchor({ log }: State, end: 'top' | 'bottom'): number | null {
  return end === 'bottom' || log.ring.end === 0 ? null : log.ring.start;
}

function scrollSideways(state: State, columns: number): State {
  const { view } = state;
  if (view.wrap)
    return told(state, 'long lines are wrapped: w cuts them, so that they can be scrolled', 'warning');
  return withView(state, { column: Math.max(0, view.column + columns) });
}
