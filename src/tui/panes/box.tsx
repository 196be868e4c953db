import { useContext, useLayoutEffect, useState } from 'react';
import type { Framed, Rect } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import { SurfaceContext } from '../surface.js';
import { blanks, cut, textWidth } from '../text.js';

/**
 * Rows of exactly the rectangle's width, one under the other. Missing ones are blank, further ones are left out. They
 * go to the surface; for Ink there is nothing here.
 */
export function Rows({ rect, rows }: { readonly rect: Rect; readonly rows: readonly string[] }) {
  const surface = useContext(SurfaceContext);
  const [owner] = useState(() => ({}));
  useLayoutEffect(() => {
    const { top, left, width, height } = rect;
    const lines = Array.from({ length: height }, (_, index) => rows[index] ?? blanks(width));
    surface.setLayer(owner, { top, left, rows: lines });
  });
  useLayoutEffect(() => () => surface.setLayer(owner, null), [surface, owner]);
  return null;
}

export interface Framing {
  readonly title: Row;
  /** At the right end of the title line. */
  readonly aside?: Row;
  /** Has the keys: told by a mark too, where there are others beside it. */
  readonly focused?: boolean;
  readonly isOneOfMany?: boolean;
}

/** Size of what a frame leaves for its content. */
export function innerSize(rect: Framed): { readonly width: number; readonly height: number } {
  if (rect.frame === 'bare') return { width: rect.width - 2, height: rect.height };
  if (rect.frame === 'rule') return { width: rect.width - 2, height: rect.height - 1 };
  return { width: rect.width - 4, height: rect.height - 2 };
}

/** `rows` of the inner width inside the frame, as rows of the rectangle's width. */
export function framed(
  rect: Framed,
  framing: Framing,
  rows: readonly string[],
  painter: Painter,
): readonly string[] {
  const { width, height } = innerSize(rect);
  const filled = Array.from({ length: height }, (_, index) => rows[index] ?? ' '.repeat(width));
  if (rect.frame === 'bare') return filled.map((row) => ` ${row} `);
  const { border } = painter.glyphs;
  const style = framing.focused === true ? 'borderFocus' : 'border';
  const mark = framing.focused === true && framing.isOneOfMany === true ? painter.glyphs.chosen : ' ';
  // However much is said at the right, what the pane is called stays; a few words there stay, too.
  const asideRoom = Math.max(rect.width - rowWidth(framing.title.slice(0, 1), painter) - 9, fewWords);
  const aside = cutRow(framing.aside ?? [], asideRoom, painter);
  const whole = rowWidth([...framing.title, ...aside], painter) <= rect.width - 9;
  const title = whole ? framing.title : framing.title.slice(0, 1);
  const head = (left: string, right: string): string =>
    painter.spread(
      [[style, left + border.horizontal], ['chosen', mark], ...title, ['title', ' ']],
      [
        ...(aside.length === 0 ? [] : ([['dim', ' '], ...aside, ['dim', ' ']] as const)),
        [style, border.horizontal + right],
      ],
      rect.width,
      [style, border.horizontal],
    );
  if (rect.frame === 'rule') return [head(border.horizontal, ''), ...filled.map((row) => ` ${row} `)];
  const side = painter.paint(style, border.vertical);
  const bottom = border.bottomLeft + border.horizontal.repeat(rect.width - 2) + border.bottomRight;
  return [
    head(border.topLeft, border.topRight),
    ...filled.map((row) => `${side} ${row} ${side}`),
    painter.paint(style, bottom),
  ];
}

/** `12-30 of 118 · t all of it`. */
const fewWords = 26;

function cutRow(row: Row, width: number, painter: Painter): Row {
  const out: Segment[] = [];
  let left = width;
  for (const [style, text] of row) {
    if (left <= 0) break;
    const shown = cut(painter.clean(text), left, painter.glyphs.more);
    out.push([style, shown]);
    left -= textWidth(shown);
  }
  return out;
}
