import { memo } from 'react';
import type { ScreenModel } from '../../core/view-models/screen.js';
import { type InputLine, visibleInput } from '../input-line.js';
import { keyLabel } from '../key-labels.js';
import { type KeyContext, type KeyRow, keymap } from '../keymap.js';
import type { Rect } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import { Rows } from './box.js';
import { noticeWords } from './notice.js';

/** The key line; in its place the filter while it is typed; a notice behind the first keys, or alone. */
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
  const right = pinnedKeys(context, painter);
  if (notice !== null) {
    return <Rows rect={rect} rows={[noticeLine(notice, context, right, rect.width, painter)]} />;
  }
  const keys = keyLine(context, rect.width - rowWidth(right, painter) - 1, painter);
  return <Rows rect={rect} rows={[painter.spread([['dim', ' '], ...keys], right, rect.width)]} />;
});

/** The way out, and the help: at the right end, and never left out. */
const pinned: Readonly<Partial<Record<KeyContext, readonly string[]>>> = {
  main: ['q', '?'],
  overlay: ['esc', '?'],
};

function pinnedKeys(context: KeyContext, painter: Painter): Row {
  const rows = (pinned[context] ?? []).map((name) =>
    keymap.find(({ keys, contexts }) => keys.includes(name) && contexts.includes(context)),
  );
  return rows.flatMap((row): Row => {
    if (row === undefined) return [];
    const words = keyWords(keyLabel(row.keys[0] ?? '', painter.glyphs.ascii), row.footer ?? '');
    return [['dim', ' '], ...words, ['dim', ' ']];
  });
}

/** Behind the keys that do most; a notice that needs the whole line gets it: the keys are back in a moment. */
function noticeLine(
  notice: NonNullable<ScreenModel['notice']>,
  context: KeyContext,
  right: Row,
  width: number,
  painter: Painter,
): string {
  const words: Row = [['dim', ' '], ...noticeWords(notice, width - 4, painter)];
  const left = width - rowWidth(words, painter) - rowWidth(right, painter) - 1;
  if (left < 0) return painter.spread(words, [], width);
  const keys = keyLine(context, left - 3, painter);
  const isWorth = keys.filter(([style]) => style === 'key').length >= mainKeys;
  return painter.spread(isWorth ? [['dim', ' '], ...keys, ['dim', ' '], ...words] : words, right, width);
}

/** Kill, relaunch and dump. */
const mainKeys = 3;

/** As many keys as fit, in the table's order. */
function keyLine(context: KeyContext, width: number, painter: Painter): Row {
  const row: Segment[] = [];
  let used = 1;
  for (const { keys, footer } of footerRows(context)) {
    const words = keyWords(keyLabel(keys[0] ?? '', painter.glyphs.ascii), footer ?? '');
    const width_ = rowWidth(words, painter) + 2;
    if (used + width_ - 1 > width) break;
    if (row.length > 0) row.push(['dim', '  ']);
    row.push(...words);
    used += width_;
  }
  return row;
}

/** In an overlay `q` means what Esc means. */
const footerRows = (context: KeyContext): readonly KeyRow[] =>
  keymap.filter(
    ({ footer, contexts, keys }) =>
      footer !== undefined &&
      contexts.includes(context) &&
      !(context in pinned && keys.some((name) => ['q', 'esc', '?'].includes(name))),
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
  const hint: Row = input.text === '' ? [['dim', ' pattern !not @rank']] : [];
  return painter.spread(
    [['key', ' / '], ...inputSegments(input, width - rowWidth(right, painter) - 4), ...hint],
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
