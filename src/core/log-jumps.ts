import { evidenceLine } from './evidence-line.js';
import { findMatch, rowsUp, search, stepOver } from './filter.js';
import { firstOf, rowOf } from './fold-view.js';
import { told } from './notice.js';
import { emptyQuery, isEmptyQuery } from './query.js';
import { slowSearch, slowWords } from './slow-search.js';
import type { State } from './state.js';
import { anchored, bottom, toLog, withView } from './view-change.js';

/** To the next match of the pattern, below (1) or above (-1). */
export function toMatch(state: State, direction: 1 | -1): State {
  const { view, log } = state;
  if (isEmptyQuery(view.filter.query))
    return told(state, 'nothing to look for: type a pattern after /', 'warning');
  const from = view.found ?? bottom(state);
  const match = findMatch(state, from, direction);
  if (match !== null) {
    const there = jump(state, match.seq, match.opens, 0);
    const isPast = match.seq < log.runFrom && from >= log.runFrom;
    return isPast ? told(there, 'this match is in the log of an earlier attempt') : there;
  }
  const isOver = (view.filter.mode === 'filter' ? view.shown : view.hits)?.isOver !== false;
  const again = isOver ? fromTheOtherEnd(state, direction) : null;
  if (again !== null) return again;
  const where = direction === 1 ? 'below' : 'above';
  const slow = slowSearch(state);
  const but = slow !== null ? `; ${slowWords(slow, false)}` : isOver ? '' : ' yet: still looking';
  return told(state, `no match ${where}${but}`, 'warning');
}

/** Round and on, as vim does; null where there is no match at all. */
function fromTheOtherEnd(state: State, direction: 1 | -1): State | null {
  const { ring, runFrom } = state.log;
  const match = findMatch(state, direction === 1 ? ring.start - 1 : ring.end, direction);
  if (match === null) return null;
  const isOnly = match.seq === state.view.found;
  const slow = slowSearch(state);
  const from = isOnly
    ? 'the only match'
    : `no match ${direction === 1 ? 'below: from the top' : 'above: from the end'}`;
  const place = match.seq < runFrom ? ', in an earlier attempt' : '';
  const words = slow === null ? from + place : `${from}; ${slowWords(slow, false)}`;
  return told(jump(state, match.seq, match.opens, 0), words, slow === null ? 'info' : 'warning');
}

/** To the line `seq`, with a few rows below it. */
function jump(state: State, seq: number, opens: boolean, below: number): State {
  const { view, log } = state;
  const opened = opens ? new Set([...view.opened, firstOf(log.ring, seq)]) : view.opened;
  const there = withView(state, { opened, found: seq });
  return withView(there, anchored(stepOver(there, seq, -below), null));
}

/** Marks the line that a jump or a click led to, else `lowest`, the lowest row in sight; a marked one no longer. */
export function mark(state: State, lowest: number | undefined): State {
  const { view, log } = state;
  if (log.ring.end === 0) return told(state, 'there is no line to mark', 'warning');
  const [row = bottom(state)] = rowsUp(state, bottom(state), bottom(state));
  const seq = view.found ?? lowest ?? row;
  if (view.marks.includes(seq)) {
    return told(withView(state, { marks: view.marks.filter((other) => other !== seq) }), 'mark taken away');
  }
  const marks = [...view.marks, seq].sort((a, b) => a - b);
  return told(withView(state, { marks }), "marked: ' comes back to it");
}

/** To the mark above; from the uppermost, to the lowest. */
export function toMark(state: State): State {
  const marks = state.view.marks.filter((seq) => seq >= state.log.ring.start);
  const last = marks.at(-1);
  if (last === undefined) return told(state, 'no line is marked: M marks one', 'warning');
  const from = state.view.found ?? bottom(state) + 1;
  return toLine(state, marks.findLast((seq) => seq < from) ?? last);
}

/** To the line that the verdict rests on, or the row that stands for it. */
export function toEvidence(state: State): State {
  const evidence = evidenceLine(state);
  if (evidence === null) return told(state, 'no line of the log says so', 'warning');
  const { seq, number } = evidence;
  if (seq === null) {
    const which = number === null ? 'the line that says so' : `line ${number.toLocaleString('en')}`;
    return told(state, `${which} is no longer kept here: it is in the file only`, 'warning');
  }
  return toLine(state, rowOf(state.log.ring, seq, Number.POSITIVE_INFINITY));
}

/** To a line, whatever the filters say of it. */
function toLine(state: State, seq: number): State {
  const open = toLog(state);
  const { shown } = open.view;
  const isHidden = shown !== null && !shown.has(seq) && !open.log.ring.marks.includes(seq);
  if (!isHidden) return jump(open, seq, false, 2);
  const filter = { ...open.view.filter, text: '', query: emptyQuery, error: null };
  const all = search(withView(open, { filter, errorsOnly: false, milestonesOnly: false }));
  return told(jump(all, seq, false, 2), 'the filter is off: it hid that line');
}
