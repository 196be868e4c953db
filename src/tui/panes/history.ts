import type { HistoryDetail, HistoryRow } from '../../core/view-models/history.js';
import { clock } from '../format.js';
import { outcomeMarks } from '../glyphs.js';
import type { Painter, Row } from '../painter.js';
import { blanks, clipLines, expandTabs, toWidth, toWidthRight, wrapIndented, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';

/** Rows of a block, and which of them must be in sight. */
export interface Drawn {
  readonly rows: readonly string[];
  readonly sight: { readonly from: number; readonly to: number } | null;
}

/** The attempts in the model's order: number, when, outcome, time to ready, cause; below, what was changed and whether that helped. */
export function historyRows(
  attempts: readonly HistoryRow[],
  chosen: number,
  width: number,
  painter: Painter,
): Drawn {
  if (attempts.length === 0) {
    const text = 'no attempt yet: one is kept once it is ready or over';
    return { rows: wrapWords(text, width).map((line) => painter.line([['dim', line]], width)), sight: null };
  }
  const cause = hasCauseColumn(width) ? '  cause' : '';
  const head: Row = [
    ['dim', `  ${columns(widthsFor(width), '  #', 'began', '  outcome', 'ready in')}${cause}`],
  ];
  const blocks = attempts.map((row, index) => attemptRows(row, index === chosen, width, painter));
  const from = 1 + blocks.slice(0, chosen).reduce((sum, block) => sum + block.length, 0);
  return {
    rows: [painter.line(head, width), ...blocks.flat()],
    sight: { from: chosen === 0 ? 0 : from, to: from + (blocks[chosen]?.length ?? 1) - 1 },
  };
}

interface Widths {
  readonly number: number;
  readonly age: number;
  readonly outcome: number;
  readonly ready: number;
}

const wide: Widths = { number: 5, age: 12, outcome: 11, ready: 8 };

/** Fits into 36 columns. */
const slim: Widths = { number: 5, age: 11, outcome: 10, ready: 8 };

const widthsFor = (width: number): Widths => (hasCauseColumn(width) ? wide : slim);

const causeLeft = 2 + wide.number + wide.age + wide.outcome + wide.ready + 2;

/** Cause where it has no column, change and remedy have the width of the pane. */
const belowLeft = 2 + wide.number;

/** From here on the cause has a column of its own. */
const hasCauseColumn = (width: number): boolean => width - causeLeft >= 30;

const columns = (widths: Widths, number: string, age: string, outcome: string, ready: string): string =>
  toWidth(number, widths.number) +
  toWidth(age, widths.age) +
  toWidth(outcome, widths.outcome) +
  toWidthRight(ready, widths.ready);

function attemptRows(row: HistoryRow, isChosen: boolean, width: number, painter: Painter): readonly string[] {
  const { glyphs } = painter;
  const style = outcomeStyles[row.outcome];
  const ready = row.readySeconds === null ? glyphs.skipped : clock(row.readySeconds * 1000);
  const widths = widthsFor(width);
  const [first = '', ...causes] = causeLines(row, width, painter);
  const head: Row = [
    ['chosen', isChosen ? `${glyphs.chosen} ` : '  '],
    ['strong', toWidth(`  ${row.attempt ?? glyphs.dot}`, widths.number)],
    ['dim', toWidth(row.age ?? glyphs.skipped, widths.age)],
    [style, toWidth(`${outcomeMarks(glyphs)[row.outcome]} ${row.outcome}`, widths.outcome)],
    [row.readySeconds === null ? 'dim' : 'text', toWidthRight(ready, widths.ready)],
    ['text', first === '' ? '' : `  ${first}`],
  ];
  const more = causes.map((line): Row => [['text', line]]);
  return [head, ...more, ...changeRow(row, width, painter), ...helpRow(row, width, painter)].map((line) =>
    painter.line(line, width),
  );
}

/** Beside the outcome, or in a narrow pane below it: then the first line is empty. */
function causeLines(row: HistoryRow, width: number, painter: Painter): readonly string[] {
  const text = painter.clean(row.cause ?? tookWords(row));
  if (text === '') return [];
  const left = hasCauseColumn(width) ? causeLeft : belowLeft;
  const lines = clipLines(wrapWords(text, width - left), mostOfCause, width - left, painter.glyphs.more);
  const indented = lines.map((line) => blanks(left) + line);
  return hasCauseColumn(width) ? [lines[0] ?? '', ...indented.slice(1)] : ['', ...indented];
}

/** Opened, an attempt tells all of its cause. */
const mostOfCause = 4;

/** What stands in the place of a cause. */
function tookWords(row: HistoryRow): string {
  if (row.tookSeconds === null || row.readySeconds !== null) return '';
  return `${row.outcome === 'loading' ? 'so far' : 'after'} ${clock(row.tookSeconds * 1000)}`;
}

function changeRow(row: HistoryRow, width: number, painter: Painter): readonly Row[] {
  return row.change === null
    ? []
    : belowRows(painter.glyphs.arrow, 'dim', row.change, 'note', width, painter);
}

function helpRow(row: HistoryRow, width: number, painter: Painter): readonly Row[] {
  const { glyphs } = painter;
  if (row.helpText === null) {
    return row.remedy === null ? [] : belowRows(' ', 'dim', `remedy: ${row.remedy}`, 'dim', width, painter);
  }
  return row.helped
    ? belowRows(glyphs.done, 'good', row.helpText, 'good', width, painter)
    : belowRows(glyphs.failed, 'bad', row.helpText, 'bad', width, painter);
}

/** A mark and beside it the text, wrapped. */
function belowRows(
  mark: string,
  markStyle: StyleName,
  text: string,
  style: StyleName,
  width: number,
  painter: Painter,
): readonly Row[] {
  const left = blanks(belowLeft);
  return wrapWords(painter.clean(text), width - belowLeft - 2).map((line, index) => [
    [markStyle, `${left}${index === 0 ? mark : ' '} `],
    [style, line],
  ]);
}

const outcomeStyles: Readonly<Record<HistoryRow['outcome'], StyleName>> = {
  ready: 'good',
  crashed: 'bad',
  stalled: 'warn',
  stopped: 'dim',
  gone: 'dim',
  loading: 'busy',
  unknown: 'dim',
};

const labelWidth = 10;

/** One attempt, opened: what is known of it, then its last lines. */
export function attemptDetailRows(detail: HistoryDetail, width: number, painter: Painter): readonly string[] {
  const facts = detail.facts.flatMap(([label, text]) =>
    wrapWords(painter.clean(text), width - labelWidth).map((line, index) =>
      painter.line(
        [
          ['dim', toWidth(index === 0 ? label : '', labelWidth)],
          [label === 'cause' ? 'bad' : 'text', line],
        ],
        width,
      ),
    ),
  );
  const count = detail.lines.length;
  const title =
    count === 0 ? 'no line of its log is kept' : `its last ${count} ${count === 1 ? 'line' : 'lines'}`;
  const lines = detail.lines.flatMap((text) =>
    wrapIndented(painter.clean(expandTabs(text)), width).map((line) => painter.line([['text', line]], width)),
  );
  return [...facts, ' '.repeat(width), painter.line([['title', title]], width), ...lines];
}
