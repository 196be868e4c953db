import { EventEmitter } from 'node:events';

/** Rows of text laid over the frame, from `left` to the right edge of the terminal. */
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

/**
 * The stdout that Ink is given. Ink in its `debug` mode hands over whole frames; this keeps the last one, lays
 * the log over it, and writes the rows that changed. The screen is never cleared between frames.
 */
export class Screen extends EventEmitter {
  readonly isTTY = true;
  readonly #sink: Sink;
  #open = false;
  #scheduled = false;
  #frame: readonly string[] = [];
  #layer: (string | undefined)[] = [];
  #left = 1;
  #paintedFrame: (string | undefined)[] = [];
  #paintedLayer: (string | undefined)[] = [];
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

  /** Called by Ink with each frame. Cursor sequences are dropped: the session owns the cursor. */
  readonly write = (data: string, encoding?: unknown, done?: () => void): boolean => {
    if (data !== '' && !data.startsWith('\u001B[?25')) {
      this.#frame = data.split('\n');
      this.#schedule();
    }
    if (typeof encoding === 'function') encoding();
    else done?.();
    return true;
  };

  setLayer(layer: Layer | null): void {
    const rows: (string | undefined)[] = [];
    layer?.rows.forEach((row, index) => {
      rows[layer.top + index] = row;
    });
    this.#layer = rows;
    this.#left = (layer?.left ?? 0) + 1;
    this.#schedule();
  }

  open(): void {
    this.#open = true;
    this.invalidate();
  }

  /** From here on nothing is written: a timer may still fire between leaving the screen and the end. */
  close(): void {
    this.#open = false;
    this.#frame = [];
    this.#layer = [];
  }

  /** After a resize, a resume or Ctrl-L nothing on the terminal can be trusted: every row is written again. */
  invalidate(): void {
    this.#paintedFrame = [];
    this.#paintedLayer = [];
    this.#schedule();
  }

  /** At the end of this turn, so that a frame and a layer that belong together go out in one write. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      if (this.#open && this.#frame.length > 0) this.#paint();
    });
  }

  #paint(): void {
    let out = '';
    for (let y = 0; y < this.rows; y++) {
      const base = this.#frame[y] ?? '';
      const over = this.#layer[y];
      const uncovered = over === undefined && this.#paintedLayer[y] !== undefined;
      const baseDirty = base !== this.#paintedFrame[y] || uncovered;
      if (baseDirty && !(over !== undefined && this.#left === 1)) {
        out += row(y, 1, base);
      }
      if (over !== undefined && (baseDirty || over !== this.#paintedLayer[y])) {
        out += row(y, this.#left, over);
      }
      this.#paintedFrame[y] = base;
      this.#paintedLayer[y] = over;
    }
    if (out === '') return;
    const began = performance.now();
    // Synchronised output: terminals that know mode 2026 show the frame at once, the others ignore it.
    this.#sink.write(`\u001B[?2026h${out}\u001B[?2026l`);
    this.lastWriteMs = performance.now() - began;
  }
}

/**
 * The rest of the row is erased before the text, not after it: behind a full row the cursor still stands in the
 * last column (wrapping is off), and an erase would take that cell away (tmux does so).
 */
const row = (y: number, left: number, text: string): string =>
  `\u001B[${y + 1};${left}H\u001B[0m\u001B[K${text}\u001B[0m`;
