import stringWidth from 'string-width';

/** Texts made of these only are as wide as they are long, so that `slice` cuts them. */
const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2199\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/;

/** Whether every terminal shows each of its characters in one column. */
export const isNarrow = (text: string): boolean => narrow.test(text);

/** Cuts a text into the characters that are seen. */
export const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns that `text` takes on a terminal. It must hold no control characters. */
export function textWidth(text: string): number {
  if (narrow.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** `text` on at most `width` columns; what was cut is marked by `mark` (one column) at the end. */
export function cut(text: string, width: number, mark = '…'): string {
  if (narrow.test(text)) {
    if (text.length <= width) return text;
    return width <= 0 ? '' : text.slice(0, width - 1) + mark;
  }
  if (textWidth(text) <= width) return text;
  return width <= 0 ? '' : sliceColumns(text, 0, width - 1).text + mark;
}

/** Like `cut`, but keeps the end of the text: of a path that is the part that tells. */
export function cutStart(text: string, width: number, mark = '…'): string {
  const wide = textWidth(text);
  if (wide <= width) return text;
  return width <= 0 ? '' : mark + sliceColumns(text, wide - width + 1, width - 1).text;
}

/** Like `cut`, but keeps both ends: of a sentence with a path the beginning and the file. */
export function cutMiddle(text: string, width: number, mark = '…'): string {
  const wide = textWidth(text);
  if (wide <= width || width < 3) return cut(text, width, mark);
  const head = Math.floor((width - 1) / 2);
  return sliceColumns(text, 0, head).text + cutStart(text, width - head, mark);
}

/** `text` on exactly `width` columns: cut, or filled up with blanks. */
export function toWidth(text: string, width: number, mark = '…'): string {
  const shown = cut(text, width, mark);
  return shown + blanks(width - textWidth(shown));
}

/** Like `toWidth`, with the blanks before the text. */
export function toWidthRight(text: string, width: number, mark = '…'): string {
  const shown = cut(text, width, mark);
  return blanks(width - textWidth(shown)) + shown;
}

/** A part of a text: `start` and `end` are indices into the whole. */
export interface Slice {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * The part of `text` that stands in the columns `from` to `from + width`. A wide character that would be cut
 * in half at either end is left out.
 */
export function sliceColumns(text: string, from: number, width: number): Slice {
  if (narrow.test(text)) {
    const start = Math.min(from, text.length);
    const end = Math.min(start + Math.max(0, width), text.length);
    return { text: text.slice(start, end), start, end };
  }
  let column = 0;
  let start: number | null = null;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    const next = column + graphemeWidth(segment);
    if (next > from + width) break;
    if (column >= from) start ??= index;
    column = next;
    end = index + segment.length;
  }
  start ??= Math.min(end, text.length);
  return { text: text.slice(start, end), start, end: Math.max(start, end) };
}

/** `text` broken into pieces of at most `width` columns, at any character; an empty text is one empty piece. */
export function wrapColumns(text: string, width: number): readonly Slice[] {
  if (width <= 0) return [{ text: '', start: 0, end: 0 }];
  if (narrow.test(text)) {
    const slices: Slice[] = [];
    for (let start = 0; start === 0 || start < text.length; start += width) {
      const end = Math.min(start + width, text.length);
      slices.push({ text: text.slice(start, end), start, end });
    }
    return slices;
  }
  const slices: Slice[] = [];
  let start = 0;
  let column = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    const wide = graphemeWidth(segment);
    if (column + wide > width && index > start) {
      slices.push({ text: text.slice(start, index), start, end: index });
      start = index;
      column = 0;
    }
    column += wide;
  }
  slices.push({ text: text.slice(start), start, end: text.length });
  return slices;
}

/**
 * `text` broken at blanks into lines of at most `width` columns, the first of at most `first`: a label may stand before
 * it. A longer word (a path, a variable) is broken where its parts meet, and within a part only where that is longer.
 */
export function wrapWords(text: string, width: number, first = width): readonly string[] {
  if (width <= 0) return [];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = lines.length === 0 ? first : width;
    const joined = line === '' ? word : `${line} ${word}`;
    if (textWidth(joined) <= room) {
      line = joined;
      continue;
    }
    if (line !== '' || room < width) lines.push(line);
    const pieces = breakWord(word, width);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  lines.push(line);
  return lines;
}

/** The first `most` of `lines`; where there are more the last of them ends in `mark`, behind a whole word if it has one. */
export function clipLines(
  lines: readonly string[],
  most: number,
  width: number,
  mark = '…',
): readonly string[] {
  if (lines.length <= most) return lines;
  const shown = lines.slice(0, most);
  const last = shown.pop();
  if (last === undefined) return [];
  const words = last.trimEnd().split(' ');
  while (words.length > 1 && textWidth(words.join(' ')) + 2 > width) words.pop();
  const kept = words.join(' ');
  return [...shown, textWidth(kept) + 2 <= width ? `${kept} ${mark}` : cut(`${kept}${mark}`, width, mark)];
}

/** Like `wrapWords`, for text whose indentation tells what belongs to what: all its lines have it. */
export function wrapIndented(text: string, width: number): readonly string[] {
  const words = text.trimStart();
  const indent = text.slice(0, Math.min(text.length - words.length, Math.floor(width / 2)));
  return wrapWords(words, width - indent.length).map((line) => indent + line);
}

function breakWord(word: string, width: number): readonly string[] {
  const pieces: string[] = [];
  let rest = word;
  while (textWidth(rest) > width) {
    const fitting = wrapColumns(rest, width)[0]?.end ?? rest.length;
    const joint = /.*[/_\-=,;:&?@|)]/su.exec(rest.slice(0, fitting))?.[0].length ?? 0;
    const end = joint * 3 > fitting ? joint : fitting;
    pieces.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  return [...pieces, rest];
}

/** The characters of `text` as they are seen, each with the columns that it takes. */
export function* splitGraphemes(text: string): Iterable<{ readonly text: string; readonly width: number }> {
  for (const { segment } of graphemes.segment(text)) yield { text: segment, width: graphemeWidth(segment) };
}

/** Tabs as blanks up to the next stop of eight columns. */
export function expandTabs(text: string): string {
  if (!text.includes('\t')) return text;
  const pieces = text.split('\t');
  const last = pieces.pop() ?? '';
  return pieces.map((piece) => piece + blanks(8 - (textWidth(piece) % 8))).join('') + last;
}

const blankCache: string[] = [];

/** `width` blanks; none for a negative width. */
export function blanks(width: number): string {
  if (width <= 0) return '';
  const known = blankCache[width];
  if (known !== undefined) return known;
  const made = ' '.repeat(width);
  if (width < 1000) blankCache[width] = made;
  return made;
}

/**
 * As terminals count: an emoji with all that belongs to it is two columns wide, and of what is written together (`กำ`,
 * `री`) each letter and each mark that takes room counts.
 */
function graphemeWidth(segment: string): number {
  if (segment.length === 1 && segment.charCodeAt(0) < 0x300) return 1;
  const known = widths.get(segment);
  if (known !== undefined) return known;
  const width = widthOf(segment);
  if (widths.size > 5000) widths.clear();
  widths.set(segment, width);
  return width;
}

/** A text holds few characters, many times. */
const widths = new Map<string, number>();

function widthOf(segment: string): number {
  if (emoji.test(segment)) return stringWidth(segment);
  let width = 0;
  for (const character of segment) if (!withoutRoom.test(character)) width += stringWidth(character);
  return width;
}

const emoji = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3|\ufe0f/u;

/** Marks above and below, formatting, and the vowels and finals that a Korean syllable is put together of. */
const withoutRoom = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7fb]$/u;
