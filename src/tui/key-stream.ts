import { EventEmitter } from 'node:events';

/** What Ink asks of a terminal's stdin. */
export interface KeySource {
  setEncoding(encoding: BufferEncoding): unknown;
  setRawMode(on: boolean): unknown;
  ref(): unknown;
  unref(): unknown;
  read(): unknown;
  on(event: 'readable', listener: () => void): unknown;
  off(event: 'readable', listener: () => void): unknown;
}

/** How long a lone ESC may be the first byte of a sequence that is still on its way (ms), and a longer piece of one. */
const holdMs = { escape: 50, piece: 250 } as const;

/**
 * The stdin that Ink is given. It puts escape sequences together that a slow link brought in pieces: Ink would take the
 * first one for the Esc key after a single turn, and of a paste lose the end, so that the keyboard were dead. What is
 * Esc and another key right after it comes as these two, not as Alt and that key.
 */
export class KeyStream extends EventEmitter {
  readonly isTTY = true;
  readonly #source: KeySource;
  readonly #chunks: string[] = [];
  #held = '';
  #holding: NodeJS.Timeout | undefined;
  /** An ESC went out, which Ink takes for a key only when nothing follows it in the same turn. */
  #pausing = false;

  constructor(source: KeySource) {
    super();
    this.#source = source;
  }

  setEncoding(encoding: BufferEncoding): this {
    this.#source.setEncoding(encoding);
    return this;
  }

  setRawMode(on: boolean): this {
    this.#source.setRawMode(on);
    this.#source.off('readable', this.#pull);
    clearTimeout(this.#holding);
    this.#held = '';
    this.#chunks.length = 0;
    if (on) this.#source.on('readable', this.#pull);
    return this;
  }

  ref(): this {
    this.#source.ref();
    return this;
  }

  unref(): this {
    this.#source.unref();
    return this;
  }

  /** The next whole sequences and texts; null: no more in this turn. */
  read(): string | null {
    if (this.#pausing) return null;
    const chunk = this.#chunks.shift() ?? null;
    if (chunk === '\u001B') this.#pause();
    return chunk;
  }

  readonly #pull = (): void => {
    let text = '';
    for (let piece = this.#source.read(); piece !== null; piece = this.#source.read()) text += String(piece);
    this.#take(text);
  };

  #take(text: string): void {
    clearTimeout(this.#holding);
    const all = this.#held + text;
    const end = all.search(unfinished);
    this.#held = end === -1 ? '' : all.slice(end);
    this.#pass(end === -1 ? all : all.slice(0, end));
    if (this.#held === '') return;
    const wait = this.#held === '\u001B' ? holdMs.escape : holdMs.piece;
    this.#holding = setTimeout(() => {
      const late = this.#held;
      this.#held = '';
      this.#pass(late);
    }, wait);
  }

  #pass(text: string): void {
    if (text === '') return;
    this.#chunks.push(...text.split(loneEscape).filter((chunk) => chunk !== ''));
    this.emit('readable');
  }

  /** Goes on after Ink's own turn, in which it sees that nothing follows the ESC. */
  #pause(): void {
    this.#pausing = true;
    queueMicrotask(() =>
      setImmediate(() => {
        this.#pausing = false;
        if (this.#chunks.length > 0) this.emit('readable');
      }),
    );
  }
}

/** The beginning of a sequence, CSI (with the Linux console's `[[`) or SS3, at the end of what has come. */
const unfinished = /\u001B(?:\[(?:\[|[0-?]*[ -/]*)|O)?$/;

/** An ESC that begins neither CSI nor SS3, nor one of them with Alt. */
const loneEscape = /(\u001B(?![[O\u001B]))/;
