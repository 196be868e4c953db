import { memo } from 'react';
import type { PhaseRow, StatusModel } from '../../core/view-models/screen.js';
import { percent, shortTime } from '../format.js';
import { bar } from '../glyphs.js';
import type { Framed } from '../layout.js';
import type { Painter, Row, Segment } from '../painter.js';
import { textWidth, toWidth, toWidthRight } from '../text.js';
import type { StyleName } from '../theme.js';
import { framed, innerSize, Rows } from './box.js';

/** The checklist of phases; where it does not fit, it is windowed on the active one. */
export const Phases = memo(function Phases(props: {
  readonly phases: readonly PhaseRow[];
  /** First phase shown where they do not all fit; null shows those around the active one. */
  readonly top: number | null;
  readonly rect: Framed;
  readonly focused: boolean;
  /** What is said of the whole: only where it loads the active phase's mark turns. */
  readonly outcome: StatusModel['outcome'];
  /** Seconds since the start. */
  readonly beat: number;
  /** Seen before the connection went. */
  readonly isOld: boolean;
  readonly painter: Painter;
}) {
  const { phases, rect, painter, focused, outcome, beat, isOld } = props;
  const pen = isOld ? painter.faded : painter;
  const { width, height } = innerSize(rect);
  const done = phases.filter(isOver).length;
  const columns = phaseColumns(phases, width, painter);
  const active = activeMark(outcome, isOld ? 0 : beat, painter);
  const rows = windowOf(phases, height, props.top).map((item) => drawItem(item, columns, active, pen));
  const title: Row = [['title', 'Phases']];
  const aside: Row = phases.length === 0 ? [] : [['dim', `${done}/${phases.length}`]];
  return (
    <Rows rect={rect} rows={framed(rect, { title, aside, focused, isOneOfMany: true }, rows, painter)} />
  );
});

type Item =
  | { readonly kind: 'phase'; readonly phase: PhaseRow }
  | { readonly kind: 'done'; readonly count: number; readonly seconds: number }
  | { readonly kind: 'ahead'; readonly count: number }
  | { readonly kind: 'none' };

/** `height` rows: the active phase, what comes next, and the rest before and after folded to one row each. */
function windowOf(phases: readonly PhaseRow[], height: number, top: number | null): readonly Item[] {
  const item = (phase: PhaseRow): Item => ({ kind: 'phase', phase });
  if (phases.length === 0) return [{ kind: 'none' }];
  if (phases.length <= height) return phases.map(item);
  if (top !== null) {
    const from = Math.min(top, phases.length - height);
    return phases.slice(from, from + height).map(item);
  }
  const centre = activeIndex(phases);
  if (height < 3) {
    const from = Math.min(centre, phases.length - height);
    return phases.slice(from, from + height).map(item);
  }
  let from = centre - Math.floor((height - 3) / 2);
  // Folding one row into one row gains nothing.
  if (from <= 1) from = 0;
  const room = height - (from > 0 ? 1 : 0);
  if (phases.length - from <= room) {
    from = phases.length - room;
    return [folded(phases.slice(0, from)), ...phases.slice(from).map(item)];
  }
  const to = from + room - 1;
  const head = from > 0 ? [folded(phases.slice(0, from))] : [];
  return [...head, ...phases.slice(from, to).map(item), { kind: 'ahead', count: phases.length - to }];
}

/** Which phase the first of `height` rows stands for where nobody has scrolled; for those done the last of them. */
export function firstInSight(phases: readonly PhaseRow[], height: number): number {
  const [first] = windowOf(phases, height, null);
  if (first?.kind === 'phase') return phases.indexOf(first.phase);
  return first?.kind === 'done' ? first.count - 1 : 0;
}

const folded = (phases: readonly PhaseRow[]): Item => ({
  kind: 'done',
  count: phases.length,
  seconds: phases.reduce((sum, phase) => sum + (phase.seconds ?? 0), 0),
});

const isOver = (phase: PhaseRow): boolean => phase.status === 'done' || phase.status === 'skipped';

/** The phase that matters: the one in which it ended, the active one, else the last that is done. */
function activeIndex(phases: readonly PhaseRow[]): number {
  const failed = phases.findIndex(({ status }) => status === 'failed' || status === 'stopped');
  if (failed >= 0) return failed;
  const active = phases.findLastIndex((phase) => phase.status === 'active');
  return active >= 0 ? active : Math.max(0, phases.findLastIndex(isOver));
}

function drawItem(item: Item, columns: Columns, active: Segment, painter: Painter): string {
  const { glyphs } = painter;
  const width = columns.all;
  if (item.kind === 'none') return painter.line([['dim', 'no phase seen yet']], width);
  if (item.kind === 'phase') return drawPhase(item.phase, columns, active, painter);
  if (item.kind === 'ahead') {
    return painter.line([['dim', `${glyphs.pending} ${item.count} more ahead`]], width);
  }
  const left: Row = [
    ['good', glyphs.done],
    ['dim', ` ${item.count} done`],
  ];
  return painter.spread(left, [['dim', shortTime(item.seconds)]], width);
}

const nameStyles: Readonly<Record<PhaseRow['status'], StyleName>> = {
  pending: 'dim',
  active: 'strong',
  done: 'text',
  failed: 'bad',
  stopped: 'text',
  skipped: 'dim',
};

/** Widths of the columns: the names have what the longest needs, time is at the right, the rest is between. */
interface Columns {
  readonly all: number;
  readonly name: number;
  readonly middle: number;
  /** For the times of an earlier attempt; 0 where there are none, or no room for them. */
  readonly earlier: number;
}

const timeWidth = 7;
/** `was 1:12`. */
const earlierWidth = 12;

function phaseColumns(phases: readonly PhaseRow[], all: number, painter: Painter): Columns {
  const widest = Math.max(
    0,
    ...phases.map((phase) => textWidth(painter.clean(phase.title)) + draftMark(phase).length),
  );
  const name = Math.min(widest, all - 2 - timeWidth - 10, 30);
  const middle = all - 2 - name - 1 - timeWidth;
  const hasEarlier = phases.some(({ earlierSeconds }) => earlierSeconds !== null);
  const earlier = hasEarlier && middle - earlierWidth >= 14 ? earlierWidth : 0;
  return { all, name, middle: middle - earlier, earlier };
}

/** Says which model is meant, where the title does not. */
const draftMark = (phase: PhaseRow): string =>
  phase.model === 'draft' && !/\bdraft\b/i.test(phase.title) ? ' draft' : '';

function drawPhase(phase: PhaseRow, columns: Columns, active: Segment, painter: Painter): string {
  const draft = draftMark(phase);
  const row: Row = [
    phase.status === 'active' ? active : phaseMark(phase.status, painter),
    [nameStyles[phase.status], ` ${toWidth(painter.clean(phase.title), columns.name - draft.length)}`],
    [phase.status === 'pending' ? 'dim' : 'note', draft],
    ['dim', ' '],
    ...phaseMiddle(phase, columns.middle, columns.earlier === 0, painter),
    ['dim', toWidthRight(earlierText(phase), columns.earlier)],
    ['dim', toWidthRight(phase.seconds === null ? '' : shortTime(phase.seconds), timeWidth)],
  ];
  return painter.line(row, columns.all);
}

const earlierText = ({ earlierSeconds }: PhaseRow): string =>
  earlierSeconds === null ? '' : `was ${shortTime(earlierSeconds)}`;

/** Bar and detail, on exactly `room` columns. */
function phaseMiddle(phase: PhaseRow, room: number, isNarrow: boolean, painter: Painter): Row {
  const { progress } = phase;
  const detail = painter.clean(detailText(phase, room, painter));
  if (phase.status !== 'active' || phase.progress === null) {
    const earlier = earlierText(phase);
    // Where it has no column of its own it stands where there is nothing else to say.
    if (isNarrow && earlier !== '' && phase.status !== 'failed' && textWidth(detail) > room - 1)
      return [['dim', toWidthRight(earlier, room)]];
    if (isNarrow && detail === '' && earlier.length <= room) return [['dim', toWidthRight(earlier, room)]];
    const style: StyleName = phase.status === 'failed' ? 'bad' : phase.status === 'active' ? 'text' : 'dim';
    const short = textWidth(detail) > room && progress !== null ? (detail.split(' ')[0] ?? detail) : detail;
    return [[style, toWidth(short, room)]];
  }
  const words = middleWords(detail === '' ? percent(phase.progress) : detail, room);
  const barWidth = Math.min(24, room - textWidth(words) - 1);
  if (barWidth < 3) return [['text', toWidth(words, room)]];
  const { filled, empty } = bar(phase.progress, barWidth, painter.glyphs);
  return [
    ['barActive', filled],
    ['barTrack', empty],
    ['text', toWidth(` ${words}`, room - barWidth)],
  ];
}

/** What the log tells of it, and where there is room the ranks that hold it up. */
function detailText({ detail, behind, progress }: PhaseRow, room: number, { glyphs }: Painter): string {
  const words = detail ?? (progress === null || behind === null ? '' : percent(progress));
  if (behind === null) return words;
  const more = words === '' ? `behind: ${behind}` : ` ${glyphs.dot} behind: ${behind}`;
  const bar = progress === null ? 0 : 6;
  return textWidth(words) + textWidth(more) + bar > room ? words : words + more;
}

/** `29/64 shards`, or only `29/64` where that leaves room for a bar. */
const middleWords = (detail: string, room: number): string =>
  textWidth(detail) + 6 > room ? (detail.split(' ')[0] ?? detail) : detail;

/** What turns is at work: of a phase that hangs, or of which nobody knows, that is not said. */
function activeMark(outcome: StatusModel['outcome'], beat: number, { glyphs }: Painter): Segment {
  if (outcome === 'stalled') return ['warn', glyphs.warning];
  if (outcome === 'unknown') return ['dim', glyphs.unknown];
  return ['busy', glyphs.active[beat % glyphs.active.length] ?? glyphs.pending];
}

function phaseMark(status: Exclude<PhaseRow['status'], 'active'>, { glyphs }: Painter): Segment {
  switch (status) {
    case 'done':
      return ['good', glyphs.done];
    case 'failed':
      return ['bad', glyphs.failed];
    case 'stopped':
      return ['dim', glyphs.stopped];
    case 'skipped':
      return ['dim', glyphs.skipped];
    case 'pending':
      return ['dim', glyphs.pending];
  }
}
