import type { Glyphs } from './glyphs.js';
import { blanks, cut, textWidth, toWidth } from './text.js';
import { type ColorDepth, compileTheme, type StyleName, type Theme } from './theme.js';

/** A piece of a row: text that may come from anywhere, and what it means. */
export type Segment = readonly [style: StyleName, text: string];

export type Row = readonly Segment[];

export interface Painter {
  readonly glyphs: Glyphs;
  /** `row` as a string of exactly `width` columns: cleaned, cut with a mark, filled up with blanks, coloured. */
  line(row: Row, width: number): string;
  /** `left` and `right` at the two ends; the left one gives way. */
  spread(left: Row, right: Row, width: number, fill?: Segment): string;
  /** `text` fit for the terminal: no control characters, no escape sequences. */
  clean(text: string): string;
  paint(style: StyleName, text: string): string;
  /** The same without colours, dim: for what is old. */
  readonly faded: Painter;
}

/**
 * The one place where texts become terminal output. Whatever `sanitize` leaves, no control character passes:
 * that is what makes it true that nothing from the remote reaches the terminal as an escape sequence.
 */
export function createPainter(options: {
  readonly theme: Theme;
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
  readonly sanitize: (text: string) => string;
}): Painter {
  const open = compileTheme(options.theme, options.depth);
  const faded = painterBy({ ...options, open: () => open.dim });
  return painterBy({ ...options, open: (style) => open[style], faded });
}

function painterBy(options: {
  readonly glyphs: Glyphs;
  readonly sanitize: (text: string) => string;
  /** The sequence that begins a style. */
  readonly open: (style: StyleName) => string;
  readonly faded?: Painter;
}): Painter {
  const more = options.glyphs.more;

  const clean = (text: string): string => {
    // Plain letters may be a secret: every text goes through `sanitize`.
    const sane = options.sanitize(text);
    if (plain.test(sane)) return sane;
    const safe = dropControls(sane);
    return options.glyphs.ascii ? asciiOf(safe) : safe;
  };

  const paint = (style: StyleName, text: string): string => {
    const sequence = options.open(style);
    return sequence === '' || text === '' ? text : `${sequence}${text}\u001B[0m`;
  };

  const line = (row: Row, width: number): string => {
    const { text, used } = render(row, width);
    return text + blanks(width - used);
  };

  const render = (row: Row, width: number): { text: string; used: number } => {
    let text = '';
    let used = 0;
    for (const [style, raw] of row) {
      if (used >= width) break;
      const shown = cutText(clean(raw), width - used, more);
      text += paint(style, shown);
      used += textWidth(shown);
    }
    return { text, used };
  };

  const spread = (left: Row, right: Row, width: number, fill?: Segment): string => {
    const end = render(right, width);
    const start = render(left, Math.max(0, width - end.used - (end.used > 0 ? 1 : 0)));
    const gap = width - start.used - end.used;
    return start.text + (fill === undefined ? blanks(gap) : paint(fill[0], fill[1].repeat(gap))) + end.text;
  };

  const painter = { glyphs: options.glyphs, line, spread, clean, paint };
  return {
    ...painter,
    get faded() {
      return options.faded ?? this;
    },
  };
}

/** Of a text that is too long only for its blanks at the end nothing is missing: it gets no mark. */
function cutText(text: string, width: number, more: string): string {
  const shown = cut(text, width, more);
  return shown !== text && textWidth(text.trimEnd()) <= width ? toWidth(text.trimEnd(), width) : shown;
}

/** Columns that `row` takes when nothing is cut. */
export function rowWidth(row: Row, painter: Painter): number {
  return row.reduce((sum, [, text]) => sum + textWidth(painter.clean(text)), 0);
}

const plain = /^[\x20-\x7e]*$/;

const dropControls = (text: string): string =>
  text.replaceAll('\t', '  ').replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, '');

/** Near enough for a terminal without UTF-8, one column for one character. */
const asciiOf = (text: string): string => text.replace(/[^\x20-\x7e]/gu, (mark) => asciiMarks[mark] ?? '?');

const asciiMarks: Readonly<Record<string, string>> = {
  '·': '-',
  '–': '-',
  '—': '-',
  '→': '>',
  '≈': '~',
  '…': '~',
  '×': 'x',
  '°': ' ',
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '█': '#',
  '↵': ';',
};
