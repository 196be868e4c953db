import { lastFrame } from '../../ingest/frames.js';
import { slowPatternText } from '../../triage/own-pattern.js';
import { fitsInTime, isFolding, rowsDown, rowsUp } from '../filter.js';
import { firstOf, foldAt, rowOf, standsForItself } from '../fold-view.js';
import { slowSearch } from '../slow-search.js';
import type { State } from '../state.js';
import type { LogFold, LogPaneModel, LogRow } from '../view-models/log.js';
import { dataAgeMs } from './data-age.js';

export function selectLog(state: State): LogPaneModel {
  const { log, view } = state;
  const { ring } = log;
  const { text, editing, mode, error, query } = view.filter;
  return {
    title: log.path ?? state.target.log ?? 'log',
    isOld: dataAgeMs(state) !== null,
    note: note(state),
    follow: view.anchor === null,
    newBelow: newBelow(state),
    total: Math.max(0, ring.end - log.runFrom - marksOfRun(log)),
    isEmpty: ring.end === ring.start,
    filter: { text, editing, mode, error, pattern: query.include },
    slow: slowSearch(state),
    timeBox: state.timeBox,
    matched: matched(state),
    errorsOnly: view.errorsOnly,
    milestonesOnly: view.milestonesOnly,
    wrap: view.wrap,
    column: view.column,
    shortStamps: view.shortStamps,
    rows: (height) => rows(state, height),
    rowsBelow: (height) => (view.anchor === null ? [] : rowsFrom(state, view.anchor + 1, height)),
    firstRows: (height) => rowsFrom(state, ring.start, height),
    hidden: view.hidden,
    version: versionOf(state),
  };
}

function newBelow({ log, view }: State): number {
  if (view.anchor === null) return 0;
  if (view.shown !== null) return view.shown.count - view.shown.before(view.anchor + 1);
  return Math.max(0, log.ring.end - 1 - view.anchor);
}

function matched({ log, view }: State): LogPaneModel['matched'] {
  const found = view.hits ?? view.shown;
  if (found === null) return null;
  const { ring, runFrom } = log;
  const earlier = found.before(runFrom);
  const of = Math.max(0, ring.end - Math.max(ring.start, runFrom) - marksOfRun(log));
  return { count: found.count - earlier, earlier, of, share: found.isComplete ? 1 : found.share };
}

/** Lines of ours among those of what is watched now. */
const marksOfRun = ({ ring, runFrom }: State['log']): number =>
  ring.marks.filter((seq) => seq >= runFrom).length;

function rows(state: State, height: number): readonly LogRow[] {
  const { log, view } = state;
  const living = view.anchor === null && log.partial !== '' ? livingRow(state) : null;
  const room = living ? height - 1 : height;
  const last = view.anchor ?? log.ring.end - 1;
  const flags = flagsOf(state, last);
  const found: LogRow[] = [];
  for (const seq of rowsUp(state, last, last)) {
    if (found.length >= room) break;
    const row = rowAt(state, seq, last, flags);
    if (row !== null) found.push(row);
  }
  found.reverse();
  return living ? [...found, living] : found;
}

function rowsFrom(state: State, from: number, height: number): readonly LogRow[] {
  const flags = flagsOf(state, Number.POSITIVE_INFINITY);
  const found: LogRow[] = [];
  for (const seq of rowsDown(state, from)) {
    if (found.length >= height) break;
    const row = rowAt(state, seq, Number.POSITIVE_INFINITY, flags);
    if (row !== null) found.push(row);
  }
  return found;
}

type Flags = ReadonlyMap<number, NonNullable<LogRow['flag']>>;

/** The rows that are marked, or stand for a line that is. */
function flagsOf({ log, view }: State, bottom: number): Flags {
  const rowFor = (seq: number): number =>
    isFolding(view) && !view.opened.has(firstOf(log.ring, seq)) ? rowOf(log.ring, seq, bottom) : seq;
  const flags = new Map<number, NonNullable<LogRow['flag']>>();
  for (const seq of view.marks) flags.set(rowFor(seq), 'marked');
  if (view.found !== null) flags.set(rowFor(view.found), 'found');
  return flags;
}

function rowAt(state: State, seq: number, bottom: number, flags: Flags): LogRow | null {
  const entry = state.log.ring.get(seq);
  if (entry === undefined) return null;
  const fold = isFolding(state.view) ? foldOf(state, seq, bottom) : null;
  return { ...entry, flag: flags.get(seq) ?? null, fold };
}

function foldOf({ log, view }: State, seq: number, bottom: number): LogFold | null {
  const fold = foldAt(log.ring, seq, bottom);
  if (fold === null) return null;
  const { copies, lines, first } = fold;
  return {
    copies,
    lines,
    isOpen: view.opened.has(first),
    isRow: standsForItself(log.ring, seq, bottom),
    first,
  };
}

/** The unfinished last line, as a progress bar shows itself before its `\n`. */
function livingRow(state: State): LogRow | null {
  const { log, view } = state;
  const text = lastFrame(log.partial);
  if (text === '' || view.errorsOnly || view.milestonesOnly) return null;
  const { mode, query } = view.filter;
  // Whose it is, is not known before its end.
  if (mode === 'filter' && (query.ranks.length > 0 || !fitsInTime(text, query, state.timeBox))) return null;
  return {
    seq: null,
    number: null,
    text,
    level: 'progress',
    rank: null,
    milestone: false,
    fold: null,
    flag: null,
  };
}

function note(state: State): string | null {
  const { log } = state;
  const [slow = null] = state.reading.findings().slowPatterns;
  const gaps =
    log.gaps > 0 ? `${log.gapBytes} bytes lost in ${log.gaps} ${log.gaps === 1 ? 'gap' : 'gaps'}` : null;
  switch (log.status) {
    case 'unknown':
      return 'not looked at yet';
    case 'missing':
      return log.detail === null ? 'not there yet' : `not there; the process writes to ${log.detail}`;
    case 'unreadable':
      return `cannot be read: ${log.detail ?? ''}`;
    case 'open':
      // Of a container's log nobody knows the size.
      if (log.ahead)
        return `the newest lines; ${log.run === null ? `${percentRead(log)} %` : 'not yet all'} of the log read`;
      if (log.caughtUp || log.size === 0) return gaps ?? (slow === null ? null : slowPatternText(slow));
      return log.run === null ? `reading ${percentRead(log)} %` : 'reading what is there already';
  }
}

const percentRead = ({ offset, size }: State['log']): number =>
  size === 0 ? 0 : Math.floor((100 * offset) / size);

function versionOf(state: State): string {
  const { log, view } = state;
  const filter = `${view.filter.text}\0${view.filter.mode}`;
  const looked = `${view.shown?.version}:${view.hits?.version}:${slowSearch(state)?.left}`;
  const shown = `${view.errorsOnly}${view.milestonesOnly}${view.wrap}${view.column}${view.folds}${view.shortStamps}`;
  const flags = `${dataAgeMs(state) !== null}:${view.found}:${view.marks}:${[...view.opened]}`;
  return `${log.ahead?.from ?? ''}:${log.ring.end}:${log.partial}:${view.anchor}:${view.hidden}:${shown}:${flags}:${looked}:${filter}`;
}
