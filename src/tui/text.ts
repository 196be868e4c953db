import stringWidth from 'string-width';

/** Texts made of these only are as wide as they are long, so that `slice` cuts them. */
const narrow =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u2010-\u2027\u2190-\u2199\u2500-\u25fc\u2713\u2717\u2800-\u28ff]*$/;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Columns that `text` takes on a terminal. It must hold no control characters. */
export function textWidth(text: string): number {
  return narrow.test(text) ? text.length : stringWidth(text);
}

/** `text` on at most `width` columns; what was cut is marked by `mark` (one column) at the end. */
export function cut(text: string, width: number, mark = '…'): string {
  if (narrow.test(text)) {
    if (text.length <= width) return text;
    return width <= 0 ? '' : text.slice(0, width - 1) + mark;
  }
  if (stringWidth(text) <= width) return text;
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

/** `text` broken at blanks into lines of at most `width` columns; longer words are broken too. */
export function wrapWords(text: string, width: number): readonly string[] {
  if (width <= 0) return [];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (textWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = wrapColumns(word, width);
    for (const piece of pieces.slice(0, -1)) lines.push(piece.text);
    line = pieces.at(-1)?.text ?? '';
  }
  lines.push(line);
  return lines;
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

function graphemeWidth(segment: string): number {
  return segment.length === 1 && segment.charCodeAt(0) < 0x300 ? 1 : stringWidth(segment);
}
