import { keyLabel } from '../keymap.js';
import { smallest } from '../layout.js';
import type { Painter, Row, Segment } from '../painter.js';
import { pickerKeys } from '../picker-keys.js';
import { type PickerModel, type PickerRow, type ServerWord, serverWords } from '../picker-model.js';
import { blanks, cut, textWidth, toWidth, wrapWords } from '../text.js';
import type { StyleName } from '../theme.js';
import { framed, innerSize } from './box.js';

/** What the picker shows at one moment besides its model. */
export interface PickerView {
  readonly chosen: number;
  /** Counts up while somebody is asked, for the mark that turns. */
  readonly beat: number;
  /** In place of the chosen row's sentence. */
  readonly notice: string | null;
  readonly columns: number;
  readonly rows: number;
}

/** The whole frame, one string a row, each exactly as wide as the terminal. */
export function pickerRows(model: PickerModel, view: PickerView, painter: Painter): readonly string[] {
  const { columns, rows } = view;
  if (columns < smallest.columns || rows < smallest.rows)
    return [painter.line([['warn', `too small: ${columns}x${rows}`]], columns)];
  const detail = detailRows(model, view, painter);
  const list = { left: 0, top: 1, width: columns, height: rows - 2 - detail.length, frame: 'box' as const };
  const inner = innerSize(list);
  const widths = columnWidths(model.rows, inner.width, painter);
  const shown = inner.height - 1;
  const top = Math.max(0, Math.min(view.chosen - Math.floor(shown / 2), model.rows.length - shown));
  const table = [
    painter.line(headRow(widths), inner.width),
    ...model.rows
      .slice(top, top + shown)
      .map((row, index) =>
        painter.line(tableRow(row, widths, top + index === view.chosen, view, painter), inner.width),
      ),
  ];
  const below = model.rows.length - top - shown;
  const aside: Row = below > 0 ? [['dim', `${painter.glyphs.down} ${below} more`]] : [];
  return [
    headerRow(model, columns, painter),
    ...framed(list, { title: [['title', 'Targets']], aside, focused: true }, table, painter),
    ...detail,
    painter.line(keyLine(columns, painter), columns),
  ];
}

function headerRow(model: PickerModel, columns: number, painter: Painter): string {
  const count = model.rows.length === 1 ? '1 target' : `${model.rows.length} targets`;
  const left: Row = [
    ['brand', ' firedup '],
    ['strong', ` ${count}`],
    ['dim', ` ${painter.glyphs.dot} ${model.source}`],
  ];
  const isAsking = model.rows.some(({ word }) => word === 'asking');
  const right: Row = [[isAsking ? 'busy' : 'dim', isAsking ? 'asking … ' : `asked at ${model.askedAt} `]];
  return painter.spread(left, right, columns);
}

interface Widths {
  readonly server: number;
  readonly host: number;
  /** 0 where there is no room for the column. */
  readonly attempt: number;
  readonly since: number;
}

/** Names are shown whole where they can be; the sentence takes what is left. */
function columnWidths(rows: readonly PickerRow[], width: number, painter: Painter): Widths {
  const longest = (head: string, texts: readonly string[], most: number): number =>
    Math.min(most, Math.max(head.length, ...texts.map((text) => textWidth(painter.clean(text)))));
  const isWide = width >= 70;
  return {
    server: longest(
      'TARGET',
      rows.map(({ server }) => server),
      isWide ? 24 : 12,
    ),
    host: longest(
      'HOST',
      rows.map(({ host }) => host),
      isWide ? 24 : 12,
    ),
    attempt: isWide ? 3 : 0,
    since: isWide
      ? longest(
          'SINCE',
          rows.map(({ since }) => since),
          8,
        )
      : 0,
  };
}

const stateWidth = 15;

function headRow(widths: Widths): Row {
  return [
    [
      'dim',
      columns({ server: 'TARGET', host: 'HOST', state: '  STATE', attempt: 'ATT', since: 'SINCE' }, widths),
    ],
  ];
}

function columns(
  cells: { server: string; host: string; state: string; attempt: string; since: string },
  widths: Widths,
): string {
  return [
    `  ${toWidth(cells.server, widths.server)}`,
    toWidth(cells.host, widths.host),
    toWidth(cells.state, stateWidth),
    ...(widths.attempt === 0
      ? []
      : [toWidth(cells.attempt, widths.attempt), toWidth(cells.since, widths.since)]),
  ].join('  ');
}

function tableRow(
  row: PickerRow,
  widths: Widths,
  isChosen: boolean,
  view: PickerView,
  painter: Painter,
): Row {
  const { glyphs } = painter;
  const name: StyleName = isChosen ? 'chosen' : 'strong';
  const plain: StyleName = isChosen ? 'chosen' : 'text';
  const cell = (style: StyleName, text: string, width: number): readonly Segment[] => {
    const shown = cut(painter.clean(text), width, glyphs.more);
    return [
      [style, shown],
      ['text', blanks(width - textWidth(shown) + 2)],
    ];
  };
  return [
    ['chosen', isChosen ? `${glyphs.chosen} ` : '  '],
    ...cell(name, row.server, widths.server),
    ...cell(plain, row.host, widths.host),
    ...cell(
      wordStyles[row.word],
      `${markOf(row.word, view.beat, painter)} ${serverWords[row.word]}`,
      stateWidth,
    ),
    ...(widths.attempt === 0
      ? []
      : [...cell(plain, row.attempt, widths.attempt), ...cell('dim', row.since, widths.since)]),
    ['dim', row.detail],
  ];
}

const wordStyles: Readonly<Record<ServerWord, StyleName>> = {
  ready: 'good',
  crashed: 'bad',
  loading: 'busy',
  stalled: 'warn',
  stopped: 'note',
  unknown: 'dim',
  asking: 'dim',
  none: 'dim',
  offline: 'bad',
  login: 'warn',
};

function markOf(word: ServerWord, beat: number, { glyphs }: Painter): string {
  const marks: Readonly<Record<ServerWord, string>> = {
    ready: glyphs.done,
    crashed: glyphs.failed,
    loading: glyphs.link,
    stalled: glyphs.warning,
    stopped: glyphs.stopped,
    unknown: glyphs.unknown,
    asking: glyphs.active[beat % glyphs.active.length] ?? glyphs.pending,
    none: glyphs.pending,
    offline: glyphs.failed,
    login: glyphs.warning,
  };
  return marks[word];
}

/** The chosen row in full: who and how it is, then its sentence; or a notice. */
function detailRows(model: PickerModel, view: PickerView, painter: Painter): readonly string[] {
  const row = model.rows[view.chosen];
  const height = view.rows >= 16 ? 3 : 1;
  const text = painter.clean(view.notice ?? (row === undefined ? '' : sentenceOf(row)));
  const head: Row =
    row === undefined || height === 1
      ? []
      : [
          ['strong', ` ${row.server}`],
          ['dim', ` on ${row.host}`],
          [wordStyles[row.word], `  ${serverWords[row.word]}`],
          ['dim', row.since === '' ? '' : ` for ${row.since}`],
          ['dim', row.attempt === '' ? '' : ` ${painter.glyphs.dot} attempt ${row.attempt}`],
        ];
  const style: StyleName = view.notice === null ? 'text' : 'warn';
  const lines: readonly Row[] = wrapWords(text, view.columns - 2).map((line) => [[style, ` ${line}`]]);
  const shown = [...(head.length === 0 ? [] : [head]), ...lines];
  return Array.from({ length: height }, (_, index) => painter.line(shown[index] ?? [], view.columns));
}

function sentenceOf(row: PickerRow): string {
  if (row.word === 'asking') return `${row.host} is being asked.`;
  if (row.word === 'login') return `${row.detail} Enter asks you for it.`;
  return row.detail;
}

function keyLine(width: number, painter: Painter): Row {
  const row: Segment[] = [['dim', ' ']];
  let used = 1;
  for (const { keys, footer } of pickerKeys) {
    if (footer === undefined) continue;
    const label = keyLabel(keys[0] ?? '', painter.glyphs.ascii);
    used += label.length + footer.length + 3;
    if (used > width) break;
    row.push(['key', label], ['dim', ` ${footer}  `]);
  }
  return row;
}
