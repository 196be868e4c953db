import type { LogChunk } from './log-chunk.js';
import type { LogRing } from './log-ring.js';

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

  /** Looks at up to `lines` more. */
  advance(lines: number): void {
    const { ring } = this;
    let left = lines;
    this.#forget();
    while (left > 0 && this.#high < ring.end) {
      const to = Math.min(ring.end, this.#high + left);
      left -= to - this.#high;
      this.#forwards(to);
    }
    while (left > 0 && this.#low > ring.start) {
      const from = Math.max(ring.start, this.#low - left);
      left -= this.#low - from;
      this.#backwards(from);
    }
    this.version += lines - left;
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

  #forwards(to: number): void {
    while (this.#high < to) {
      const chunk = this.ring.chunkOf(this.#high);
      if (chunk === undefined) {
        this.#high = Math.max(this.#high + 1, this.ring.start);
        continue;
      }
      const end = Math.min(to, chunk.first + chunk.count);
      for (; this.#high < end; this.#high += 1) {
        if (this.#passes(chunk, this.#high - chunk.first)) this.#newer.push(this.#high);
      }
    }
  }

  #backwards(from: number): void {
    while (this.#low > from) {
      const chunk = this.ring.chunkOf(this.#low - 1);
      if (chunk === undefined) {
        this.#low = from;
        return;
      }
      const end = Math.max(from, chunk.first);
      while (this.#low > end) {
        this.#low -= 1;
        if (this.#passes(chunk, this.#low - chunk.first)) this.#older.push(this.#low);
      }
    }
  }

  #passes(chunk: LogChunk, at: number): boolean {
    return this.#test(chunk, at, this.ring.rankName(chunk.rank(at)));
  }

  #forget(): void {
    const { start } = this.ring;
    while ((this.#older.at(-1) ?? start) < start) this.#older.pop();
    while ((this.#newer[this.#gone] ?? start) < start) this.#gone += 1;
    if (this.#gone > 10_000) this.#newer.splice(0, this.#gone), (this.#gone = 0);
  }
}
