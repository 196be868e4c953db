import { slowWords } from '../core/slow-search.js';
import type { LogPaneModel, LogRow } from '../core/view-models.js';
import { grouped } from './format.js';
import type { Rect } from './layout.js';
import { drawLogRow, type LogRowLook, shownText } from './log-row.js';
import { createMatchMarks } from './match-marks.js';
import { type Painter, type Row, rowWidth, type Segment } from './painter.js';
import type { Layer } from './screen.js';
import { blanks, cutStart, textWidth, wrapWords } from './text.js';

/**
 * Draws the log pane as a layer: a title line that tells how it is filtered and held, and the lines.
 * Drawn lines are kept, so that following a log costs one line per new line. Not by sequence number alone: the newest
 * lines of a large log give way to others of the same numbers.
 */
export function createLogLayer(
  painter: Painter,
): (model: LogPaneModel, rect: Rect, focused: boolean) => Layer {
  const drawn = new Map<number, { readonly row: LogRow; readonly lines: readonly string[] }>();
  const marks = createMatchMarks();
  let drawnFor = '';

  /** Draws those of `rows` that it is asked for. */
  const drawer = (rows: readonly LogRow[], model: LogPaneModel, look: LogRowLook, pen: Painter) => {
    const fresh = rows.filter((row) => !isDrawn(row));
    const texts = fresh.map((row) => shownText(row.text, look, pen));
    const lit = marks.find(texts, model.filter.pattern, model.timeBox);
    const places = new Map(fresh.map((row, index) => [row, index]));
    return (row: LogRow): readonly string[] => {
      const place = places.get(row);
      if (place === undefined) return drawn.get(row.seq ?? -1)?.lines ?? [];
      const spans = lit[place] ?? null;
      const lines = drawLogRow(row, { text: texts[place] ?? '', lit: spans ?? [] }, look, pen);
      if (drawn.size > 2000) drawn.clear();
      if (row.seq !== null && spans !== null) drawn.set(row.seq, { row, lines });
      return lines;
    };
  };
  const isDrawn = (row: LogRow): boolean => {
    const known = row.seq === null ? undefined : drawn.get(row.seq);
    return known !== undefined && isSame(known.row, row);
  };

  return (model, rect, focused) => {
    const height = rect.height - 1;
    const rows = height > 0 ? model.rows(height) : [];
    const look: LogRowLook = {
      width: rect.width,
      gutter: gutterWidth(rows, rect.width),
      wrap: model.wrap,
      column: model.column,
      shortStamps: model.shortStamps || rect.width < datesFrom,
    };
    const key = `${look.width} ${look.gutter} ${look.wrap} ${look.column} ${look.shortStamps} ${model.filter.pattern} ${model.isOld}`;
    if (key !== drawnFor) drawn.clear();
    drawnFor = key;
    const pen = model.isOld ? painter.faded : painter;
    const lines = bottomUp(rows, height, drawer(rows, model, look, pen));
    if (lines.length < height && !model.follow) {
      const below = model.rowsBelow(height - lines.length);
      const draw = drawer(below, model, look, pen);
      for (const row of below) lines.push(...draw(row).slice(0, height - lines.length));
    }
    const body = lines.length === 0 ? emptyPane(model, rect.width, height, painter) : padTo(lines, height);
    return {
      top: rect.top,
      left: rect.left,
      rows: [titleLine(model, rect.width, focused, marks.gaveUp, painter), ...body],
    };
  };
}

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
    a.fold?.isNext === b.fold?.isNext
  );
}

/** Fills `height` rows from the newest line upwards; of a line too tall for what is left its end is shown. */
function bottomUp(
  rows: readonly LogRow[],
  height: number,
  draw: (row: LogRow) => readonly string[],
): string[] {
  const out: string[] = [];
  for (let index = rows.length - 1; index >= 0 && out.length < height; index--) {
    const row = rows[index];
    if (row === undefined) break;
    out.unshift(...draw(row).slice(-(height - out.length)));
  }
  return out;
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

/** What is shown and how; the path gives way first, from its beginning. */
function titleLine(
  model: LogPaneModel,
  width: number,
  focused: boolean,
  unmarked: boolean,
  painter: Painter,
): string {
  const { horizontal } = painter.glyphs.border;
  const border = focused ? 'borderFocus' : 'border';
  const head: Row = [
    [border, horizontal.repeat(2)],
    ['chosen', focused ? painter.glyphs.chosen : ' '],
    ['title', 'Log '],
  ];
  const words: Segment[] = [...filterWords(model, width, painter)];
  if (unmarked) words.push(['warn', `${painter.glyphs.dot} matches not marked: too slow `]);
  // An empty pane says it in its middle.
  if (model.note !== null && !model.isEmpty) words.push(['warn', `${painter.glyphs.dot} ${model.note} `]);
  const right: Row = [...stateWords(model, width, painter), [border, horizontal]];
  const room = width - rowWidth([...head, ...words, ...right], painter) - 3;
  const path: Row =
    room < 8 ? [] : [['dim', `${cutStart(painter.clean(model.title), room, painter.glyphs.more)} `]];
  return painter.spread([...head, ...path, ...words], right, width, [border, horizontal]);
}

function filterWords(model: LogPaneModel, width: number, painter: Painter): readonly Segment[] {
  const words: Segment[] = [];
  const { dot } = painter.glyphs;
  const { slow } = model;
  // What is shown is not all: that comes first.
  if (slow !== null) words.push(['bad', `${dot} ${slowWords(slow, width >= 120)} `]);
  if (model.filter.text !== '') {
    words.push(['dim', `${dot} `], ['strong', `/${model.filter.text}/`]);
    words.push(['dim', model.filter.mode === 'filter' ? ' only ' : ' highlighted ']);
  }
  if (model.filter.error !== null) words.push(['bad', `${dot} ${model.filter.error} `]);
  const kinds = [model.errorsOnly ? 'errors' : '', model.milestonesOnly ? 'milestones' : ''].filter(Boolean);
  if (kinds.length > 0) words.push(['strong', `${dot} ${kinds.join(' and ')} only `]);
  return words;
}

function stateWords(model: LogPaneModel, width: number, painter: Painter): readonly Segment[] {
  const words: Segment[] = [...countWords(model, width)];
  if (model.wrap) words.push(['dim', `${painter.glyphs.dot} wrap `]);
  if (model.column > 0) words.push(['dim', `${painter.glyphs.dot} col ${model.column + 1} `]);
  return [...words, ...followWords(model, painter)];
}

function countWords({ matched, total }: LogPaneModel, width: number): readonly Segment[] {
  if (matched === null) return [['dim', ` ${grouped(total)} ${total === 1 ? 'line' : 'lines'} `]];
  const { count, of, earlier, share } = matched;
  const so = share < 1 ? `, ${Math.floor(share * 100)} % looked at` : '';
  const before =
    earlier === 0 ? '' : `, ${grouped(earlier)} ${width >= 120 ? 'in earlier attempts' : 'earlier'}`;
  return [
    ['strong', ` ${grouped(count)}`],
    ['dim', ` of ${grouped(of)}${before}${so} `],
  ];
}

function followWords(model: LogPaneModel, painter: Painter): readonly Segment[] {
  const { down } = painter.glyphs;
  if (model.follow) return [['good', `${down} follow `]];
  if (model.newBelow === 0) return [['warn', '= held ']];
  return [
    ['warn', '= held '],
    ['badgeLoading', ` ${down} ${grouped(model.newBelow)} new `],
    ['dim', ' '],
  ];
}

/** What stands in an empty pane: why it is empty. */
function emptyPane(model: LogPaneModel, width: number, height: number, painter: Painter): string[] {
  const rows = padTo([], height);
  const filtered = model.filter.text !== '' || model.errorsOnly || model.milestonesOnly;
  const none =
    model.matched !== null && model.matched.share < 1
      ? 'no line has passed the filter so far: still looking'
      : 'no line passes the filter';
  const words = model.note ?? (filtered && !model.isEmpty ? none : 'nothing in the log yet');
  const lines = wrapWords(painter.clean(words), Math.max(10, width - 8)).slice(0, height);
  const top = Math.max(0, Math.floor((height - lines.length) / 2));
  lines.forEach((line, index) => {
    const left = blanks(Math.floor((width - textWidth(line)) / 2));
    rows[top + index] = left + painter.paint('dim', line);
  });
  return rows;
}
