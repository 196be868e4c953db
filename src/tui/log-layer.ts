import type { LogPaneModel, LogRow } from '../core/view-models/log.js';
import type { Rect } from './layout.js';
import { drawLogRow, type LogRowLook, logRowHeight, shownText } from './log-row.js';
import { titleLine } from './log-title.js';
import {
  foldInSight,
  type HeightOf,
  type LogPlace,
  logWindow,
  type ShownLine,
  scrolledPlace,
  topPlace,
} from './log-window.js';
import { createMatchMarks } from './match-marks.js';
import type { Painter } from './painter.js';
import type { Layer } from './screen.js';
import { blanks, textWidth, wrapWords } from './text.js';

export interface LogLayer {
  /** A title line that tells how the log is filtered and held, and the lines. */
  draw(model: LogPaneModel, rect: Rect, focused: boolean): Layer;
  /** The lines that `draw` shows, the uppermost first. */
  window(model: LogPaneModel, rect: Rect): readonly ShownLine[];
  /** Where it stands after so many rows down (negative: up), or at its top; null where it cannot move. */
  place(model: LogPaneModel, rect: Rect, to: number | 'top'): LogPlace | null;
}

/**
 * Draws the log pane. Drawn lines are kept, so that following a log costs one line per new line. Not by sequence number
 * alone: the newest lines of a large log give way to others of the same numbers.
 */
export function createLogLayer(painter: Painter): LogLayer {
  const drawn = new Map<number, DrawnRow>();
  const marks = createMatchMarks();
  let drawnFor = '';

  /** Draws those of `rows` that it is asked for; of the group `next` as the one that Enter opens. */
  const drawer = (rows: readonly LogRow[], next: number | null, model: LogPaneModel, look: Look) => {
    const knownRows = new Map(rows.map((row) => [row, drawnAs(row, isOf(row, next))]));
    const fresh = rows.filter((row) => knownRows.get(row) === null);
    const texts = fresh.map((row) => shownText(row.text, look, look.pen));
    const lit = marks.find(texts, model.filter.pattern, model.timeBox);
    const places = new Map(fresh.map((row, index) => [row, index]));
    return (row: LogRow): readonly string[] => {
      const place = places.get(row);
      if (place === undefined) return knownRows.get(row)?.lines ?? [];
      const spans = lit[place] ?? null;
      const isNext = isOf(row, next);
      const lines = drawLogRow(row, { text: texts[place] ?? '', lit: spans ?? [], isNext }, look, look.pen);
      if (drawn.size > 2000) drawn.clear();
      if (row.seq !== null && spans !== null) drawn.set(row.seq, { row, isNext, lines });
      return lines;
    };
  };
  const drawnAs = (row: LogRow, isNext?: boolean): DrawnRow | null => {
    const known = row.seq === null ? undefined : drawn.get(row.seq);
    if (known === undefined || !isSame(known.row, row)) return null;
    return isNext === undefined || isNext === known.isNext ? known : null;
  };

  const lookFor = (model: LogPaneModel, rect: Rect): Look => {
    const look: LogRowLook = {
      width: rect.width,
      gutter: gutterWidth(model.rows(2), rect.width),
      wrap: model.wrap,
      column: model.column,
      shortStamps: model.shortStamps || rect.width < datesFrom,
    };
    const key = `${look.width} ${look.gutter} ${look.wrap} ${look.column} ${look.shortStamps} ${model.filter.pattern} ${model.isOld}`;
    if (key !== drawnFor) drawn.clear();
    drawnFor = key;
    return { ...look, pen: model.isOld ? painter.faded : painter };
  };

  const heights =
    (look: Look): HeightOf =>
    (row) => {
      if (!look.wrap) return 1;
      return (
        drawnAs(row)?.lines.length ?? logRowHeight(row, shownText(row.text, look, look.pen), look, look.pen)
      );
    };

  return {
    draw(model, rect, focused) {
      const height = rect.height - 1;
      const look = lookFor(model, rect);
      const window = height > 0 ? logWindow(model, height, heights(look)) : [];
      const draw = drawer(
        window.map(({ row }) => row),
        foldInSight(window),
        model,
        look,
      );
      const lines = window.flatMap(({ row, from, to }) => draw(row).slice(from, to));
      const hasRoom = lines.length < height;
      const body = lines.length === 0 ? emptyPane(model, rect.width, height, painter) : padTo(lines, height);
      const title = titleLine(
        model,
        { width: rect.width, focused, unmarked: marks.gaveUp, hasRoom },
        painter,
      );
      return { top: rect.top, left: rect.left, rows: [title, ...body] };
    },
    window: (model, rect) => logWindow(model, rect.height - 1, heights(lookFor(model, rect))),
    place(model, rect, to) {
      const [height, heightOf] = [rect.height - 1, heights(lookFor(model, rect))];
      return to === 'top' ? topPlace(model, height, heightOf) : scrolledPlace(model, height, heightOf, to);
    },
  };
}

interface DrawnRow {
  readonly row: LogRow;
  readonly isNext: boolean;
  readonly lines: readonly string[];
}

type Look = LogRowLook & { readonly pen: Painter };

const isOf = ({ fold }: LogRow, group: number | null): boolean => fold !== null && fold.first === group;

/** In a narrower pane a date would take half of each line. */
const datesFrom = 60;

/** Whether both are drawn alike. */
function isSame(a: LogRow, b: LogRow): boolean {
  return (
    a.text === b.text &&
    a.level === b.level &&
    a.number === b.number &&
    a.rank === b.rank &&
    a.milestone === b.milestone &&
    a.flag === b.flag &&
    a.fold?.lines === b.fold?.lines &&
    a.fold?.copies === b.fold?.copies &&
    a.fold?.isOpen === b.fold?.isOpen &&
    a.fold?.isRow === b.fold?.isRow &&
    a.fold?.first === b.fold?.first
  );
}

function padTo(lines: string[], height: number): string[] {
  while (lines.length < height) lines.push('');
  return lines;
}

/** Room for the line numbers, where the pane is wide enough to spare it. It grows in steps, so that it stays calm. */
function gutterWidth(rows: readonly LogRow[], width: number): number {
  if (width < 100) return 0;
  const last = rows.findLast(({ number }) => number !== null)?.number ?? 0;
  return Math.max(5, String(last).length) + 1;
}

function nothingPasses({ filter, errorsOnly, milestonesOnly, matched, slow }: LogPaneModel): string {
  if (slow?.isStopped) return 'no line has passed the filter, and the search was given up: it is too slow';
  if (matched !== null && matched.share < 1) return 'no line has passed the filter so far: still looking';
  if (slow !== null) return 'no line that was searched passes the filter';
  if (filter.text !== '' || errorsOnly === milestonesOnly) return 'no line passes the filter';
  return errorsOnly ? 'no error in the log so far' : 'no milestone in the log so far';
}

/** What stands in an empty pane: why it is empty. */
function emptyPane(model: LogPaneModel, width: number, height: number, painter: Painter): string[] {
  const rows = padTo([], height);
  const filtered = model.filter.text !== '' || model.errorsOnly || model.milestonesOnly;
  const none = nothingPasses(model);
  const words = model.note ?? (filtered && !model.isEmpty ? none : 'nothing in the log yet');
  const lines = wrapWords(painter.clean(words), Math.max(10, width - 8)).slice(0, height);
  const top = Math.max(0, Math.floor((height - lines.length) / 2));
  lines.forEach((line, index) => {
    const left = blanks(Math.floor((width - textWidth(line)) / 2));
    rows[top + index] = left + painter.paint('dim', line);
  });
  return rows;
}
