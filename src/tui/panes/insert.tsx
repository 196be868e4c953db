import { memo } from 'react';
import type { OverlayModel } from '../../core/view-models/overlay.js';
import type { TriageCard } from '../../core/view-models/triage-card.js';
import type { Chrome } from '../chrome.js';
import type { InputLine } from '../input-line.js';
import type { Rect } from '../layout.js';
import type { Painter, Row, Segment } from '../painter.js';
import { argumentRows } from './arguments.js';
import { framed, innerSize, Rows } from './box.js';
import { dialogRows } from './dialog.js';
import { helpRows } from './help.js';
import { attemptDetailRows, historyRows } from './history.js';
import { allOfIt, triageRows } from './triage.js';
import { paneTriageRows } from './triage-fit.js';

/** What stands over the panes: a dialog or the triage card in the lower pane, another overlay over the body. */
export interface Insert {
  readonly place: 'card' | 'dialog' | 'body';
  readonly title: Row;
  readonly rows: readonly string[];
  /** The same in so many rows where that can be, for where there is no room. */
  readonly fit?: ((height: number) => readonly string[]) | undefined;
  /** What to press for more, at the right end of the title line. */
  readonly aside?: Row;
  /** Rows that stay in sight below the others: a question's answers. */
  readonly foot: readonly string[];
  /** First row shown by the model; null leaves scrolling to the screen, as nobody else has a use for it. */
  readonly top: number | null;
  /** Rows that must be in sight, as the chosen ones of a list: they scroll it. */
  readonly sight?: { readonly from: number; readonly to: number } | null;
}

/** The insert that `chrome` asks for, drawn for a terminal of `columns`; null for none. A dialog comes first. */
export function insertFor(
  chrome: Chrome,
  input: InputLine,
  columns: number,
  painter: Painter,
): Insert | null {
  const { width } = innerSize({ left: 0, top: 0, width: columns, height: 3, frame: 'box' });
  const { dialog, overlay, card } = chrome;
  if (dialog !== null) {
    const style = dialog.kind === 'kill' ? 'bad' : 'title';
    const title: Row = [[style, dialog.title]];
    return { place: 'dialog', title, ...dialogRows(dialog, input, width, painter), top: null };
  }
  if (overlay === null) return card === null ? null : standingCard(card, width, painter);
  const { top } = overlay;
  switch (overlay.kind) {
    case 'triage':
      return {
        place: 'body',
        title: cardTitle(overlay.card),
        rows: triageRows(overlay.card, width, painter, allOfIt),
        foot: [],
        top,
      };
    case 'history':
      return historyInsert(overlay, width, painter);
    case 'arguments':
      return {
        place: 'body',
        title: [['title', 'Server arguments']],
        rows: argumentRows(overlay.rows, overlay.comparison, width, painter),
        foot: [],
        top,
      };
    case 'help':
      return { place: 'body', title: [['title', 'Keys']], rows: helpRows(width, painter), foot: [], top };
  }
}

function historyInsert(
  { rows, chosen, opened, top }: Extract<OverlayModel, { kind: 'history' }>,
  width: number,
  painter: Painter,
): Insert {
  if (opened !== null) {
    const title: Row = [['title', `Attempts ${painter.glyphs.dot} ${opened.title}`]];
    return { place: 'body', title, rows: attemptDetailRows(opened, width, painter), foot: [], top };
  }
  const drawn = historyRows(rows, chosen, width, painter);
  return {
    place: 'body',
    title: [['title', 'Attempts']],
    rows: drawn.rows,
    foot: [],
    top: 0,
    sight: drawn.sight,
    ...(rows.length === 0
      ? {}
      : {
          aside: [
            ['key', 'Enter'],
            ['dim', ' opens'],
          ] as const,
        }),
  };
}

/** The card in the lower pane: what fits there, and the key that shows all of it. */
const standingCard = (card: TriageCard, width: number, painter: Painter): Insert => ({
  place: 'card',
  title: cardTitle(card),
  rows: paneTriageRows(card, width, painter),
  fit: (height) => paneTriageRows(card, width, painter, height),
  aside: [
    ['key', 't'],
    ['dim', ' all of it'],
  ],
  foot: [],
  top: null,
});

const cardTitle = ({ outcome }: TriageCard): Row => [cardTitles[outcome]];

const cardTitles: Readonly<Record<TriageCard['outcome'], Segment>> = {
  ready: ['good', 'Ready'],
  crashed: ['bad', 'Triage'],
  loading: ['title', 'So far'],
  stalled: ['warn', 'Triage'],
  stopped: ['title', 'Triage'],
  unknown: ['title', 'Triage'],
};

/** Rows that the insert would like to have, its frame included. */
export const insertHeight = (insert: Insert): number => insert.rows.length + insert.foot.length + 2;

/** The rows that are shown, as a whole or in part, in `height` rows, the frame included. */
function rowsFor(insert: Insert, height: number): readonly string[] {
  const room = height - 2 - insert.foot.length;
  return insert.rows.length <= room ? insert.rows : (insert.fit?.(room) ?? insert.rows);
}

/** The furthest that the insert can be scrolled in `height` rows, its frame included. */
export const lastTop = (insert: Insert, height: number): number =>
  lastTopOf(rowsFor(insert, height), insert, height);

const lastTopOf = (rows: readonly string[], { foot }: Insert, height: number): number =>
  Math.max(0, rows.length + foot.length + 2 - height);

/** The chosen rows stand in the middle where the list is longer than its room. */
function topFor(sight: { readonly from: number; readonly to: number }, height: number, last: number): number {
  const middle = Math.round((sight.from + sight.to + 1 - height) / 2);
  return Math.max(0, Math.min(last, Math.min(sight.from, middle)));
}

export const InsertPane = memo(function InsertPane(props: {
  readonly insert: Insert;
  /** First row shown where the model leaves that to the screen. */
  readonly top: number;
  readonly rect: Rect;
  readonly painter: Painter;
}) {
  const { insert, rect, painter } = props;
  const height = Math.max(0, rect.height - 2 - insert.foot.length);
  const all = rowsFor(insert, rect.height);
  const last = lastTopOf(all, insert, rect.height);
  const top = insert.sight ? topFor(insert.sight, height, last) : Math.min(insert.top ?? props.top, last);
  const place: Row = last === 0 ? [] : [['dim', `${top + 1}-${top + height} of ${all.length}`]];
  const more = insert.aside ?? [];
  const between: Row = place.length > 0 && more.length > 0 ? [['dim', ` ${painter.glyphs.dot} `]] : [];
  const aside: Row = [...place, ...between, ...more];
  const rows = [...all.slice(top, top + height), ...insert.foot];
  const framing = { title: insert.title, aside, focused: true };
  return <Rows rect={rect} rows={framed({ ...rect, frame: 'box' }, framing, rows, painter)} />;
});
