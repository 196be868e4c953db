import type { LogRow } from '../core/view-models/log.js';
import type { Span } from './match-marks.js';
import type { Painter } from './painter.js';
import { blanks, expandTabs, type Slice, sliceColumns, textWidth, wrapColumns } from './text.js';
import type { StyleName } from './theme.js';

export interface LogRowLook {
  readonly width: number;
  /** Columns of the line-number gutter, with its gap; 0 for none. */
  readonly gutter: number;
  readonly wrap: boolean;
  /** First column shown of a line that is cut. */
  readonly column: number;
  readonly shortStamps: boolean;
}

/** A part of a text and what it means; later ones win. */
interface Range extends Span {
  readonly style: StyleName;
}

/** What of a row depends on more than itself. */
export interface LogRowText {
  /** What `shownText` makes of it. */
  readonly text: string;
  /** What of that is marked as a match. */
  readonly lit: readonly Span[];
  /** Whether Enter opens or closes its group. */
  readonly isNext: boolean;
}

/** One log line as screen rows: one when it is cut, as many as it takes when it is wrapped. */
export function drawLogRow(
  row: LogRow,
  { text, lit, isNext }: LogRowText,
  look: LogRowLook,
  painter: Painter,
): readonly string[] {
  const width = look.width - look.gutter - markWidth;
  const ranges = [...baseRanges(row, text), ...lit.map((span): Range => ({ ...span, style: 'match' }))];
  const label = foldLabel(row, isNext, painter);
  const left = gutter(row, look, painter);
  if (!look.wrap) {
    const room = Math.max(0, width - label.width);
    const slice = sliceColumns(text, look.column, room);
    const line = paintSlice(slice, text, ranges, { column: look.column, width: room }, painter);
    const gap = label.width === 0 ? '' : blanks(room - line.width);
    return [left + line.text + gap + label.text];
  }
  const indent = ' '.repeat(look.gutter + markWidth);
  const slices = wrapColumns(text, width);
  const lines = slices.map(
    (slice, index) => (index === 0 ? left : indent) + paintRanges(slice, ranges, painter),
  );
  if (label.width === 0) return lines;
  const room = width - textWidth(slices.at(-1)?.text ?? '') - label.width;
  const last = room < 0 ? null : (lines.pop() ?? '');
  return [...lines, last === null ? indent + label.text : last + blanks(room) + label.text];
}

/** Screen rows that `drawLogRow` makes of it. */
export function logRowHeight(row: LogRow, text: string, look: LogRowLook, painter: Painter): number {
  if (!look.wrap) return 1;
  const width = look.width - look.gutter - markWidth;
  const slices = wrapColumns(text, width);
  const label = foldLabel(row, false, painter).width;
  return slices.length + (label > 0 && textWidth(slices.at(-1)?.text ?? '') + label > width ? 1 : 0);
}

/** Mark and blank before the text. */
const markWidth = 2;

/** Of a progress bar's frames only the last can be seen; trailing blanks are nothing to see either. */
export function shownText(raw: string, look: LogRowLook, painter: Painter): string {
  const trimmed = raw.trimEnd();
  const frame = trimmed.slice(trimmed.lastIndexOf('\r') + 1);
  const text = painter.clean(expandTabs(frame));
  return look.shortStamps ? withoutDates(text) : text;
}

/** The time of day is left of the stamps that stand before the message. */
function withoutDates(text: string): string {
  const head = text.slice(0, headLength);
  return head.replace(datedStamp, '$1') + text.slice(headLength);
}

const headLength = 120;

const datedStamp =
  /(?:\d{4}[-/])?\d\d[-/]\d\d(?:\/\d{4})?[T -](\d\d:\d\d:\d\d)(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?(?![\d:])/g;

/** How much a row stands for, and whether Enter opens or closes it. Not by colour alone: `▸` opens, `▾` closes. */
function foldLabel(
  { fold }: LogRow,
  isNext: boolean,
  painter: Painter,
): { readonly text: string; readonly width: number } {
  if (fold === null || !fold.isRow) return { text: '', width: 0 };
  const { glyphs } = painter;
  const copies = fold.copies > 1 ? ` ${glyphs.times}${fold.copies}` : '';
  const lines = fold.lines > fold.copies ? ` ${fold.lines} lines` : '';
  const sign = fold.isOpen ? glyphs.opened : glyphs.chosen;
  const words = ` ${sign}${copies}${lines}`;
  return { text: painter.paint(isNext ? 'chosen' : 'note', words), width: textWidth(words) };
}

function gutter(row: LogRow, look: LogRowLook, painter: Painter): string {
  const number = look.gutter === 0 ? '' : `${String(row.number || '').padStart(look.gutter - 1)} `;
  return painter.paint('logNumber', number) + mark(row, painter);
}

/** The level as a mark of its own, for eyes and terminals that see no colours; behind it what a jump or the user marked. */
function mark(row: LogRow, painter: Painter): string {
  return levelMark(row, painter) + flagMark(row, painter);
}

function levelMark(row: LogRow, painter: Painter): string {
  const { glyphs } = painter;
  if (row.level === 'error') return painter.paint('logError', glyphs.failed);
  if (row.level === 'warning') return painter.paint('logWarning', '!');
  if (row.milestone) return painter.paint('logMilestone', glyphs.milestone);
  return row.seq === null ? painter.paint('logProgress', glyphs.live) : ' ';
}

function flagMark({ flag, fold }: LogRow, painter: Painter): string {
  const { glyphs } = painter;
  if (flag === null) return fold?.isOpen === true ? painter.paint('dim', glyphs.border.vertical) : ' ';
  return flag === 'found' ? painter.paint('chosen', glyphs.chosen) : painter.paint('key', glyphs.link);
}

const levelStyles: Readonly<Record<LogRow['level'], StyleName>> = {
  error: 'logError',
  warning: 'logWarning',
  info: 'logInfo',
  progress: 'logProgress',
};

/** Prefixes that say when and who: `[2026-01-02 03:04:05 TP0]`, `(Worker_TP0 pid=12)`, `INFO 01-02 03:04:05 [core.py:12]`. */
const prefixPattern =
  /^(?:[[(][^\])]{1,80}[\])] ?|(?:INFO|DEBUG)\b:? +(?:\d\d-\d\d )?(?:[\d:.]+ )?(?=[[(]))+/;

function baseRanges(row: LogRow, text: string): readonly Range[] {
  const level = row.milestone && row.level === 'info' ? 'logMilestone' : levelStyles[row.level];
  const ranges: Range[] = [{ start: 0, end: text.length, style: level }];
  const prefix = prefixPattern.exec(text)?.[0].length ?? 0;
  if (prefix > 0) ranges.push({ start: 0, end: prefix, style: 'logPrefix' });
  const rank = row.rank === null ? -1 : text.indexOf(row.rank);
  if (row.rank !== null && rank >= 0 && rank < Math.max(prefix, 1)) {
    ranges.push({ start: rank, end: rank + row.rank.length, style: rankStyle(row.rank) });
  }
  return ranges;
}

const rankStyles = ['rank0', 'rank1', 'rank2', 'rank3', 'rank4', 'rank5'] as const;

/** By the last number in the rank's name, so that TP0 to TP5 differ from one another. */
function rankStyle(rank: string): StyleName {
  const number = Number(/(\d+)\D*$/.exec(rank)?.[1] ?? 0);
  return rankStyles[number % rankStyles.length] ?? 'rank0';
}

/** A cut line, with marks where something is hidden to the left or the right. */
function paintSlice(
  slice: Slice,
  text: string,
  ranges: readonly Range[],
  { column, width }: { readonly column: number; readonly width: number },
  painter: Painter,
): { readonly text: string; readonly width: number } {
  const hidden = painter.paint('dim', painter.glyphs.hidden);
  const before = slice.start > 0 && slice.end > slice.start;
  const after = slice.end < text.length;
  if (!before && !after) return { text: paintRanges(slice, ranges, painter), width: textWidth(slice.text) };
  const from = before ? 1 : 0;
  const inner = sliceColumns(text, column + from, width - from - (after ? 1 : 0));
  const used = from + textWidth(inner.text);
  const painted = (before ? hidden : '') + paintRanges(inner, ranges, painter);
  if (!after) return { text: painted, width: used };
  return { text: painted + blanks(width - used - 1) + hidden, width };
}

/** The slice with each of its characters in the style of the last range that holds it. */
function paintRanges(slice: Slice, ranges: readonly Range[], painter: Painter): string {
  const edges = new Set([slice.start, slice.end]);
  for (const { start, end } of ranges) {
    if (start > slice.start && start < slice.end) edges.add(start);
    if (end > slice.start && end < slice.end) edges.add(end);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  let out = '';
  for (let index = 1; index < sorted.length; index++) {
    const start = sorted[index - 1] ?? 0;
    const end = sorted[index] ?? 0;
    const style = ranges.findLast((range) => range.start <= start && range.end >= end)?.style ?? 'logInfo';
    out += painter.paint(style, slice.text.slice(start - slice.start, end - slice.start));
  }
  return out;
}
