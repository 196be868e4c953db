import { lastFrame } from '../../ingest/frames.js';
import { passes, shownLines } from '../filter.js';
import type { State } from '../state.js';
import type { LogPaneModel, LogRow } from '../view-models.js';

export function selectLog(state: State): LogPaneModel {
  const { log, view } = state;
  const { ring } = log;
  const last = view.anchor ?? ring.end - 1;
  return {
    title: log.path ?? state.target.log ?? 'log',
    note: note(state),
    follow: view.anchor === null,
    newBelow: view.anchor === null ? 0 : Math.max(0, ring.end - 1 - view.anchor),
    total: ring.end,
    filter: view.filter,
    errorsOnly: view.errorsOnly,
    milestonesOnly: view.milestonesOnly,
    wrap: view.wrap,
    column: view.column,
    rows: (height) => rows(state, last, height),
    version: versionOf(state),
  };
}

function rows(state: State, last: number, height: number): readonly LogRow[] {
  const { log, view } = state;
  const living = view.anchor === null && log.partial !== '' ? livingRow(state) : null;
  const lines = shownLines(state, last, living ? height - 1 : height);
  return living ? [...lines, living] : lines;
}

/** The unfinished last line, as a progress bar shows itself before its `\n`. */
function livingRow(state: State): LogRow | null {
  const text = lastFrame(state.log.partial);
  const row = { seq: -1, number: 0, text, level: 'progress', rank: null, milestone: false } as const;
  return text !== '' && passes(row, state.view) ? { ...row, seq: null } : null;
}

function note(state: State): string | null {
  const { log } = state;
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
      if (log.ahead) return `the newest lines; ${percentRead(log)} % of the log read`;
      if (log.caughtUp || log.size === 0) return gaps;
      return `reading ${percentRead(log)} %`;
  }
}

const percentRead = ({ offset, size }: State['log']): number =>
  size === 0 ? 0 : Math.floor((100 * offset) / size);

function versionOf({ log, view }: State): string {
  const filter = `${view.filter.text}\0${view.filter.mode}`;
  const shown = `${view.errorsOnly}${view.milestonesOnly}${view.wrap}${view.column}`;
  return `${log.ahead?.from ?? ''}:${log.ring.end}:${log.partial}:${view.anchor}:${shown}:${filter}`;
}
