import type { Intent } from '../core/intents.js';
import type { ScreenModel } from '../core/view-models/screen.js';
import type { KeyAction } from './keymap.js';
import type { Rect } from './layout.js';
import { foldInSight, nextFold, placeOf, type ShownLine } from './log-window.js';
import { lastTop } from './panes/insert.js';
import { firstInSight } from './panes/phases.js';
import type { View } from './view.js';

/** Scrolls the insert where that is ours and it hides the log; null where it is the fold's business. */
export function scrolledInsert(view: View, action: KeyAction): View | null {
  const { insert, layout: placed } = view;
  if (placed.kind === 'too-small' || placed.insert === null || placed.log !== null || insert?.top !== null)
    return null;
  if (!isScroll(action)) return null;
  const last = lastTop(insert, placed.insert.height);
  return { ...view, insertTop: scrolledTop(action, view.insertTop, last) };
}

/**
 * A scroll as the place that it leads to, so that no key runs past an end, and what the fold cannot know of the log's
 * pane: how tall it is, and which lines are in sight. Null where there is nothing to scroll to.
 */
export function boundedScroll(view: View, action: Intent): Intent | null {
  const { insert, layout: placed, model } = view;
  if (placed.kind === 'too-small') return action;
  if (action.kind === 'open' || action.kind === 'mark') return withLines(view, action, placed.log);
  if (action.kind === 'choose-fold') return chosenFold(view, action.direction, placed.log);
  if (!isScroll(action)) return action;
  const { overlay } = model;
  if (overlay?.kind === 'history' && overlay.opened === null && model.dialog === null) {
    return chosenAttempt(overlay, action);
  }
  if (insert !== null && insert.top !== null && placed.insert !== null) {
    const top = scrolledTop(action, insert.top, lastTop(insert, placed.insert.height));
    return { kind: 'scroll-block', block: 'overlay', top };
  }
  if (model.focus === 'phases' && placed.phases !== null) {
    const shown = Math.max(1, placed.phases.height - (placed.phases.frame === 'box' ? 2 : 1));
    // To the end, and follow: as in the log.
    if (action.kind === 'scroll-to' && action.end === 'bottom')
      return { kind: 'scroll-block', block: 'phases', top: null };
    const from = model.phasesTop ?? firstInSight(model.phases, shown);
    const top = scrolledTop(action, from, Math.max(0, model.phases.length - shown));
    return { kind: 'scroll-block', block: 'phases', top };
  }
  return placed.log === null ? null : scrolledLog(view, action, placed.log);
}

/** Lines of the log for which there is room, about: as many as there are now, where they take several rows each. */
export const room = ({ log }: ScreenModel, window: readonly ShownLine[], rect: Rect | null): number =>
  log.wrap ? window.length : Math.max(1, (rect?.height ?? 0) - 1);

type Scroll = Extract<Intent, { kind: 'scroll' | 'scroll-to' }>;

const isScroll = (action: KeyAction): action is Scroll =>
  action.kind === 'scroll' || action.kind === 'scroll-to';

/** The row that it leads to from the row `from`, of those from 0 to `last`. */
function scrolledTop(action: Scroll, from: number, last: number): number {
  if (action.kind === 'scroll-to') return action.end === 'top' ? 0 : last;
  return Math.max(0, Math.min(last, Math.min(from, last) + action.lines));
}

function scrolledLog({ logLayer, model }: View, action: Scroll, rect: Rect): Intent | null {
  if (action.kind === 'scroll-to' && action.end === 'bottom') return action;
  const place = logLayer.place(model.log, rect, action.kind === 'scroll' ? action.lines : 'top');
  return place === null ? null : { kind: 'scroll-log', ...place };
}

function chosenFold({ logLayer, model }: View, direction: 1 | -1, rect: Rect | null): Intent | null {
  const window = rect === null ? [] : logLayer.window(model.log, rect);
  const seq = nextFold(window, direction);
  return seq === null ? null : { kind: 'choose-line', seq, ...placeOf(model.log, window) };
}

function withLines(
  { logLayer, model }: View,
  action: Extract<Intent, { kind: 'open' | 'mark' }>,
  rect: Rect | null,
): Intent {
  const window = rect === null ? [] : logLayer.window(model.log, rect);
  if (action.kind === 'open')
    return { ...action, rows: room(model, window, rect), fold: foldInSight(window) };
  const lowest = window.findLast(({ row }) => row.seq !== null)?.row.seq ?? null;
  return lowest === null ? action : { ...action, lowest };
}

/** In the list of attempts the keys that scroll move the choice. */
function chosenAttempt(
  { rows, chosen }: Extract<NonNullable<ScreenModel['overlay']>, { kind: 'history' }>,
  action: Scroll,
): Intent {
  const row = rows[scrolledTop(action, chosen, rows.length - 1)];
  return row === undefined ? action : { kind: 'choose', id: row.id };
}
