import { type Painter, type Row, rowWidth, type Segment } from './painter.js';

/** `parts` beside each other, `gap` between them, each as a whole, in as few rows of `width` as they take. */
export function flowRows(
  parts: readonly Row[],
  gap: Segment,
  width: number,
  painter: Painter,
): readonly Row[] {
  const rows: Row[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    const joined = last === undefined ? part : [...last, gap, ...part];
    if (last === undefined || rowWidth(joined, painter) > width) rows.push(part);
    else rows[rows.length - 1] = joined;
  }
  return rows;
}
