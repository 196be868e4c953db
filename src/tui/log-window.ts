import type { LogPaneModel, LogRow } from '../core/view-models/log.js';

/** A line of the log in the pane, and which of its screen rows stand there: those from `from` on, before `to`. */
export interface ShownLine {
  readonly row: LogRow;
  readonly from: number;
  readonly to: number;
  /** All that it has. */
  readonly height: number;
}

/** Where a log stands, as the intent `scroll-log` has it. */
export interface LogPlace {
  readonly anchor: number | null;
  readonly hidden: number;
}

/** Screen rows that a line takes, at least one. */
export type HeightOf = (row: LogRow) => number;

/**
 * What stands in a pane of `height` rows: the lines down to the lowest one. A line that a jump led to stays in sight,
 * however many rows those below it take; at the log's beginning the pane is filled from below.
 */
export function logWindow(model: LogPaneModel, height: number, heightOf: HeightOf): readonly ShownLine[] {
  const { rows, ends, bottom } = stripOf(model, height, heightOf, 0, 0);
  const top = Math.max(0, bottom - height);
  return rows.flatMap((row, index) => {
    const end = ends[index] ?? 0;
    const start = ends[index - 1] ?? 0;
    const [from, to] = [Math.max(start, top) - start, Math.min(end, bottom) - start];
    return to > from ? [{ row, from, to, height: end - start }] : [];
  });
}

/** Where the log stands after so many screen rows down (negative: up); null where it cannot move. */
export function scrolledPlace(
  model: LogPaneModel,
  height: number,
  heightOf: HeightOf,
  lines: number,
): LogPlace | null {
  const [up, down] = [Math.max(0, -lines), Math.max(0, lines)];
  if (down > 0 && model.follow) return null;
  const strip = stripOf(model, height, heightOf, up, down);
  const total = strip.ends.at(-1) ?? 0;
  if (down > 0) {
    // At the newest line again: follow it, as `less +F` does.
    if (strip.isEnd && strip.bottom + down >= total) return { anchor: null, hidden: 0 };
    return placeAt(strip, strip.bottom + down);
  }
  const bottom = strip.bottom - up;
  const first = strip.isBeginning ? Math.min(height, total) : 0;
  return Math.max(bottom, first) < strip.bottom ? placeAt(strip, Math.max(bottom, first)) : null;
}

/** Where the log's first lines stand; null where there are none. */
export function topPlace(model: LogPaneModel, height: number, heightOf: HeightOf): LogPlace | null {
  const rows = model.firstRows(height);
  const ends = endsOf(rows, heightOf);
  return placeAt({ rows, ends }, Math.min(height, ends.at(-1) ?? 0));
}

/** Where the log stands now. */
export function placeOf({ follow }: LogPaneModel, window: readonly ShownLine[]): LogPlace {
  const last = window.findLast(({ row }) => row.seq !== null);
  if (follow || last === undefined) return { anchor: null, hidden: 0 };
  return { anchor: last.row.seq, hidden: last.height - last.to };
}

/**
 * Of the groups in sight the one that Enter opens or closes, by its first line: that of the line that was found or
 * chosen, else the lowest; null without one.
 */
export function foldInSight(window: readonly ShownLine[]): number | null {
  const folded = window.filter(({ row }) => row.fold !== null);
  const meant = folded.find(({ row }) => row.flag === 'found') ?? folded.at(-1);
  return meant?.row.fold?.first ?? null;
}

/** The line to choose so that Enter means the next group up (-1) or down (1) of those in sight; null: there is none. */
export function nextFold(window: readonly ShownLine[], direction: 1 | -1): number | null {
  const rows = window.flatMap(({ row }) => (row.fold?.isRow ? [row] : []));
  const meant = foldInSight(window);
  const at = rows.findIndex(({ fold }) => fold?.first === meant);
  return at === -1 ? null : (rows[at + direction]?.seq ?? null);
}

/** Lines one below the other. */
interface Lines {
  readonly rows: readonly LogRow[];
  /** The screen row behind each, counted from the first of all. */
  readonly ends: readonly number[];
}

interface Strip extends Lines {
  /** The screen row behind the pane. */
  readonly bottom: number;
  /** Whether there are no lines above, or below. */
  readonly isBeginning: boolean;
  readonly isEnd: boolean;
}

/** The lines in the pane, with `up` more above and `down` more below them, as far as there are any. */
function stripOf(model: LogPaneModel, height: number, heightOf: HeightOf, up: number, down: number): Strip {
  const above = model.rows(height + up);
  const ends = endsOf(above, heightOf);
  const end = ends.at(-1) ?? 0;
  const lowest = end - (ends.at(-2) ?? 0);
  const bottom = end - Math.min(model.hidden ?? 0, Math.max(0, lowest - 1));
  const isBeginning = above.length < height + up;
  // One more than is needed tells whether there is an end.
  const wanted = Math.max(0, height - bottom) + down + (down > 0 ? height + 1 : 0);
  const below = model.follow || wanted === 0 ? [] : model.rowsBelow(wanted);
  const allEnds = [...ends, ...endsOf(below, heightOf, end)];
  return {
    rows: [...above, ...below],
    ends: allEnds,
    bottom: Math.max(inSight(above, ends, bottom, height, model), Math.min(height, allEnds.at(-1) ?? 0)),
    isBeginning,
    isEnd: below.length < wanted,
  };
}

/** The place of `bottom` at which the line that a jump led to is still in the pane. */
function inSight(
  above: readonly LogRow[],
  ends: readonly number[],
  bottom: number,
  height: number,
  { hidden }: LogPaneModel,
): number {
  const found = hidden !== null ? -1 : above.findIndex(({ flag }) => flag === 'found');
  return found === -1 ? bottom : Math.min(bottom, (ends[found - 1] ?? 0) + height);
}

/** `from`: the screen row behind what stands above them. */
function endsOf(rows: readonly LogRow[], heightOf: HeightOf, from = 0): readonly number[] {
  let end = from;
  return rows.map((row) => {
    end += heightOf(row);
    return end;
  });
}

/** The place at which the pane ends before the screen row `bottom`. An unfinished line is no place to stand at. */
function placeAt({ rows, ends }: Lines, bottom: number): LogPlace | null {
  const index = ends.findIndex((end) => end >= bottom);
  const row = rows[index];
  if (row === undefined) return null;
  if (row.seq !== null) return { anchor: row.seq, hidden: (ends[index] ?? 0) - bottom };
  const last = rows[index - 1]?.seq ?? null;
  return last === null ? null : { anchor: last, hidden: 0 };
}
