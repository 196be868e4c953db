import type { ScreenModel } from '../core/view-models/screen.js';
import type { Painter } from './painter.js';
import { type PickerModel, type ServerWord, serverWords } from './picker-model.js';
import { cut } from './text.js';

/** The terminal's own title is put by and taken back at the end, where it knows how to (XTPUSHTITLE). */
export const keepTitle = '\u001B[22;0t';

/** The second half is for terminals that have nothing put by: no title rather than an old one. */
export const giveTitleBack = '\u001B]0;\u0007\u001B[23;0t';

/** Sets the title of the window, and in tmux of the pane. `text` must hold no control characters. */
export const setTitle = (text: string): string => `\u001B]0;${text}\u0007`;

/** Longer ones are cut by window lists anyway. */
const titleWidth = 80;

/** `firedup big LOADING 43 %`: what a list of windows tells of this one. Clean, whatever the names hold. */
export function titleOf({ header, status }: ScreenModel, painter: Painter): string {
  const share = status.outcome === 'loading' ? status.progress : null;
  const percent = share === null ? '' : ` ${Math.floor(share * 100)} %`;
  const name = cut(painter.clean(header.name ?? header.host), 40, painter.glyphs.more);
  return cut(`firedup ${name} ${painter.clean(status.word)}${percent}`, titleWidth, painter.glyphs.more);
}

/** `firedup 6 targets, 1 CRASHED, 2 READY`: the worst first. */
export function pickerTitle({ rows }: PickerModel): string {
  const count = rows.length === 1 ? '1 target' : `${rows.length} targets`;
  const words: readonly ServerWord[] = ['crashed', 'stalled', 'loading', 'ready'];
  const states = words.flatMap((word) => {
    const found = rows.filter((row) => row.word === word).length;
    return found === 0 ? [] : [`${found} ${serverWords[word]}`];
  });
  return [`firedup ${count}`, ...states].join(', ');
}

/** Whether a terminal of this kind has a title: the Linux console would print it, and a dumb one too. */
export const hasTitle = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !/^(?:linux|dumb|vt\d+|ansi|cons25)?$/.test(env.TERM ?? '');

const worthABell: readonly string[] = ['ready', 'crashed', 'stalled'];

/**
 * Tells when to ring: at each verdict of an attempt once, as soon as it is more than provisional. Flapping between two
 * of them rings no further.
 */
export function createBell(): (model: ScreenModel) => boolean {
  const rung = new Set<string>();
  return ({ header, status }) => {
    if (!worthABell.includes(status.outcome) || status.provisional) return false;
    const verdict = `${header.attempt} ${status.outcome}`;
    if (rung.has(verdict)) return false;
    rung.add(verdict);
    return true;
  };
}
