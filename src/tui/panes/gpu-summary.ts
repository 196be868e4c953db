import type { GpuPaneModel, GpuRow } from '../../core/view-models/gpus.js';
import { gibibytes, percent } from '../format.js';
import { sparkLine } from '../glyphs.js';
import { type Painter, type Row, rowWidth, type Segment } from '../painter.js';

/** The pane in one row of `width`; without a GPU why there is none. */
export function drawSummary(gpus: GpuPaneModel, width: number, painter: Painter): string {
  if (gpus.rows.length === 0) return painter.line([['dim', `GPUs ${gpus.note ?? 'not read yet'}`]], width);
  return painter.line([['dim', 'GPU '], ...summaryOf(gpus, width - 4, painter)], width);
}

/** All GPUs in one row: a block of memory each, what is wrong with any, and as many of the sums as fit `width`. */
export function summaryOf(gpus: GpuPaneModel, width: number, painter: Painter): Row {
  const { glyphs } = painter;
  const sums = memoryTotals(gpus);
  const utils = gpus.rows.flatMap((row) => (row.utilPercent === null ? [] : [row.utilPercent]));
  const faults = gpus.rows.filter((row) => row.fault !== null).length;
  const named = gpus.rows.find((each) => each.kernel !== null && each.fault === null);
  const parts: readonly (readonly [worth: number, segment: Segment])[] = [
    ...blocksOf(gpus, painter),
    ...(faults > 0 ? [[9, ['bad', ` ${glyphs.failed} ${faults} lost`]] as const] : []),
    ...(named ? [[8, ['bad', ` ${glyphs.warning} GPU ${named.index} ${named.kernel}`]] as const] : []),
    ...(sums
      ? ([
          [5, ['text', ` ${gibibytes(sums.used)}/${gibibytes(sums.total)} GiB`]],
          [3, ['dim', ` ${percent(sums.used / sums.total)}`]],
        ] as const)
      : []),
    ...(utils.length > 0 ? [[4, ['dim', ` util ${rangeText(utils)}%`]] as const] : []),
    ...(gpus.note === null ? [] : [[6, ['warn', ` ${glyphs.dot} ${gpus.note}`]] as const]),
  ];
  let shown = [...parts];
  const tooWide = (): boolean =>
    rowWidth(
      shown.map(([, segment]) => segment),
      painter,
    ) > width;
  while (shown.length > 1 && tooWide()) {
    const least = Math.min(...shown.map(([worth]) => worth));
    // What is wrong is rather cut than left out.
    if (least >= 6) break;
    shown = shown.filter(([worth]) => worth !== least);
  }
  return shown.map(([, segment]) => segment);
}

/** Nobody works on any, nothing is wrong with any, and all but a driver's share of their memory has been given back. */
export function areIdle({ rows, stale, note }: GpuPaneModel): boolean {
  return (
    rows.length > 0 &&
    !stale &&
    note === null &&
    rows.every(
      (row) =>
        row.fault === null &&
        row.kernel === null &&
        (row.utilPercent ?? 0) === 0 &&
        (memoryShare(row) ?? 1) < driverShare,
    )
  );
}

/** A driver and a display hold some hundred MiB. */
const driverShare = 0.02;

/** A block for each, a mark for one that is lost, a dot where nothing is told. */
function blocksOf(
  gpus: GpuPaneModel,
  { glyphs }: Painter,
): readonly (readonly [worth: number, segment: Segment])[] {
  return gpus.rows.map((row) => {
    const share = memoryShare(row);
    if (row.fault !== null) return [10, ['bad', glyphs.failed]];
    if (share === null) return [10, ['dim', glyphs.track]];
    return [10, [gpus.stale ? 'dim' : 'bar', sparkLine([share], 1, glyphs)]];
  });
}

const rangeText = (values: readonly number[]): string => {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return low === high ? String(low) : `${low}-${high}`;
};

/** Memory in use of all there is (MiB); null as soon as one of them is unknown. */
export function memoryTotals(gpus: GpuPaneModel): { readonly used: number; readonly total: number } | null {
  const used = sum(gpus.rows.map((row) => row.memUsedMiB));
  const total = sum(gpus.rows.map((row) => row.memTotalMiB));
  return used === null || total === null || total === 0 ? null : { used, total };
}

/** 0 to 1; null where it is not known. */
export function memoryShare(gpu: GpuRow): number | null {
  if (gpu.memUsedMiB === null || gpu.memTotalMiB === null || gpu.memTotalMiB === 0) return null;
  return gpu.memUsedMiB / gpu.memTotalMiB;
}

/** Null as soon as one of them is unknown. */
const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>(
    (total, value) => (total === null || value === null ? null : total + value),
    0,
  );
