import { memo } from 'react';
import type { HeaderModel, StatusModel } from '../../core/view-models/screen.js';
import { clock } from '../format.js';
import type { Rect } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import type { StyleName } from '../theme.js';
import { Rows } from './box.js';
import { verdictBadge } from './status.js';

/** Who is watched: target, engine and model at the left; HTTP, process and link at the right, and how it stands. */
export const Header = memo(function Header(props: {
  readonly header: HeaderModel;
  readonly status: StatusModel;
  readonly rect: Rect;
  readonly painter: Painter;
}) {
  const { rect, painter } = props;
  const parts = headerParts(props.header, props.status, painter);
  const shown = withinWidth(parts, rect.width, painter);
  const side = (end: Part['end']): Row =>
    shown.filter((part) => part.end === end).flatMap((part) => part.row);
  const text = painter.spread(side('left'), [...side('right'), ['dim', ' ']], rect.width);
  return <Rows rect={rect} rows={[text]} />;
});

interface Part {
  readonly end: 'left' | 'right';
  /** The lowest goes first when there is no room. */
  readonly worth: number;
  readonly row: Row;
}

function headerParts(header: HeaderModel, status: StatusModel, painter: Painter): readonly Part[] {
  const { glyphs } = painter;
  const left = (worth: number, ...row: Row): Part => ({ end: 'left', worth, row });
  const right = (worth: number, ...row: Row): Part => ({ end: 'right', worth, row: [['dim', '  '], ...row] });
  const dot: Segment = ['dim', ` ${glyphs.dot} `];
  const parts: Part[] = [left(1, ['brand', ' firedup ']), left(10, ['strong', ` ${header.host}`])];
  if (header.hostname !== null) parts.push(left(2, ['dim', ` (${header.hostname})`]));
  if (header.name !== null) parts.push(left(7, dot, ['text', header.name]));
  if (header.engine !== null) parts.push(left(6, dot, ['text', header.engine]));
  if (header.modelName !== null) parts.push(left(4, dot, ['text', header.modelName]));
  if (header.attempt !== null) parts.push(left(8, dot, ['text', `attempt ${header.attempt}`]));
  if (header.readOnly) parts.push(left(6.2, dot, ['note', 'read-only']));
  if (header.http !== null) parts.push(right(3, [header.http.ok ? 'good' : 'dim', header.http.text]));
  parts.push(right(5, [processStyles[header.process.status], header.process.text]));
  parts.push(...linkParts(header.link, right, glyphs.link));
  const eta = status.eta?.split(',')[0];
  if (eta !== undefined) parts.push(right(2.5, ['text', eta]));
  parts.push(right(8.5, verdictBadge(status, painter)));
  // Behind the verdict: beside the link it would read as the age of the connection.
  if (status.elapsedMs !== null) parts.push(right(3.5, ['strong', clock(status.elapsedMs)]));
  return parts;
}

/** How the connection is comes first and stays longest; how old the data is and when it is tried again may go. */
function linkParts(
  { status, text }: HeaderModel['link'],
  right: (worth: number, ...row: Row) => Part,
  mark: string,
): readonly Part[] {
  const [how = '', age, ...rest] = text.split(' · ');
  const style = linkStyles[status];
  return [
    right(9, [style, `${mark} ${how}`]),
    ...(age === undefined ? [] : [right(6.5, ['warn', age])]),
    ...(rest.length === 0 ? [] : [right(4.5, ['dim', rest.join(' · ')])]),
  ];
}

const processStyles: Readonly<Record<HeaderModel['process']['status'], StyleName>> = {
  alive: 'text',
  gone: 'bad',
  absent: 'warn',
  unknown: 'dim',
};

const linkStyles: Readonly<Record<HeaderModel['link']['status'], StyleName>> = {
  connecting: 'busy',
  up: 'good',
  down: 'warn',
  waiting: 'warn',
  lost: 'bad',
};

function withinWidth(parts: readonly Part[], width: number, painter: Painter): readonly Part[] {
  let shown = [...parts];
  const used = (): number => shown.reduce((sum, part) => sum + rowWidth(part.row, painter), 2);
  while (shown.length > 1 && used() > width) {
    const least = Math.min(...shown.map((part) => part.worth));
    shown = shown.filter((part) => part.worth !== least);
  }
  return shown;
}
