import type { HistoryOutcome } from '../core/history.js';

/** The marks that the screen is drawn with. Each string is one column wide, but for the bar's eighths. */
export interface Glyphs {
  /** Whether nothing else than ASCII may be written. */
  readonly ascii: boolean;
  readonly border: {
    readonly topLeft: string;
    readonly topRight: string;
    readonly bottomLeft: string;
    readonly bottomRight: string;
    readonly horizontal: string;
    readonly vertical: string;
  };
  readonly done: string;
  readonly active: readonly string[];
  readonly pending: string;
  readonly failed: string;
  readonly skipped: string;
  readonly warning: string;
  readonly stopped: string;
  readonly unknown: string;
  readonly link: string;
  readonly chosen: string;
  readonly opened: string;
  readonly milestone: string;
  readonly live: string;
  /** Stands for a character that is not to be seen. */
  readonly mask: string;
  readonly down: string;
  readonly hidden: string;
  readonly more: string;
  readonly dot: string;
  readonly arrow: string;
  readonly times: string;
  readonly degree: string;
  readonly full: string;
  readonly track: string;
  /** How far a bar is expected to come. */
  readonly goal: string;
  /** From one eighth to seven eighths; a bar with fewer steps has fewer. */
  readonly eighths: readonly string[];
  readonly spark: readonly string[];
}

/**
 * ASCII where the locale is not UTF-8 or the terminal is the Linux console, whose font lacks most marks.
 * The order is that of POSIX: LC_ALL, LC_CTYPE, LANG.
 */
export function glyphsFor(env: Readonly<Record<string, string | undefined>>): Glyphs {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /utf-?8/i.test(locale) && env.TERM !== 'linux' ? unicodeGlyphs : asciiGlyphs;
}

export const unicodeGlyphs: Glyphs = {
  ascii: false,
  border: {
    topLeft: '╭',
    topRight: '╮',
    bottomLeft: '╰',
    bottomRight: '╯',
    horizontal: '─',
    vertical: '│',
  },
  done: '✓',
  active: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  pending: '○',
  failed: '✗',
  skipped: '–',
  warning: '▲',
  stopped: '■',
  unknown: '?',
  link: '●',
  chosen: '▸',
  opened: '▾',
  milestone: '◆',
  live: '›',
  mask: '•',
  down: '↓',
  hidden: '…',
  more: '…',
  dot: '·',
  arrow: '→',
  times: '×',
  degree: '°',
  full: '█',
  track: '·',
  goal: '┊',
  eighths: ['▏', '▎', '▍', '▌', '▋', '▊', '▉'],
  spark: ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'],
};

export const asciiGlyphs: Glyphs = {
  ascii: true,
  border: {
    topLeft: '+',
    topRight: '+',
    bottomLeft: '+',
    bottomRight: '+',
    horizontal: '-',
    vertical: '|',
  },
  done: 'v',
  active: ['|', '/', '-', '\\'],
  pending: '.',
  failed: 'x',
  skipped: '-',
  warning: '!',
  stopped: '#',
  unknown: '?',
  link: '*',
  chosen: '>',
  opened: 'v',
  milestone: '*',
  live: '>',
  mask: '*',
  down: 'v',
  hidden: '~',
  more: '~',
  dot: '-',
  arrow: '>',
  times: 'x',
  degree: '',
  full: '#',
  track: '.',
  goal: '|',
  eighths: [],
  spark: ['_', '.', ':', '-', '=', '+', '*', '#'],
};

/** The mark of each outcome; where something turns, it turns in the place of that for loading. */
export const outcomeMarks = (glyphs: Glyphs): Readonly<Record<HistoryOutcome, string>> => ({
  ready: glyphs.done,
  crashed: glyphs.failed,
  loading: glyphs.pending,
  stalled: glyphs.warning,
  stopped: glyphs.stopped,
  gone: glyphs.stopped,
  unknown: glyphs.unknown,
});

/** A bar of `width` columns, as the filled and the empty part. `share` is 0 to 1. */
export function bar(
  share: number,
  width: number,
  glyphs: Glyphs,
): { readonly filled: string; readonly empty: string } {
  const steps = glyphs.eighths.length + 1;
  const units = Math.round(Math.min(1, Math.max(0, share)) * Math.max(0, width) * steps);
  const whole = Math.floor(units / steps);
  const part = units % steps === 0 ? '' : (glyphs.eighths[(units % steps) - 1] ?? '');
  const filled = glyphs.full.repeat(whole) + part;
  return { filled, empty: glyphs.track.repeat(Math.max(0, width - filled.length)) };
}

/** The last `width` values as a line of blocks, newest at the right; unknown ones stay blank. */
export function sparkLine(history: readonly (number | null)[], width: number, glyphs: Glyphs): string {
  const shown = width > 0 ? history.slice(-width) : [];
  const top = glyphs.spark.length - 1;
  const blocks = shown.map((value) =>
    value === null ? ' ' : (glyphs.spark[Math.round(Math.min(1, Math.max(0, value)) * top)] ?? ' '),
  );
  return blocks.join('').padStart(Math.max(0, width));
}
