import { memo } from 'react';
import type { StatusModel } from '../../core/view-models.js';
import { clock } from '../format.js';
import { bar } from '../glyphs.js';
import type { Rect } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import type { StyleName } from '../theme.js';
import { Rows } from './box.js';

/** The verdict as badge and sentence, then what moves, elapsed and ETA; on tall screens its evidence below. */
export const Status = memo(function Status(props: {
  readonly status: StatusModel;
  readonly rect: Rect;
  readonly painter: Painter;
}) {
  const { status, rect, painter } = props;
  const left: Row = [...badge(status, painter), ['dim', ' '], ['strong', status.summary]];
  const right = withinRoom(
    rightParts(status, painter),
    rect.width - Math.min(rowWidth(left, painter), rect.width * 0.7),
  );
  const rows = [painter.spread(left, [...right, ['dim', ' ']], rect.width)];
  if (rect.height > 1) rows.push(painter.line(evidenceRow(status, painter), rect.width));
  return <Rows rect={rect} rows={rows} />;

  function withinRoom(parts: readonly Row[], room: number): Row {
    let shown = parts;
    while (shown.length > 1 && shown.reduce((sum, part) => sum + rowWidth(part, painter), 2) > room) {
      shown = shown.slice(1);
    }
    return shown.flat();
  }
});

/** Mark and word of the verdict on its ground. */
export function verdictBadge(status: StatusModel, painter: Painter): Segment {
  const { glyphs } = painter;
  const beat = Math.floor(status.elapsedMs / 1000);
  const marks: Readonly<Record<StatusModel['outcome'], string>> = {
    ready: glyphs.done,
    crashed: glyphs.failed,
    loading: glyphs.active[beat % glyphs.active.length] ?? glyphs.pending,
    stalled: glyphs.warning,
    stopped: glyphs.stopped,
    unknown: glyphs.unknown,
  };
  return [badgeStyles[status.outcome], ` ${marks[status.outcome]} ${status.word} `];
}

const badgeStyles: Readonly<Record<StatusModel['outcome'], StyleName>> = {
  ready: 'badgeReady',
  crashed: 'badgeCrashed',
  loading: 'badgeLoading',
  stalled: 'badgeStalled',
  stopped: 'badgeStopped',
  unknown: 'badgeUnknown',
};

const badge = (status: StatusModel, painter: Painter): Row => [
  verdictBadge(status, painter),
  ['warn', status.provisional ? ' (provisional)' : ''],
];

/** The first ones go first when there is no room. */
function rightParts(status: StatusModel, painter: Painter): readonly Row[] {
  const parts: Row[] = [];
  const gap: Segment = ['dim', '  '];
  const loading = status.outcome === 'loading' || status.outcome === 'stalled';
  if (status.activity !== '') parts.push([gap, ['note', status.activity]]);
  if (loading && status.quietMs !== null && status.quietMs >= 5000) {
    parts.push([gap, ['dim', `log quiet ${clock(status.quietMs)}`]]);
  }
  if (loading && status.progress !== null) {
    const { filled, empty } = bar(status.progress, 16, painter.glyphs);
    parts.push([gap, ['barActive', filled], ['barTrack', empty]]);
  }
  if (status.eta !== null) parts.push([gap, ['text', status.eta]]);
  parts.push([gap, ['strong', clock(status.elapsedMs)]]);
  return parts;
}

function evidenceRow(status: StatusModel, painter: Painter): Row {
  const row: Segment[] = [['dim', ' ']];
  for (const { witness, text, lineNumber } of status.evidence) {
    if (row.length > 1) row.push(['dim', ` ${painter.glyphs.dot} `]);
    row.push(['note', witness], ['dim', ` ${text}${lineNumber === null ? '' : ` (line ${lineNumber})`}`]);
  }
  return row;
}
