import { memo } from 'react';
import type { GpuPaneModel, GpuRow } from '../../core/view-models/gpus.js';
import { gibibytes, grouped } from '../format.js';
import { bar, type Glyphs, sparkLine } from '../glyphs.js';
import type { Framed } from '../layout.js';
import type { Painter, Row, Segment } from '../painter.js';
import { blanks, textWidth, toWidth, toWidthRight } from '../text.js';
import { framed, innerSize, Rows } from './box.js';
import { drawSummary, memoryShare, memoryTotals, summaryOf } from './gpu-summary.js';
import { kernelWords, noteFor, wordsBelow } from './gpu-words.js';

/** One row a GPU: memory bar, MiB, utilisation, power, temperature, process, and a short history. */
export const Gpus = memo(function Gpus(props: {
  readonly gpus: GpuPaneModel;
  readonly rect: Framed;
  readonly focused: boolean;
  readonly painter: Painter;
}) {
  const { gpus, rect, painter, focused } = props;
  const { width, height } = innerSize(rect);
  const rows =
    rect.frame === 'bare' ? [drawSummary(gpus, width, painter)] : drawRows(gpus, width, height, painter);
  const title: Row = [['title', 'GPUs'], ...gpuKind(gpus, painter.glyphs)];
  const aside: Row =
    gpus.note !== null && gpus.rows.length > 0
      ? [['warn', noteFor(gpus.note, rect.width - 15, painter)]]
      : totals(gpus);
  return (
    <Rows rect={rect} rows={framed(rect, { title, aside, focused, isOneOfMany: true }, rows, painter)} />
  );
});

function gpuKind(gpus: GpuPaneModel, glyphs: Glyphs): Row {
  const names = new Set(gpus.rows.map((row) => row.name.replace(/^(NVIDIA|AMD|Instinct) /i, '')));
  if (gpus.rows.length === 0) return [];
  return [['dim', `  ${gpus.rows.length} ${glyphs.times} ${names.size === 1 ? [...names][0] : 'mixed'}`]];
}

function totals(gpus: GpuPaneModel): Row {
  const sums = memoryTotals(gpus);
  if (sums === null || gpus.rows.length < 2) return [];
  return [['dim', `${gibibytes(sums.used)} / ${gibibytes(sums.total)} GiB`]];
}

function drawRows(gpus: GpuPaneModel, width: number, height: number, painter: Painter): readonly string[] {
  if (gpus.rows.length === 0)
    return [painter.line([['dim', gpus.note ?? 'waiting for the first reading']], width)];
  const columns = gpuColumns(gpus, width, painter);
  const rows = gpus.rows.slice(0, height).map((row) => drawGpu(row, columns, gpus.stale, painter));
  const hidden = gpus.rows.length - height;
  if (hidden > 0 && height > 1) {
    const label = `${hidden + 1} more, all: `;
    const summary = summaryOf(gpus, width - label.length, painter);
    rows[height - 1] = painter.line([['dim', label], ...summary], width);
  }
  // The heading only where it costs no GPU its row.
  if (rows.length >= height) return rows;
  const spare = height - rows.length - 1;
  const { index, bar, memory, util, gap } = columns;
  const beside = width - index - bar - memory - util - gap;
  const room = { all: width, beside, instead: width - index };
  return [drawHeading(columns, painter), ...rows, ...wordsBelow(gpus, room, painter).slice(0, spare)];
}

/** Widths of the columns with the gap before each; 0 for one that has no room. Bar and history share the rest. */
interface Columns {
  readonly all: number;
  readonly gap: number;
  /** Whether a share is expected of any. */
  readonly hasGoal: boolean;
  readonly index: number;
  readonly bar: number;
  readonly memory: number;
  readonly util: number;
  readonly power: number;
  readonly temperature: number;
  readonly pid: number;
  readonly rank: number;
  readonly history: number;
}

function gpuColumns(gpus: GpuPaneModel, all: number, painter: Painter): Columns {
  const roomy = all >= 60;
  const gap = roomy ? 2 : 1;
  const index = Math.max(...gpus.rows.map((row) => String(row.index).length)) + 1;
  const widths = { memory: 0, util: 0, power: 0, temperature: 0, pid: 0, rank: 0 };
  let left = all - index - leastBar;
  const take = (name: keyof typeof widths, least: number, cell: (row: GpuRow) => string): void => {
    const longest = Math.max(
      ...gpus.rows.map((row) => Math.min(mostOfCell, textWidth(painter.clean(cell(row))))),
    );
    const width = Math.max(least, longest) + gap;
    if (longest === 0 || left < width) return;
    widths[name] = width;
    left -= width;
  };
  take('util', 4, loadText);
  take('memory', 3, (row) => memoryText(row, roomy));
  take('temperature', roomy ? 4 : 3, (row) => temperatureText(row, painter.glyphs));
  take('rank', 4, rankText);
  take('power', 4, powerText);
  take('pid', 5, pidText);
  const wantsHistory = left >= 20 && gpus.rows.some((row) => row.history.length > 1);
  const bar = Math.min(40, leastBar + (wantsHistory ? Math.ceil(left * 0.5) : left));
  const history = wantsHistory ? Math.min(62, left + leastBar - bar) : 0;
  const hasGoal = gpus.rows.some(({ expectedShare }) => expectedShare !== null);
  return { ...widths, all, gap, hasGoal, index, bar, history };
}

const leastBar = 8;

/** A rank is the end of a process's title, and may be anything. */
const mostOfCell = 20;

function drawHeading(columns: Columns, painter: Painter): string {
  const head = (text: string, width: number): Segment => [
    'dim',
    width === 0 ? '' : toWidthRight(text, width),
  ];
  const row: Row = [
    ['dim', `${toWidthRight('#', columns.index - 1)} `],
    ['dim', toWidth(memoryHead(columns, painter), columns.bar)],
    head('MiB', columns.memory),
    head('util', columns.util),
    head('W', columns.power),
    head(painter.glyphs.ascii ? 'C' : '°C', columns.temperature),
    head('rank', columns.rank),
    head('pid', columns.pid),
    head(columns.history < 18 ? 'history' : 'memory over time', columns.history),
  ];
  return painter.line(row, columns.all);
}

const memoryHead = ({ bar: width, hasGoal }: Columns, { glyphs }: Painter): string =>
  hasGoal && width >= 18 ? `memory, ${glyphs.goal} expected` : 'memory';

function drawGpu(gpu: GpuRow, columns: Columns, stale: boolean, painter: Painter): string {
  const index: Segment = ['strong', `${toWidthRight(String(gpu.index), columns.index - 1)} `];
  if (gpu.fault !== null) {
    const words = `${painter.glyphs.failed} ${kernelWords(gpu, painter)}`;
    return painter.line([index, ['bad', words]], columns.all);
  }
  const share = memoryShare(gpu);
  const cell = (text: string, width: number): string =>
    width === 0
      ? ''
      : `${blanks(columns.gap)}${toWidthRight(painter.clean(text), width - columns.gap, painter.glyphs.more)}`;
  const quiet = stale ? 'dim' : 'text';
  const figures: Row = [
    index,
    ...memoryBar(share, gpu.expectedShare, columns.bar, stale, painter),
    [quiet, cell(memoryText(gpu, columns.all >= 60), columns.memory)],
    [quiet, cell(loadText(gpu), columns.util)],
  ];
  // The kernel's words on this GPU stand where there is least to be missed.
  if (gpu.kernel !== null) {
    const words: Segment = [
      'bad',
      `${blanks(columns.gap)}${painter.glyphs.warning} ${kernelWords(gpu, painter)}`,
    ];
    return painter.line([...figures, words], columns.all);
  }
  return painter.line(
    [
      ...figures,
      ['dim', cell(powerText(gpu), columns.power)],
      [hot(gpu) ? 'warn' : 'dim', cell(temperatureText(gpu, painter.glyphs), columns.temperature)],
      ['dim', cell(rankText(gpu), columns.rank)],
      ['dim', cell(pidText(gpu), columns.pid)],
      [
        'spark',
        columns.history === 0 ? '' : `  ${sparkLine(gpu.history, columns.history - 2, painter.glyphs)}`,
      ],
    ],
    columns.all,
  );
}

/** Against the share that is expected; what the tool does not tell is not shown as none. */
function memoryBar(
  share: number | null,
  expected: number | null,
  width: number,
  stale: boolean,
  painter: Painter,
): Row {
  const { glyphs } = painter;
  if (share === null) return [['dim', toWidth('not told', width, glyphs.more)]];
  const { filled, empty } = bar(share, width, glyphs);
  const full: Segment = [stale ? 'dim' : 'bar', filled];
  const goal = expected === null ? -1 : Math.round(expected * width) - 1 - filled.length;
  if (goal < 0) return [full, ['barTrack', empty]];
  return [
    full,
    ['barTrack', empty.slice(0, goal)],
    ['note', glyphs.goal],
    ['barTrack', empty.slice(goal + 1)],
  ];
}

/** From here on the boards that are watched here begin to throttle. */
const hot = (gpu: GpuRow): boolean => (gpu.temperatureC ?? 0) >= 85;

const temperatureText = (gpu: GpuRow, glyphs: Glyphs): string =>
  gpu.temperatureC === null ? '' : `${hot(gpu) ? '!' : ''}${gpu.temperatureC}${glyphs.degree}`;

const utilText = (gpu: GpuRow): string => (gpu.utilPercent === null ? '' : `${gpu.utilPercent}%`);

/** A GPU in MIG mode tells no utilisation. */
const loadText = (gpu: GpuRow): string => gpu.mig ?? utilText(gpu);

const rankText = (gpu: GpuRow): string => gpu.rank ?? '';

const powerText = (gpu: GpuRow): string => (gpu.powerW === null ? '' : `${Math.round(gpu.powerW)}W`);

const pidText = (gpu: GpuRow): string => (gpu.pid === null ? '' : String(gpu.pid));

function memoryText(gpu: GpuRow, roomy: boolean): string {
  if (gpu.memUsedMiB === null) return '';
  const write = roomy ? grouped : String;
  return gpu.memTotalMiB === null
    ? write(gpu.memUsedMiB)
    : `${write(gpu.memUsedMiB)}/${write(gpu.memTotalMiB)}`;
}
