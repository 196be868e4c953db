import { memo } from 'react';
import type { ScreenModel, StatusModel } from '../../core/view-models/screen.js';
import { clock } from '../format.js';
import { bar, outcomeMarks } from '../glyphs.js';
import type { Rect } from '../layout.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';
import type { StyleName } from '../theme.js';
import { Rows } from './box.js';
import { noticeWords } from './notice.js';

/** The verdict as badge and sentence, then what moves, elapsed and ETA; on tall screens its evidence below, or a notice. */
export const Status = memo(function Status(props: {
  readonly status: StatusModel;
  readonly notice: ScreenModel['notice'];
  readonly rect: Rect;
  readonly painter: Painter;
}) {
  const { status, notice, rect, painter } = props;
  const left = leftRow(status, rect.width, painter);
  const right = rightBeside(rowWidth(left, painter), status, rect.width, painter);
  const rows = [painter.spread(left, [...right, ['dim', ' ']], rect.width)];
  if (rect.height > 1) {
    const below =
      notice === null
        ? evidenceRow(status, painter)
        : ([['dim', ' '], ...noticeWords(notice, rect.width - 4, painter)] as const);
    rows.push(painter.line(below, rect.width));
  }
  return <Rows rect={rect} rows={rows} />;
});

/** Mark and word of the verdict on its ground. */
export function verdictBadge(status: StatusModel, painter: Painter): Segment {
  const { glyphs } = painter;
  const turning =
    status.outcome === 'loading' ? glyphs.active[status.beat % glyphs.active.length] : undefined;
  const mark = turning ?? outcomeMarks(glyphs)[status.outcome];
  return [badgeStyles[status.outcome], ` ${mark} ${status.word} `];
}

const badgeStyles: Readonly<Record<StatusModel['outcome'], StyleName>> = {
  ready: 'badgeReady',
  crashed: 'badgeCrashed',
  loading: 'badgeLoading',
  stalled: 'badgeStalled',
  stopped: 'badgeStopped',
  unknown: 'badgeUnknown',
};

/** Where there is no room for both, a verdict that claims nothing does not say that it is provisional. */
function leftRow(status: StatusModel, width: number, painter: Painter): Row {
  const isClaim = status.outcome !== 'loading' && status.outcome !== 'unknown';
  const badge = verdictBadge(status, painter);
  const provisional: Row = status.provisional ? [['warn', ' (provisional)']] : [];
  const sentence: Row = [
    ['dim', ' '],
    ['strong', status.summary],
  ];
  const clockWidth = status.elapsedMs === null ? 0 : clock(status.elapsedMs).length;
  const fits = (row: Row): boolean => rowWidth(row, painter) + clockWidth + 3 <= width;
  const whole: Row = [badge, ...provisional, ...sentence];
  // A stall has no card by itself, as a crash has; nor what is ready.
  const word = keyWords[status.outcome];
  if (word !== undefined) {
    const hint: Row = [
      ['key', 't'],
      ['dim', word],
    ];
    const behind: Row = [...whole, ['dim', '   '], ...hint];
    if (fits(behind)) return behind;
    return status.outcome === 'ready' ? whole : [badge, ...provisional, ['dim', ' '], ...hint, ...sentence];
  }
  return isClaim || fits(whole) ? whole : [badge, ...sentence];
}

/** What `t` shows of it. */
const keyWords: Readonly<Partial<Record<StatusModel['outcome'], string>>> = {
  stalled: ' why ',
  ready: ' more ',
};

/** How much of each part is shown, from all of them to the elapsed time alone. */
interface Fill {
  /** Words of what moves. */
  readonly moves: number;
  readonly quiet: boolean;
  readonly bar: boolean;
  /** The estimate with its reason, what it is of, or the figures alone. */
  readonly eta: 'reason' | 'what' | 'figures' | 'none';
}

/** What moves is the last to go: it tells slow from hung. */
const fills: readonly Fill[] = [
  { moves: 9, quiet: true, bar: true, eta: 'reason' },
  { moves: 9, quiet: true, bar: false, eta: 'reason' },
  { moves: 9, quiet: true, bar: false, eta: 'what' },
  { moves: 3, quiet: true, bar: false, eta: 'figures' },
  { moves: 2, quiet: false, bar: false, eta: 'figures' },
  { moves: 1, quiet: false, bar: false, eta: 'figures' },
  { moves: 1, quiet: false, bar: false, eta: 'none' },
  { moves: 0, quiet: false, bar: false, eta: 'figures' },
];

/** The sentence goes before all but what moves: of a sentence that leaves no room for that, the end is cut. */
function rightBeside(leftWidth: number, status: StatusModel, width: number, painter: Painter): Row {
  const beside = fullest(status, width - leftWidth - 2, painter);
  if (status.activity === '' || beside.some(([style]) => style === 'note')) return beside;
  return fullest({ ...status, eta: null, quietMs: null }, width * 0.3 - 2, painter);
}

function fullest(status: StatusModel, room: number, painter: Painter): Row {
  for (const fill of fills) {
    const row = rightRow(status, fill, painter);
    if (rowWidth(row, painter) <= room) return row;
  }
  return rightRow(status, { moves: 0, quiet: false, bar: false, eta: 'none' }, painter);
}

function rightRow(status: StatusModel, fill: Fill, painter: Painter): Row {
  const row: Segment[] = [];
  const gap: Segment = ['dim', '  '];
  const loading = status.outcome === 'loading' || status.outcome === 'stalled';
  const moves = status.activity.split(' · ').slice(0, fill.moves).join(' · ');
  if (moves !== '') row.push(gap, ['note', moves]);
  if (fill.quiet && loading && status.quietMs !== null && status.quietMs >= 5000) {
    row.push(gap, ['dim', `log quiet ${clock(status.quietMs)}`]);
  }
  if (fill.bar && loading && status.progress !== null) {
    const { filled, empty } = bar(status.progress, 16, painter.glyphs);
    const share = ` ${Math.floor(100 * status.progress)}%`;
    row.push(gap, ['dim', 'phases '], ['barActive', filled], ['barTrack', empty], ['dim', share]);
  }
  const eta = etaWords(status.eta, fill.eta);
  if (eta !== '') row.push(gap, ['text', eta]);
  if (status.elapsedMs !== null) row.push(gap, ['strong', clock(status.elapsedMs)]);
  return row;
}

/** Of `≈ 2:00–3:00 left in this phase, at its present rate`. */
function etaWords(eta: string | null, kind: Fill['eta']): string {
  if (eta === null || kind === 'none') return '';
  if (kind === 'reason') return eta;
  const what = eta.replace(/,.*$/, '');
  return kind === 'what' ? what : what.replace(/ in this phase$/, '');
}

function evidenceRow(status: StatusModel, painter: Painter): Row {
  const row: Segment[] = [['dim', ' ']];
  for (const { witness, text, lineNumber } of status.evidence) {
    if (row.length > 1) row.push(['dim', ` ${painter.glyphs.dot} `]);
    row.push(['note', witness], ['dim', ` ${text}${lineNumber === null ? '' : ` (line ${lineNumber})`}`]);
  }
  return row;
}
