import { outcomeMarks } from '../glyphs.js';
import { keyLabel } from '../key-labels.js';
import { smallest, tooSmallWords } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import { pickerKeys } from '../picker-keys.js';
import {
  isAwaited,
  type PickerModel,
  type PickerRow,
  type ServerWord,
  serverWords,
} from '../picker-model.js';
import { blanks, cutMiddle, cutStart, textWidth, toWidth, wrapWords } from '../text.js';
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
    return [painter.line([['warn', tooSmallWords(columns, rows)]], columns)];
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
  ];
  const isAsking = model.rows.some(isAwaited);
  const right: Row = [[isAsking ? 'busy' : 'dim', isAsking ? 'asking … ' : `asked at ${model.askedAt} `]];
  const room = columns - rowWidth([...left, ...right], painter) - 5;
  const source: Row =
    room < 8
      ? []
      : [
          [
            'dim',
            ` ${painter.glyphs.dot} ${cutStart(painter.clean(model.source), room, painter.glyphs.more)}`,
          ],
        ];
  return painter.spread([...left, ...source], right, columns);
}

/** Columns of each; 0 for one that has no room. */
interface Widths {
  readonly server: number;
  readonly host: number;
  readonly state: number;
  readonly attempt: number;
  readonly since: number;
  readonly detail: number;
}

/** A sentence in fewer columns says nothing. */
const leastDetail = 12;

/** State and figures have what they need, then the names; the sentence takes what is left. */
function columnWidths(rows: readonly PickerRow[], width: number, painter: Painter): Widths {
  const longest = (head: string, cell: (row: PickerRow) => string): number =>
    Math.max(head.length, ...rows.map((row) => textWidth(painter.clean(cell(row)))));
  const isWide = width >= 70;
  const state = longest('  STATE', ({ word }) => `  ${serverWords[word]}`);
  const attempt = isWide ? longest('ATT', (row) => row.attempt) : 0;
  const since = isWide ? longest('SINCE', (row) => row.since) : 0;
  const gaps = isWide ? 8 : 4;
  const room = width - 2 - state - attempt - since - gaps - (width >= 90 ? leastDetail + 8 : 0);
  const server = longest('TARGET', (row) => row.server);
  const host = longest('HOST', (row) => row.host);
  const names = server + host <= room ? { server, host } : shareOut(server, host, room);
  const left = width - 2 - state - attempt - since - names.server - names.host - gaps - 2;
  return { ...names, state, attempt, since, detail: left < leastDetail ? 0 : left };
}

/** Where both names do not fit each has at least its half; and where a host has no room at all, it is left out. */
function shareOut(
  server: number,
  host: number,
  room: number,
): { readonly server: number; readonly host: number } {
  if (room < 24) return { server: Math.min(server, room + 2), host: 0 };
  const half = Math.floor(room / 2);
  if (server <= half) return { server, host: room - server };
  return host <= half ? { server: room - host, host } : { server: room - half, host: half };
}

function headRow(widths: Widths): Row {
  const cells: readonly (readonly [string, number])[] = [
    ['TARGET', widths.server],
    ['HOST', widths.host],
    ['  STATE', widths.state],
    ['ATT', widths.attempt],
    ['SINCE', widths.since],
  ];
  const shown = cells.filter(([, width]) => width > 0).map(([text, width]) => toWidth(text, width));
  return [['dim', `  ${shown.join('  ')}`]];
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
    if (width === 0) return [];
    // Names of one kind often differ at their ends.
    const shown = cutMiddle(painter.clean(text), width, glyphs.more);
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
      // An answer that may have been overtaken has no colour.
      isAwaited(row) ? 'dim' : wordStyles[row.word],
      `${markOf(row, view.beat, painter)} ${serverWords[row.word]}`,
      widths.state,
    ),
    ...cell(plain, row.attempt, widths.attempt),
    ...cell('dim', row.since, widths.since),
    ...(widths.detail === 0 ? [] : [['dim', row.detail] as const]),
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

function markOf(row: PickerRow, beat: number, { glyphs }: Painter): string {
  const word = isAwaited(row) ? 'asking' : row.word;
  const marks: Readonly<Record<ServerWord, string>> = {
    ...outcomeMarks(glyphs),
    loading: glyphs.link,
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
  const style: StyleName = view.notice === null ? 'text' : 'warn';
  const width = view.columns - 2;
  const all = wrapWords(text, width);
  // Of the last row that there is room for, all that it holds.
  const lines = height === 1 ? [text] : all.length <= 2 ? all : [...all.slice(0, 1), all.slice(1).join(' ')];
  const head = row === undefined || height === 1 ? [] : [detailHead(row, view.columns, painter)];
  const shown = [...head, ...lines.map((line) => painter.line([[style, ` ${line}`]], view.columns))];
  return Array.from({ length: height }, (_, index) => shown[index] ?? blanks(view.columns));
}

function detailHead(row: PickerRow, columns: number, painter: Painter): string {
  const how: Row = [
    [isAwaited(row) ? 'dim' : wordStyles[row.word], `  ${serverWords[row.word]}`],
    ['dim', row.since === '' ? '' : ` for ${row.since}`],
    ['dim', row.attempt === '' ? '' : ` ${painter.glyphs.dot} attempt ${row.attempt}`],
    ['dim', row.isAskedAgain ? ` ${painter.glyphs.dot} asking again` : ''],
  ];
  const who = `${painter.clean(row.server)} on ${painter.clean(row.host)}`;
  const room = columns - 1 - rowWidth(how, painter);
  return painter.line([['strong', ` ${cutMiddle(who, room, painter.glyphs.more)}`], ...how], columns);
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
