import { memo } from 'react';
import type { TriageCard } from '../../core/view-models.js';
import type { Chrome } from '../chrome.js';
import type { InputLine } from '../input-line.js';
import type { Rect } from '../layout.js';
import type { Painter, Row } from '../painter.js';
import { argumentRows } from './arguments.js';
import { framed, innerSize, Rows } from './box.js';
import { dialogRows } from './dialog.js';
import { helpRows } from './help.js';
import { historyRows } from './history.js';
import { triageRows } from './triage.js';

/** What stands over the panes: a dialog or the triage card in the lower pane, another overlay over the body. */
export interface Insert {
  readonly place: 'lower' | 'body';
  readonly title: Row;
  readonly rows: readonly string[];
  /** First row shown. */
  readonly top: number;
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
    return {
      place: 'lower',
      title: [[style, dialog.title]],
      rows: dialogRows(dialog, input, width, painter),
      top: 0,
    };
  }
  if (overlay === null) return card === null ? null : triageInsert(card, 0, width, painter);
  const { top } = overlay;
  switch (overlay.kind) {
    case 'triage':
      return triageInsert(overlay.card, top, width, painter);
    case 'history':
      return {
        place: 'body',
        title: [['title', 'Attempts']],
        rows: historyRows(overlay.rows, width, painter),
        top,
      };
    case 'arguments':
      return {
        place: 'body',
        title: [['title', 'Server arguments']],
        rows: argumentRows(overlay.rows, width, painter),
        top,
      };
    case 'help':
      return { place: 'body', title: [['title', 'Keys']], rows: helpRows(width, painter), top };
  }
}

const triageInsert = (card: TriageCard, top: number, width: number, painter: Painter): Insert => ({
  place: 'lower',
  title: [['bad', 'Triage']],
  rows: triageRows(card, width, painter),
  top,
});

/** Rows that the insert would like to have, its frame included. */
export const insertHeight = (insert: Insert): number => insert.rows.length + 2;

export const InsertPane = memo(function InsertPane(props: {
  readonly insert: Insert;
  readonly rect: Rect;
  readonly painter: Painter;
}) {
  const { insert, rect, painter } = props;
  const height = rect.height - 2;
  const last = Math.max(0, insert.rows.length - height);
  const top = Math.min(insert.top, last);
  const aside: Row = last === 0 ? [] : [['dim', `${top + 1}-${top + height} of ${insert.rows.length}`]];
  const rows = insert.rows.slice(top, top + height);
  const framing = { title: insert.title, aside, focused: true };
  return <Rows rect={rect} rows={framed({ ...rect, frame: 'box' }, framing, rows, painter)} />;
});
