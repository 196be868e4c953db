import { memo } from 'react';
import type { ScreenModel } from '../../core/view-models.js';
import { type InputLine, visibleInput } from '../input-line.js';
import { type KeyContext, type KeyRow, keyLabel, keymap } from '../keymap.js';
import type { Rect } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import type { StyleName } from '../theme.js';
import { Rows } from './box.js';

/** The key line; in its place the filter while it is typed, or a notice. */
export const Footer = memo(function Footer(props: {
  readonly context: KeyContext;
  readonly notice: ScreenModel['notice'];
  readonly input: InputLine;
  readonly inputError: string | null;
  readonly rect: Rect;
  readonly painter: Painter;
}) {
  const { context, notice, input, inputError, rect, painter } = props;
  if (context === 'filter')
    return <Rows rect={rect} rows={[filterLine(input, inputError, rect.width, painter)]} />;
  const help = keyWords('?', 'help');
  const keys =
    notice === null
      ? keyLine(context, rect.width - rowWidth(help, painter) - 2, painter)
      : noticeLine(notice);
  const right: Row = context === 'main' || context === 'overlay' ? [...help, ['dim', ' ']] : [];
  return <Rows rect={rect} rows={[painter.spread([['dim', ' '], ...keys], right, rect.width)]} />;
});

const noticeStyles: Readonly<Record<'info' | 'warning' | 'error', StyleName>> = {
  info: 'note',
  warning: 'warn',
  error: 'bad',
};

const noticeLine = (notice: NonNullable<ScreenModel['notice']>): Row => [
  [noticeStyles[notice.level], notice.text],
];

/** As many keys as toWidth, in the table's order. */
function keyLine(context: KeyContext, width: number, painter: Painter): Row {
  const row: Segment[] = [];
  let used = 1;
  for (const { keys, footer } of footerRows(context)) {
    const words = keyWords(keyLabel(keys[0] ?? '', painter.glyphs.ascii), footer ?? '');
    const width_ = rowWidth(words, painter) + 2;
    if (used + width_ > width) break;
    row.push(...words, ['dim', '  ']);
    used += width_;
  }
  return row;
}

const footerRows = (context: KeyContext): readonly KeyRow[] =>
  keymap.filter(
    (row) => row.footer !== undefined && row.contexts.includes(context) && !row.keys.includes('?'),
  );

const keyWords = (label: string, words: string): Row => [
  ['key', label],
  ['dim', ` ${words}`],
];

function filterLine(input: InputLine, error: string | null, width: number, painter: Painter): string {
  const right: Row =
    error === null
      ? [['dim', ' '], ...keyWords('Enter', 'keep'), ['dim', '  '], ...keyWords('Esc', 'clear'), ['dim', ' ']]
      : [['bad', ` ${error} `]];
  return painter.spread(
    [['key', ' / '], ...inputSegments(input, width - rowWidth(right, painter) - 4)],
    right,
    width,
  );
}

/** An input line with its cursor shown as an inverse cell. */
export function inputSegments(input: InputLine, width: number): Row {
  const [before, under, after] = visibleInput(input, width);
  return [
    ['text', before],
    ['cursor', under],
    ['text', after],
  ];
}
