import Table from 'cli-table3';
import { sanitizeLines } from '../ingest/sanitize.js';

/** Columns without lines between them, as other commands print them; the last column may be as long as it likes. */
export function plainTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: [...head],
    chars: frameless,
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
  });
  // A cell may have several lines.
  for (const row of rows) table.push(row.map(sanitizeLines));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Columns that a table may take: those of the terminal, up to what can be read. */
export const tableWidth = ({ columns }: { readonly columns?: number }): number =>
  Math.max(60, Math.min(columns ?? 80, 160));

/** No lines between the cells. */
export const frameless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};
