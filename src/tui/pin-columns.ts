import { blanks, isNarrow, splitGraphemes } from './text.js';

/**
 * A drawn row with a cursor move behind each run of characters whose width terminals do not agree on (emoji and their
 * joiners, flags, marks on top of others, scripts with ligatures): what follows, above all a border, stands in its
 * column whatever this terminal makes of them. Their room is blanked before, for a terminal that fills less of it.
 * `goTo` gives the move to a column, counted from 0 within the row. Rows of plain text come back as they are.
 */
export function pinColumns(row: string, goTo: (column: number) => string): string {
  if (isNarrow(row.replace(sequences, ''))) return row;
  let out = '';
  let column = 0;
  let at = 0;
  for (const { index, 0: sequence } of row.matchAll(sequences)) {
    add(row.slice(at, index));
    out += sequence;
    at = index + sequence.length;
  }
  add(row.slice(at));
  return out;

  function add(text: string): void {
    for (const run of runsOf(text)) {
      out += run.isNarrow ? run.text : blanks(run.width) + goTo(column) + run.text + goTo(column + run.width);
      column += run.width;
    }
  }
}

/** The painter's own colours: nothing else in a row begins with ESC. */
const sequences = /\u001B\[[\d;]*m/g;

interface Run {
  readonly text: string;
  readonly width: number;
  readonly isNarrow: boolean;
}

function runsOf(text: string): readonly Run[] {
  if (isNarrow(text)) return [{ text, width: text.length, isNarrow: true }];
  const runs: Run[] = [];
  for (const { text: one, width } of splitGraphemes(text)) {
    const narrow = isNarrow(one);
    const last = runs.at(-1);
    if (last?.isNarrow === narrow)
      runs[runs.length - 1] = { text: last.text + one, width: last.width + width, isNarrow: narrow };
    else runs.push({ text: one, width, isNarrow: narrow });
  }
  return runs;
}
