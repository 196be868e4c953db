import { Buffer } from 'node:buffer';
import type { LineLevel } from '../triage/findings.js';

/** Makes bytes smaller and brings them back. Both are pure; whoever owns the ring brings them. */
export interface Squeeze {
  readonly squeeze: (bytes: Uint8Array) => Uint8Array;
  readonly restore: (bytes: Uint8Array) => Uint8Array;
}

/** Lines of one chunk at most, and characters, but that it has at least one line. */
export const chunkLines = 1024;
export const chunkCharacters = 256 * 1024;

const levels: readonly LineLevel[] = ['info', 'warning', 'error', 'progress'];

/**
 * Some hundred lines in a row. While it is open its texts are strings; sealed, they are one run of bytes, and their
 * string is made anew for whoever looks at it. What is asked of every line (level, rank, fold) lies open all the time.
 */
export class LogChunk {
  /** Sequence number of its first line. */
  readonly first: number;
  count = 0;
  characters = 0;
  /** Lines that belong together are a list: how far the one before and the one after are; 0 for none. See log-fold.ts. */
  before = new Uint16Array(chunkLines);
  after = new Uint16Array(chunkLines);
  fold = new Uint8Array(chunkLines);
  #ends = new Uint32Array(chunkLines);
  #numbers = new Uint32Array(chunkLines);
  #kinds = new Uint8Array(chunkLines);
  #ranks = new Uint16Array(chunkLines);
  #lines: string[] | null = [];
  #bytes: Uint8Array = none;
  #isLatin1 = true;
  #squeezed = false;
  #text: string | null = null;

  constructor(first: number) {
    this.first = first;
  }

  get isFull(): boolean {
    return this.count === chunkLines || this.characters >= chunkCharacters;
  }

  get isSealed(): boolean {
    return this.#lines === null;
  }

  get isSqueezed(): boolean {
    return this.#squeezed;
  }

  /** Bytes that its texts take. */
  get size(): number {
    return this.#lines === null ? this.#bytes.length : this.characters;
  }

  push(text: string, number: number | null, level: LineLevel, milestone: boolean, rank: number): void {
    const at = this.count;
    this.characters += text.length;
    this.#lines?.push(text);
    this.#ends[at] = this.characters;
    this.#numbers[at] = number ?? unknownNumber;
    this.#kinds[at] = levels.indexOf(level) | (milestone ? milestoneBit : 0);
    this.#ranks[at] = rank;
    this.count += 1;
  }

  /** No line comes any more. */
  seal(): void {
    if (this.#lines === null) return;
    const text = this.#lines.join('');
    this.#isLatin1 = !/[^\x00-\xff]/.test(text);
    this.#bytes = Buffer.from(text, this.#isLatin1 ? 'latin1' : 'utf8');
    this.#lines = null;
    if (this.count === chunkLines) return;
    for (const field of ['before', 'after', 'fold'] as const)
      this[field] = this[field].slice(0, this.count) as never;
    this.#ends = this.#ends.slice(0, this.count);
    this.#numbers = this.#numbers.slice(0, this.count);
    this.#kinds = this.#kinds.slice(0, this.count);
    this.#ranks = this.#ranks.slice(0, this.count);
  }

  squeeze({ squeeze }: Squeeze): void {
    if (this.#squeezed || this.#lines !== null) return;
    this.#bytes = squeeze(this.#bytes);
    this.#squeezed = true;
  }

  /** Makes the texts ready for `text`; until `forget` they take memory twice. */
  open(squeeze: Squeeze | null): void {
    if (this.#lines !== null || this.#text !== null) return;
    const bytes = this.#squeezed && squeeze !== null ? squeeze.restore(this.#bytes) : this.#bytes;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = buffer.toString(this.#isLatin1 ? 'latin1' : 'utf8');
  }

  forget(): void {
    this.#text = null;
  }

  /** The line at `at`, counted from the chunk's first; the chunk must be open. */
  text(at: number): string {
    if (this.#lines !== null) return this.#lines[at] ?? '';
    return (this.#text ?? '').slice(at === 0 ? 0 : this.#ends[at - 1], this.#ends[at]);
  }

  number(at: number): number | null {
    const number = this.#numbers[at] ?? unknownNumber;
    return number === unknownNumber ? null : number;
  }

  level(at: number): LineLevel {
    return levels[(this.#kinds[at] ?? 0) & levelBits] ?? 'info';
  }

  milestone(at: number): boolean {
    return ((this.#kinds[at] ?? 0) & milestoneBit) !== 0;
  }

  rank(at: number): number {
    return this.#ranks[at] ?? 0;
  }

  /** The same lines, to go on with in another way: sealed texts are shared, how lines are folded is not. */
  fork(): LogChunk {
    const copy = new LogChunk(this.first);
    const isOpen = this.#lines !== null;
    copy.count = this.count;
    copy.characters = this.characters;
    copy.before = this.before.slice();
    copy.after = this.after.slice();
    copy.fold = this.fold.slice();
    copy.#ends = isOpen ? this.#ends.slice() : this.#ends;
    copy.#numbers = isOpen ? this.#numbers.slice() : this.#numbers;
    copy.#kinds = isOpen ? this.#kinds.slice() : this.#kinds;
    copy.#ranks = isOpen ? this.#ranks.slice() : this.#ranks;
    copy.#lines = this.#lines === null ? null : [...this.#lines];
    copy.#bytes = this.#bytes;
    copy.#isLatin1 = this.#isLatin1;
    copy.#squeezed = this.#squeezed;
    return copy;
  }
}

const none = new Uint8Array(0);
const unknownNumber = 0xffff_ffff;
const levelBits = 3;
const milestoneBit = 4;
