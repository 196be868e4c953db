import type { Pane } from '../core/intents.js';

export interface Rect {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/**
 * How a pane is framed: a box with its title in the border, a title line over plain rows, or one bare row that
 * sums the pane up.
 */
export type Frame = 'box' | 'rule' | 'bare';

export interface Framed extends Rect {
  readonly frame: Frame;
}

export interface LayoutInput {
  readonly columns: number;
  readonly rows: number;
  readonly phaseCount: number;
  readonly gpuCount: number;
  /** They have nothing to tell any more: a row each can be spared. */
  readonly gpusIdle?: boolean;
  /** The pane that has the whole body. */
  readonly zoomed: Pane | null;
  /** A dialog or triage card in the lower pane that would like `height` rows, or an overlay over the body. */
  readonly insert:
    | { readonly kind: 'card' | 'dialog'; readonly height: number }
    | { readonly kind: 'body' }
    | null;
}

export interface Layout {
  readonly kind: 'screen';
  readonly header: Rect;
  readonly phases: Framed | null;
  readonly gpus: Framed | null;
  readonly insert: Rect | null;
  /** Its first row is the title; the rest are lines. */
  readonly log: Rect | null;
  readonly status: Rect;
  readonly footer: Rect;
}

export const smallest = { columns: 40, rows: 10 } as const;

/** What stands alone on a smaller terminal. */
export const tooSmallWords = (columns: number, rows: number): string =>
  `too small: ${columns}x${rows}, needs ${smallest.columns}x${smallest.rows}`;

const wideFrom = { columns: 100, rows: 18 } as const;

/** Rows of the log pane that must stay: its title and five lines. */
const logFloor = 6;

/** Where everything stands on a terminal of this size. Rectangles are in cells from 0, and never overlap. */
export function layout(input: LayoutInput): Layout | { readonly kind: 'too-small' } {
  const { columns, rows } = input;
  if (columns < smallest.columns || rows < smallest.rows) return { kind: 'too-small' };
  const statusRows = rows >= 36 && columns >= wideFrom.columns ? 2 : 1;
  const header = { left: 0, top: 0, width: columns, height: 1 };
  const footer = { left: 0, top: rows - 1, width: columns, height: 1 };
  const status = { left: 0, top: rows - 1 - statusRows, width: columns, height: statusRows };
  const body = { left: 0, top: 1, width: columns, height: rows - 2 - statusRows };
  return { kind: 'screen', header, footer, status, ...fillBody(body, input) };
}

type Body = Pick<Layout, 'phases' | 'gpus' | 'insert' | 'log'>;

function fillBody(body: Rect, input: LayoutInput): Body {
  if (input.insert?.kind === 'body') return { phases: null, gpus: null, insert: body, log: null };
  const wide = input.columns >= wideFrom.columns && input.rows >= wideFrom.rows;
  const framed: Framed = { ...body, frame: wide ? 'box' : 'rule' };
  if (input.zoomed === 'phases') return { phases: framed, gpus: null, insert: null, log: null };
  if (input.zoomed === 'gpus') return { phases: null, gpus: framed, insert: null, log: null };
  const upper =
    input.zoomed === 'log' ? { height: 0, phases: null, gpus: null } : upperPanes(body, input, wide);
  const lower = {
    ...body,
    top: body.top + upper.height,
    height: body.height - upper.height,
  };
  return { phases: upper.phases, gpus: upper.gpus, ...splitLower(lower, input) };
}

/** The insert stands over the log; where that would leave less than five lines it has the pane alone. */
function splitLower(lower: Rect, input: LayoutInput): Pick<Layout, 'insert' | 'log'> {
  if (input.insert === null || input.insert.kind === 'body') return { insert: null, log: lower };
  const most = sharesLower(input, lower.height) ? lower.height - logFloor : lower.height;
  const height = Math.min(input.insert.height, most);
  if (lower.height - height < logFloor) return { insert: lower, log: null };
  return {
    insert: { ...lower, height },
    log: { ...lower, top: lower.top + height, height: lower.height - height },
  };
}

/** A card beside GPUs that are folded leaves the log its lines where it keeps what it needs. */
const sharesLower = (input: LayoutInput, height: number): boolean =>
  canFoldGpus(input) && input.columns < wideFrom.columns && height - logFloor >= insertFloor;

const canFoldGpus = ({ insert, gpusIdle }: LayoutInput): boolean =>
  gpusIdle === true && insert?.kind === 'card';

interface Upper {
  readonly height: number;
  readonly phases: Framed | null;
  readonly gpus: Framed | null;
}

function upperPanes(body: Rect, input: LayoutInput, wide: boolean): Upper {
  return wide ? sideBySide(body, input) : stacked(body, input);
}

function sideBySide(body: Rect, input: LayoutInput): Upper {
  const { insert } = input;
  const wanted = insert === null || insert.kind === 'body' ? 0 : insert.height;
  const ideal = Math.max(input.phaseCount, input.gpuCount + 1, 4) + 2;
  const height = Math.min(
    ideal,
    Math.max(
      sideFloor(body, input),
      body.height - Math.max(wanted, logFloor, Math.floor(body.height * 0.42)),
    ),
  );
  const left = Math.min(72, Math.max(46, Math.floor(body.width * 0.42)));
  return {
    height,
    phases: { left: 0, top: body.top, width: left, height, frame: 'box' },
    gpus: { left, top: body.top, width: body.width - left, height, frame: 'box' },
  };
}

/** Rows that phases and GPUs keep beside each other, whatever stands below them. */
function sideFloor(body: Rect, { insert, gpuCount }: LayoutInput): number {
  // What is asked comes before them: a question is there to be read as a whole.
  if (insert?.kind === 'dialog') return 5;
  // Beside a card the GPUs stay, one row each, as long as it has room for what matters.
  const whole = gpuCount + 3;
  return insert?.kind === 'card' && body.height - whole >= insertFloor ? Math.max(8, whole) : 8;
}

/** Rows that a card gets before the GPUs beside a crash are folded into one. */
const insertFloor = 10;

function stacked(body: Rect, input: LayoutInput): Upper {
  const [phases, gpus] = stackedHeights(body, input);
  const frame = (height: number): Frame => (height === 1 ? 'bare' : 'rule');
  const at = (top: number, height: number): Framed | null =>
    height === 0 ? null : { left: 0, top, width: body.width, height, frame: frame(height) };
  return {
    height: phases + gpus,
    phases: at(body.top, phases),
    gpus: at(body.top + phases, gpus),
  };
}

/** Rows of the phases and of the GPUs: the first pair that leaves enough for what stands below. */
function stackedHeights({ height }: Rect, input: LayoutInput): readonly [phases: number, gpus: number] {
  const { phaseCount, gpuCount, insert } = input;
  const phases = 1 + Math.min(4, Math.max(1, phaseCount));
  const gpus = 1 + Math.max(1, gpuCount);
  if (canFoldGpus(input)) {
    const card = insert?.kind === 'card' ? insert.height : 0;
    const folded = foldedHeights(height, [phases, gpus], card);
    if (folded !== null) return folded;
  }
  const below = leastBelow(insert);
  const left = height - below - phases;
  const pairs: readonly (readonly [number, number])[] = [
    [phases, gpus],
    // Of sixteen GPUs eight rows tell more than one.
    ...(insert === null ? [[phases, left > 8 ? left : 1] as const] : [[1, gpus] as const]),
    [phases, 1],
    [1, 1],
    ...(insert === null ? [[1, 0] as const] : []),
  ];
  return pairs.find(([first, second]) => height - first - second >= below) ?? [0, 0];
}

/** Where all of it, the card and the log have no room beside each other, GPUs go first; null where that is of no use. */
function foldedHeights(
  height: number,
  [phases, gpus]: readonly [number, number],
  card: number,
): readonly [phases: number, gpus: number] | null {
  const left = (first: number, second: number): number => height - first - second - logFloor;
  if (left(phases, gpus) >= card) return [phases, gpus];
  if (left(phases, 1) >= card) return [phases, 1];
  return left(1, 1) >= insertFloor ? [1, 1] : null;
}

/** Where a card has less than it needs, the verdict line says where it stopped, and it takes what there is. */
function leastBelow(insert: LayoutInput['insert']): number {
  if (insert === null || insert.kind === 'body') return logFloor;
  return insert.kind === 'dialog'
    ? Math.max(logFloor, insert.height)
    : Math.max(logFloor, Math.min(insert.height, insertFloor));
}
