/** Sequence numbers of lines that were found, in two directions from where a search began. Changed in place. */
export class FoundLines {
  /** Those below where the search began, from the newest to the oldest; and those that came since, in order. */
  readonly #older: number[] = [];
  readonly #newer: number[] = [];
  /** How many of `newer` the ring has given up. */
  #gone = 0;

  get count(): number {
    return this.#older.length + this.#newer.length - this.#gone;
  }

  /** The next line upwards (-1) from the oldest, or downwards (1) from the newest. */
  add(seq: number, step: 1 | -1): void {
    (step === 1 ? this.#newer : this.#older).push(seq);
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

  /** Lines before `start` are kept no more. */
  forgetBefore(start: number): void {
    while ((this.#older.at(-1) ?? start) < start) this.#older.pop();
    while ((this.#newer[this.#gone] ?? start) < start) this.#gone += 1;
    if (this.#gone < 10_000) return;
    this.#newer.splice(0, this.#gone);
    this.#gone = 0;
  }
}
