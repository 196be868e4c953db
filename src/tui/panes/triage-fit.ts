import type { TriageCard } from '../../core/view-models/triage-card.js';
import type { Painter } from '../painter.js';
import { allOfIt, type Fill, triageRows } from './triage.js';

/** What the card in the lower pane would like to tell: what followed as a count, no addresses. */
const wanted: Fill = { ...allOfIt, headline: 2, cause: 6, known: 2, urls: false, followed: 'count' };

/** What it tells of the least. */
const least: Fill = {
  headline: 2,
  cause: 2,
  where: 1,
  known: 1,
  remedies: 'all',
  changes: 'chosen',
  why: 0,
  urls: false,
  followed: 'count',
};

/** What is given up where even that has no room, in this order; the cause and the remedy that can be applied stay. */
const shrinking: readonly Partial<Fill>[] = [
  { followed: 'none' },
  { remedies: 'chosen' },
  { known: 0 },
  { where: 0 },
  { cause: 1 },
];

/** What room that is left over is used for, in this order. */
const growing: readonly Partial<Fill>[] = [
  { cause: 3 },
  { cause: 3, followed: 'none' },
  { cause: 4 },
  { cause: 4, followed: 'none' },
  { cause: 6 },
  { cause: 6, followed: 'none' },
  { where: 2 },
  { known: 2 },
  { changes: 'all' },
  { why: 1 },
  { known: 4 },
  { why: 2 },
  { why: 3 },
  { why: 4 },
];

/** The card as the lower pane tells it: all that it would like to, or the most useful of that in `height` rows. */
export function paneTriageRows(
  card: TriageCard,
  width: number,
  painter: Painter,
  height = Number.POSITIVE_INFINITY,
): readonly string[] {
  const drawn = (fill: Fill) => ({ fill, rows: triageRows(card, width, painter, fill) });
  const all = drawn(wanted).rows;
  if (all.length <= height) return all;
  let told = drawn(least);
  for (const step of shrinking) if (told.rows.length > height) told = drawn({ ...told.fill, ...step });
  for (const step of growing) {
    // It fitted without giving anything up.
    if (step.cause !== undefined && told.fill.cause >= step.cause) continue;
    const more = drawn({ ...told.fill, ...step });
    if (more.rows.length <= height) told = more;
  }
  return told.rows;
}
