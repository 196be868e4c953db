import type { HistoryDetail, HistoryRow } from '../../core/view-models.js';
import { clock } from '../format.js';
import type { Painter, Row } from '../painter.js';
import { expandTabs, toWidth, toWidthRight, wrapColumns, wrapWords } from '../text.js';
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
    return { rows: [painter.line([['dim', text]], width)], sight: null };
  }
  const head: Row = [['dim', `  ${columns('  #', 'began', 'outcome', 'ready in')}  cause`]];
  const blocks = attempts.map((row, index) => attemptRows(row, index === chosen, width, painter));
  const from = 1 + blocks.slice(0, chosen).reduce((sum, block) => sum + block.length, 0);
  return {
    rows: [painter.line(head, width), ...blocks.flat()],
    sight: { from: chosen === 0 ? 0 : from, to: from + (blocks[chosen]?.length ?? 1) - 1 },
  };
}

const widths = { number: 5, age: 11, outcome: 10, ready: 9 } as const;

const causeLeft = 2 + widths.number + widths.age + widths.outcome + widths.ready + 2;

/** Change and remedy have the width of the pane. */
const belowLeft = 2 + widths.number;

const columns = (number: string, age: string, outcome: string, ready: string): string =>
  toWidth(number, widths.number) +
  toWidth(age, widths.age) +
  toWidth(outcome, widths.outcome) +
  toWidthRight(ready, widths.ready);

function attemptRows(row: HistoryRow, isChosen: boolean, width: number, painter: Painter): readonly string[] {
  const { glyphs } = painter;
  const [mark, style] = outcomeMark(row, painter);
  const ready = row.readySeconds === null ? glyphs.skipped : clock(row.readySeconds * 1000);
  const room = Math.max(10, width - causeLeft);
  const lines = wrapWords(painter.clean(row.cause ?? tookWords(row)), room);
  const causes = lines.length > 2 ? [...lines.slice(0, 1), lines.slice(1).join(' ')] : lines;
  const first: Row = [
    ['chosen', isChosen ? `${glyphs.chosen} ` : '  '],
    ['strong', toWidth(`  ${row.attempt ?? glyphs.dot}`, widths.number)],
    ['dim', toWidth(row.age ?? glyphs.skipped, widths.age)],
    [style, toWidth(`${mark} ${row.outcome}`, widths.outcome)],
    [row.readySeconds === null ? 'dim' : 'text', toWidthRight(ready, widths.ready)],
    ['text', `  ${causes[0] ?? ''}`],
  ];
  const more: readonly Row[] = causes.slice(1).map((line) => [['text', `${' '.repeat(causeLeft)}${line}`]]);
  const below = [...more, ...changeRow(row, painter), ...helpRow(row, painter)];
  return [first, ...below].map((line) => painter.line(line, width));
}

/** What stands in the place of a cause. */
function tookWords(row: HistoryRow): string {
  if (row.tookSeconds === null || row.readySeconds !== null) return '';
  return `${row.outcome === 'loading' ? 'so far' : 'after'} ${clock(row.tookSeconds * 1000)}`;
}

function changeRow(row: HistoryRow, painter: Painter): readonly Row[] {
  if (row.change === null) return [];
  return [
    [
      ['dim', `${' '.repeat(belowLeft)}${painter.glyphs.arrow} `],
      ['note', row.change],
    ],
  ];
}

function helpRow(row: HistoryRow, painter: Painter): readonly Row[] {
  if (row.helped === null && row.remedy === null) return [];
  const { glyphs } = painter;
  const name = row.remedy === null ? '' : `: ${row.remedy}`;
  const left = ' '.repeat(belowLeft);
  if (row.helped === null) return [[['dim', `${left}  remedy${name}`]]];
  return row.helped
    ? [[['good', `${left}${glyphs.done} helped${name}`]]]
    : [[['bad', `${left}${glyphs.failed} did not help${name}`]]];
}

function outcomeMark(row: HistoryRow, painter: Painter): readonly [string, StyleName] {
  const { glyphs } = painter;
  switch (row.outcome) {
    case 'ready':
      return [glyphs.done, 'good'];
    case 'crashed':
      return [glyphs.failed, 'bad'];
    case 'stalled':
      return [glyphs.warning, 'warn'];
    case 'stopped':
    case 'gone':
      return [glyphs.stopped, 'dim'];
    case 'loading':
      return [glyphs.pending, 'busy'];
    case 'unknown':
      return [glyphs.unknown, 'dim'];
  }
}

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
    // Their indentation tells what belongs to what.
    wrapColumns(painter.clean(expandTabs(text)), width).map((slice) =>
      painter.line([['text', slice.text]], width),
    ),
  );
  return [...facts, ' '.repeat(width), painter.line([['title', title]], width), ...lines];
}
