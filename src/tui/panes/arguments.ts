import type { Difference } from '../../core/compare-runs.js';
import type { ComparisonModel } from '../../core/view-models/overlay.js';
import type { Painter, Row } from '../painter.js';
import { blanks, textWidth, toWidth, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';

/** What changed against another attempt, then all server arguments, one name and value a row; long values are wrapped. */
export function argumentRows(
  rows: readonly Difference[],
  comparison: ComparisonModel | null,
  width: number,
  painter: Painter,
): readonly string[] {
  const args = rows.filter(({ section }) => section === 'arguments');
  const nameWidth = nameColumn(rows, width, painter);
  const draw = (row: Difference): readonly string[] => drawRow(row, nameWidth, width, painter);
  const none = wrapWords('the log has not told its arguments yet', width).map((line) =>
    painter.line([['dim', line]], width),
  );
  const all = args.filter(({ mark }) => mark !== 'removed').flatMap(draw);
  if (comparison === null) {
    const packages = section(rows, 'packages', draw, width, painter);
    return [...(all.length === 0 ? none : all), ...packages];
  }
  const title = (words: string): string => painter.line([['title', words]], width);
  const blank = ' '.repeat(width);
  const changed = rows.filter(
    ({ mark, section }) => mark !== 'same' && mark !== 'varies' && section !== 'phases',
  );
  return [
    painter.line(
      [
        ['title', 'Changed since '],
        ['strong', comparison.with],
      ],
      width,
    ),
    ...(comparison.other === null ? [] : [otherRow(comparison.other, width, painter)]),
    ...(changed.length === 0
      ? [painter.line([['dim', 'nothing that is known']], width)]
      : changed.flatMap(draw)),
    ...section(rows, 'phases', draw, width, painter),
    ...section(rows, 'packages', draw, width, painter),
    blank,
    title('Server arguments'),
    ...(all.length === 0 ? none : all),
  ];
}

function otherRow(other: string, width: number, painter: Painter): string {
  const keys = painter.glyphs.ascii ? 'Left Right' : '← →';
  const row: Row = [
    ['key', keys],
    ['dim', ` compare with ${other}`],
  ];
  return painter.line(row, width);
}

const sectionTitles = { phases: 'Phase times', packages: 'Versions' } as const;

function section(
  rows: readonly Difference[],
  wanted: keyof typeof sectionTitles,
  draw: (row: Difference) => readonly string[],
  width: number,
  painter: Painter,
): readonly string[] {
  const own = rows.filter((row) => row.section === wanted);
  if (own.length === 0) return [];
  return [' '.repeat(width), painter.line([['title', sectionTitles[wanted]]], width), ...own.flatMap(draw)];
}

function nameColumn(rows: readonly Difference[], width: number, painter: Painter): number {
  const widest = Math.max(0, ...rows.map(({ name }) => textWidth(painter.clean(name))));
  return Math.min(widest, Math.floor(width * 0.45)) + 2;
}

const styles: Readonly<Record<Difference['mark'], StyleName>> = {
  same: 'text',
  changed: 'note',
  added: 'good',
  removed: 'warn',
  varies: 'dim',
};

/** Name and value beside each other, each wrapped in its column, behind a mark for what is new or gone. */
function drawRow(row: Difference, nameWidth: number, width: number, painter: Painter): readonly string[] {
  const value =
    painter.clean(row.mark === 'removed' ? 'taken away' : row.value) + painter.clean(wasText(row));
  const left = markWidth + nameWidth;
  const names = wrapWords(painter.clean(row.name), nameWidth - 2);
  const values = wrapWords(value, width - left);
  return Array.from({ length: Math.max(names.length, values.length) }, (_, index) =>
    painter.line(
      [
        [styles[row.mark], index === 0 ? markOf(row) : blanks(markWidth)],
        ['dim', toWidth(names[index] ?? '', nameWidth)],
        [styles[row.mark], values[index] ?? ''],
      ],
      width,
    ),
  );
}

const markWidth = 2;

/** A phase that the other one did not come to is nothing new. */
function markOf({ section, mark }: Difference): string {
  if (mark === 'removed') return '- ';
  return mark === 'added' && section !== 'phases' ? '+ ' : '  ';
}

function wasText({ mark, was }: Difference): string {
  if (was === null) return '';
  return mark === 'varies' ? '  (differs each run)' : `  (was ${was})`;
}
