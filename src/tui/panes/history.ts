import type { HistoryRow } from '../../core/view-models.js';
import { clock } from '../format.js';
import type { Painter, Row } from '../painter.js';
import { toWidth, toWidthRight } from '../text.js';
import type { StyleName } from '../theme.js';

/** The attempts in the model's order: number, outcome, duration, cause, what was changed. */
export function historyRows(rows: readonly HistoryRow[], width: number, painter: Painter): readonly string[] {
  if (rows.length === 0) return [painter.line([['dim', 'no attempt of ours yet']], width)];
  const head: Row = [
    ['dim', `${toWidth('  #', 6)}${toWidth('outcome', 12)}${toWidthRight('took', 9)}   cause and change`],
  ];
  return [painter.line(head, width), ...rows.flatMap((row) => attemptRows(row, width, painter))];
}

function attemptRows(row: HistoryRow, width: number, painter: Painter): readonly string[] {
  const { glyphs } = painter;
  const [mark, style] = outcomeMarks(row, painter);
  const first: Row = [
    ['strong', toWidth(`  ${row.attempt}`, 6)],
    [style, toWidth(`${mark} ${row.outcome}`, 12)],
    ['text', toWidthRight(row.seconds === null ? glyphs.skipped : clock(row.seconds * 1000), 9)],
    ['text', `   ${row.cause ?? ''}`],
  ];
  if (row.change === null) return [painter.line(first, width)];
  const change: Row = [
    ['dim', `${' '.repeat(30)}${glyphs.arrow} `],
    ['note', row.change],
  ];
  return [painter.line(first, width), painter.line(change, width)];
}

function outcomeMarks(row: HistoryRow, painter: Painter): readonly [string, StyleName] {
  const { glyphs } = painter;
  switch (row.outcome) {
    case 'ready':
      return [glyphs.done, 'good'];
    case 'crashed':
      return [glyphs.failed, 'bad'];
    case 'stalled':
      return [glyphs.warning, 'warn'];
    case 'stopped':
      return [glyphs.stopped, 'dim'];
    case 'loading':
      return [glyphs.pending, 'busy'];
    case 'unknown':
      return [glyphs.unknown, 'dim'];
  }
}
