import type { Intent, Pane } from '../core/intents.js';
import type { Press } from './key-input.js';
import type { Rect } from './layout.js';
import { placeOf } from './log-window.js';
import { room } from './scrolling.js';
import type { View } from './view.js';

type MousePress = Extract<Press, { kind: 'click' | 'wheel' }>;

/**
 * What the mouse means: the pane under it has the keys from then on; a click in the log opens or closes the group that
 * the row under it stands for, else it points at that line. The wheel's scroll itself is not among these.
 */
export function mouseIntents(view: View, press: MousePress): readonly Intent[] {
  if (view.context !== 'main') return [];
  const pane = paneAt(view.layout, press.row, press.column);
  if (pane === null) return [];
  const focus: readonly Intent[] = pane === view.model.focus ? [] : [{ kind: 'focus', pane }];
  const pointed = pane === 'log' && press.kind === 'click' ? pointedAt(view, press.row) : null;
  return pointed === null ? focus : [...focus, pointed];
}

/** Whether the wheel turns over something that can be scrolled; elsewhere than over a pane it can. */
export const canScroll = (view: View, press: MousePress): boolean =>
  view.context !== 'main' || paneAt(view.layout, press.row, press.column) !== 'gpus';

function pointedAt({ layout, logLayer, model }: View, row: number): Intent | null {
  if (layout.kind === 'too-small' || layout.log === null) return null;
  let at = row - layout.log.top - 1;
  if (at < 0) return null;
  const window = logLayer.window(model.log, layout.log);
  for (const shown of window) {
    at -= shown.to - shown.from;
    if (at >= 0) continue;
    const { seq, fold } = shown.row;
    if (seq === null) return null;
    if (!fold?.isRow) return { kind: 'choose-line', seq, ...placeOf(model.log, window) };
    return { kind: 'open', rows: room(model, window, layout.log), fold: fold.first };
  }
  return null;
}

/** The pane under a cell, both counted from 0. */
function paneAt(placed: View['layout'], row: number, column: number): Pane | null {
  if (placed.kind === 'too-small') return null;
  const inside = (rect: Rect | null): boolean =>
    rect !== null &&
    row >= rect.top &&
    row < rect.top + rect.height &&
    column >= rect.left &&
    column < rect.left + rect.width;
  return (['phases', 'gpus', 'log'] as const).find((pane) => inside(placed[pane])) ?? null;
}
