import Table from 'cli-table3';
import { helpText } from '../core/help-words.js';
import { type HistoryEntry, previousOf, secondsToReady } from '../core/history.js';
import { clockText } from '../core/words.js';
import { sanitize } from '../ingest/sanitize.js';
import { type Glyphs, glyphsFor, outcomeMarks } from '../tui/glyphs.js';
import { lastOf } from './last-of.js';
import { frameless } from './table.js';
import { wrapLines } from './wrap-lines.js';

/** How a table is to look. */
export interface TableLook {
  /** Columns of the terminal. */
  readonly width: number;
  readonly isColoured: boolean;
  /** Attempts shown at most, the newest. */
  readonly count: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ms since the epoch. */
  readonly now: number;
}

/** The attempts at one server, the newest last: when, outcome, time to ready, cause; change and remedy below. */
export function historyTable(
  host: string,
  name: string,
  entries: readonly HistoryEntry[],
  look: TableLook,
): string {
  const glyphs = glyphsFor(look.env);
  const colour = painter(look);
  const shown = lastOf(entries, look.count);
  const widths = [5, 14, 11, 10];
  const rest = look.width - widths.reduce((sum, width) => sum + width, 0);
  const table = new Table({
    head: ['#', 'BEGAN', 'OUTCOME', 'READY IN', 'CAUSE'],
    chars: frameless,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    colWidths: [...widths, rest],
    colAligns: ['right', 'left', 'left', 'right', 'left'],
    wordWrap: true,
    wrapOnWordBoundary: true,
  });
  for (const entry of shown) {
    const ready = secondsToReady(entry);
    table.push([
      entry.attempt === null ? glyphs.dot : String(entry.attempt),
      began(entry.startedAt, look.now),
      colour(outcomeStyle(entry), `${outcomeMarks(glyphs)[entry.outcome]} ${entry.outcome}`),
      ready === null ? glyphs.skipped : clockText(ready * 1000),
      wrapLines(entry.cause?.text ?? '', rest - 2, glyphs.more).join('\n'),
    ]);
    for (const [style, text] of storyOf(entry, previousOf(entries, entry.id), glyphs)) {
      const lines = wrapLines(text, look.width - (widths[0] ?? 0) - 2, glyphs.more).map((line) =>
        colour(style, line),
      );
      table.push(['', { colSpan: widths.length, content: lines.join('\n') }]);
    }
  }
  const hidden = entries.length - shown.length;
  return [
    `${sanitize(host)} ${glyphs.dot} ${sanitize(name)}: ${summary(entries, glyphs)}${hidden === 0 ? '' : `, the last ${shown.length} shown`}`,
    '',
    trimmed(table.toString()),
  ].join('\n');
}

/** The servers of a host of which something is kept. */
export function serverTable(
  host: string,
  servers: ReadonlyMap<string, readonly HistoryEntry[]>,
  look: TableLook,
): string {
  const glyphs = glyphsFor(look.env);
  const colour = painter(look);
  const table = new Table({
    head: ['SERVER', 'ATTEMPTS', 'READY', 'LAST', ''],
    chars: frameless,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    colAligns: ['left', 'right', 'right', 'left', 'left'],
  });
  for (const [name, entries] of servers) {
    const last = entries.at(-1);
    if (last === undefined) continue;
    const ready = entries.filter(({ readyAt, outcome }) => readyAt !== null || outcome === 'ready').length;
    table.push([
      sanitize(name),
      String(entries.length),
      String(ready),
      began(last.startedAt, look.now),
      colour(outcomeStyle(last), `${outcomeMarks(glyphs)[last.outcome]} ${last.outcome}`),
    ]);
  }
  const title = `There are several servers on ${sanitize(host)}; choose one with --name or --log.`;
  return [title, '', trimmed(table.toString())].join('\n');
}

const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');

function summary(entries: readonly HistoryEntry[], { dot }: Glyphs): string {
  const count = `${entries.length} ${entries.length === 1 ? 'attempt' : 'attempts'}`;
  const times = entries.map(secondsToReady).filter((seconds) => seconds !== null);
  if (times.length === 0) return `${count}, none was ready`;
  const best = clockText(Math.min(...times) * 1000);
  return `${count} ${dot} ${times.length} ready, the fastest in ${best}`;
}

type Style = 'good' | 'bad' | 'warn' | 'dim' | 'note';

/** Change and remedy, a paragraph each. */
function storyOf(
  entry: HistoryEntry,
  previous: HistoryEntry | null,
  glyphs: Glyphs,
): readonly (readonly [Style, string])[] {
  const { change, remedy, helped } = entry;
  const words = helpText(entry, previous);
  const story: (readonly [Style, string])[] = [];
  if (change !== null) story.push(['note', `${glyphs.arrow} ${change}`]);
  if (words !== null)
    story.push(helped ? ['good', `${glyphs.done} ${words}`] : ['bad', `${glyphs.failed} ${words}`]);
  else if (remedy !== null) story.push(['dim', `remedy: ${remedy.title}`]);
  return story;
}

function outcomeStyle({ outcome }: HistoryEntry): Style {
  if (outcome === 'ready') return 'good';
  if (outcome === 'crashed') return 'bad';
  return outcome === 'stalled' ? 'warn' : 'dim';
}

const codes: Readonly<Record<Style, string>> = {
  good: '32',
  bad: '31',
  warn: '33',
  dim: '2',
  note: '36',
};

const painter =
  ({ isColoured }: TableLook) =>
  (style: Style, text: string): string =>
    isColoured ? `\u001B[${codes[style]}m${text}\u001B[0m` : text;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `Nov 29 18:02` in local time; another year instead of the time. */
function began(at: number | null, now: number): string {
  if (at === null) return '';
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${months[date.getMonth()]} ${two(date.getDate())}`;
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return isThisYear
    ? `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
    : `${day} ${date.getFullYear()}`;
}
