import { EventEmitter } from 'node:events';
import { pinColumns } from './pin-columns.js';

/**
 * Rows of text at a place of the terminal, counted from 0. Layers never overlap; where another one stands at the
 * right of it, a row must be exactly as wide as the room before that.
 */
export interface Layer {
  readonly top: number;
  readonly left: number;
  readonly rows: readonly string[];
}

export interface Sink {
  readonly columns: number;
  readonly rows: number;
  write(data: string): unknown;
}

/** What stands in one row from a column on. */
interface Piece {
  readonly left: number;
  readonly text: string;
}

/**
 * The terminal as rows of text: whoever has something to show owns a layer, and only the rows that changed are
 * written. The screen is never cleared between frames. It is also the stdout that Ink is given, for its size.
 */
export class Screen extends EventEmitter {
  readonly isTTY = true;
  readonly #sink: Sink;
  #open = false;
  #scheduled = false;
  readonly #layers = new Map<object, Layer>();
  #painted: readonly (readonly Piece[])[] = [];
  /** How long the last write to the terminal took: a slow one blocks the whole event loop. */
  lastWriteMs = 0;

  constructor(sink: Sink) {
    super();
    this.#sink = sink;
  }

  /** Some terminals tell no size, or 0. */
  get columns(): number {
    return this.#sink.columns || 80;
  }

  get rows(): number {
    return this.#sink.rows || 24;
  }

  /** Ink's own frames: empty, and its cursor sequences, which are the session's business. */
  readonly write = (_data: string, encoding?: unknown, done?: () => void): boolean => {
    if (typeof encoding === 'function') encoding();
    else done?.();
    return true;
  };

  setLayer(owner: object, layer: Layer | null): void {
    if (layer === null) this.#layers.delete(owner);
    else this.#layers.set(owner, layer);
    this.#schedule();
  }

  open(): void {
    this.#open = true;
    this.invalidate();
  }

  /** From here on nothing is written: a timer may still fire between leaving the screen and the end. */
  close(): void {
    this.#open = false;
    this.#layers.clear();
  }

  /** After a resize, a resume or Ctrl-L nothing on the terminal can be trusted: every row is written again. */
  invalidate(): void {
    this.#painted = [];
    this.#schedule();
  }

  /** At the end of this turn, so that layers that belong together go out in one write. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.#open && this.#layers.size > 0) this.#paint();
    });
  }

  #paint(): void {
    const rows = piecesOf(this.#layers.values(), this.rows);
    const out = rows.map((pieces, y) => rowChange(y, pieces, this.#painted[y])).join('');
    this.#painted = rows;
    if (out === '') return;
    const began = performance.now();
    // Synchronised output: terminals that know mode 2026 show the frame at once, the others ignore it.
    this.#sink.write(`\u001B[?2026h${out}\u001B[?2026l`);
    this.lastWriteMs = performance.now() - began;
  }
}

function piecesOf(layers: Iterable<Layer>, height: number): readonly (readonly Piece[])[] {
  const rows: Piece[][] = Array.from({ length: height }, () => []);
  for (const { top, left, rows: texts } of layers) {
    texts.forEach((text, index) => {
      rows[top + index]?.push({ left, text });
    });
  }
  for (const pieces of rows) if (pieces.length > 1) pieces.sort((a, b) => a.left - b.left);
  return rows;
}

/**
 * What makes row `y` of what it was, from the first piece that differs to its end: a wide character that this terminal
 * counts in another way than we do may have reached into the next piece.
 */
function rowChange(y: number, pieces: readonly Piece[], before: readonly Piece[] | undefined): string {
  const moved = before?.length !== pieces.length || pieces.some(({ left }, at) => left !== before[at]?.left);
  const from = moved ? 0 : pieces.findIndex(({ text }, at) => text !== before?.[at]?.text);
  if (from === -1) return '';
  let out = moved ? goTo(y, 0) + erase : '';
  for (const [at, { left, text }] of pieces.entries()) {
    if (at < from) continue;
    const isLast = at === pieces.length - 1;
    // Erased before the text, not after it: behind a full row the cursor still stands in the last column
    // (wrapping is off), and an erase would take that cell away (tmux does so).
    const steady = pinColumns(text, (column) => goTo(y, left + column));
    out += `${moved && left === 0 ? '' : goTo(y, left)}${isLast && !moved ? erase : ''}${steady}\u001B[0m`;
  }
  return out;
}

const goTo = (y: number, left: number): string => `\u001B[${y + 1};${left + 1}H`;

const erase = '\u001B[0m\u001B[K';
