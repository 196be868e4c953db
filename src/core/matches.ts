import type { LogChunk } from './log-chunk.js';
import type { LogRing } from './log-ring.js';

/** Characters of a line that counts as one. */
const plainCharacters = 200;

/** Whether the line at `at` of a chunk is one of those looked for; `rank` is what the line is of. */
export type LineTest = (chunk: LogChunk, at: number, rank: string | null) => boolean;

/**
 * The lines of a ring that pass a test, found in slices: first what is new, then what is kept, from the newest to the
 * oldest, so that what is in sight is right at once. It is changed in place, as the ring is.
 */
export class Matches {
  readonly ring: LogRing;
  readonly #test: LineTest;
  /** Those below where the search began, from the newest to the oldest; and those that came since, in order. */
  readonly #older: number[] = [];
  readonly #newer: number[] = [];
  /** How many of `newer` the ring has given up. */
  #gone = 0;
  /** Looked at are the lines from `low` to before `high`. */
  #low: number;
  #high: number;
  /** Goes up with every line looked at. */
  version = 0;

  constructor(ring: LogRing, test: LineTest) {
    this.ring = ring;
    this.#test = test;
    this.#low = ring.end;
    this.#high = ring.end;
  }

  get isComplete(): boolean {
    return this.#high === this.ring.end && this.#low <= this.ring.start;
  }

  /** 0 to 1. */
  get share(): number {
    const { start, end } = this.ring;
    return end === start ? 1 : Math.min(1, (this.#high - Math.max(start, this.#low)) / (end - start));
  }

  get count(): number {
    return this.#older.length + this.#newer.length - this.#gone;
  }

  /** Looks at up to `lines` more; long lines count as several, so that a slice takes about the same time. */
  advance(lines: number): void {
    let left = lines;
    this.#forget();
    while (left > 0 && !this.isComplete) {
      const isNew = this.#high < this.ring.end;
      const next = isNew ? this.#high : this.#low - 1;
      const chunk = this.ring.chunkOf(next);
      if (chunk === undefined) {
        if (isNew) this.#high = Math.max(this.#high + 1, this.ring.start);
        else this.#low = this.ring.start;
        continue;
      }
      const looked = isNew ? this.#forwards(chunk, left) : this.#backwards(chunk, left);
      left -= looked * Math.max(1, chunk.characters / chunk.count / plainCharacters);
      this.version += looked;
    }
  }

  /** Looks at the lines that have come since. */
  advanceNew(): void {
    while (this.#high < this.ring.end) this.advance(this.ring.end - this.#high);
  }

  has(seq: number): boolean {
    return this.at(this.before(seq)) === seq;
  }

  /** The line found `index`th, counted from the oldest. */
  at(index: number): number | undefined {
    const older = this.#older.length;
    return index < older ? this.#older[older - 1 - index] : this.#newer[index - older + this.#gone];
  }

  /** How many of those found are before the line `seq`. */
  before(seq: number): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.at(middle) ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #forwards(chunk: LogChunk, lines: number): number {
    const from = this.#high;
    const end = Math.min(chunk.first + chunk.count, from + Math.ceil(lines));
    for (; this.#high < end; this.#high += 1) {
      if (this.#passes(chunk, this.#high - chunk.first)) this.#newer.push(this.#high);
    }
    return end - from;
  }

  #backwards(chunk: LogChunk, lines: number): number {
    const from = this.#low;
    const end = Math.max(chunk.first, this.ring.start, from - Math.ceil(lines));
    while (this.#low > end) {
      this.#low -= 1;
      if (this.#passes(chunk, this.#low - chunk.first)) this.#older.push(this.#low);
    }
    return from - end;
  }

  #passes(chunk: LogChunk, at: number): boolean {
    return this.#test(chunk, at, this.ring.rankName(chunk.rank(at)));
  }

  #forget(): void {
    const { start } = this.ring;
    while ((this.#older.at(-1) ?? start) < start) this.#older.pop();
    while ((this.#newer[this.#gone] ?? start) < start) this.#gone += 1;
    if (this.#gone < 10_000) return;
    this.#newer.splice(0, this.#gone);
    this.#gone = 0;
  }
}
