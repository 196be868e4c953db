import type { ScreenModel } from '../../core/view-models/screen.js';
import type { Painter, Row } from '../painter.js';
import { cutMiddle } from '../text.js';
import type { StyleName } from '../theme.js';

/** A notice behind the mark of its level, its text in at most `room` columns. */
export function noticeWords(
  { level, text }: NonNullable<ScreenModel['notice']>,
  room: number,
  { glyphs, clean }: Painter,
): Row {
  const mark = { info: glyphs.live, warning: glyphs.warning, error: glyphs.failed }[level];
  return [[noticeStyles[level], `${mark} ${cutMiddle(clean(text), room, glyphs.more)}`]];
}

const noticeStyles: Readonly<Record<'info' | 'warning' | 'error', StyleName>> = {
  info: 'note',
  warning: 'warn',
  error: 'bad',
};
