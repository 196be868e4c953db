import type { LineLevel } from '../triage/findings.js';

/** One kept line. `seq` counts every line ever pushed and never repeats; `number` is the line's number in its file. */
export interface LogEntry {
  readonly seq: number;
  /** 0 for a line of ours, where another file begins; null while it is not known. */
  readonly number: number | null;
  readonly text: string;
  readonly level: LineLevel;
  readonly rank: string | null;
  readonly milestone: boolean;
}

/** Characters kept at most, however few lines they are: one line may be 68 KiB long. */
const defaultBudget = 48_000_000;

/**
 * The last `capacity` log lines, and no more than `budget` characters of them (but always the newest), addressed by
 * sequence number. With the reading it is one of the two structures that the fold changes in place: a copy per line
 * would be quadratic.
 */
export class LogRing {
  readonly capacity: number;
  readonly budget: number;
  readonly #entries: (LogEntry | undefined)[];
  #start = 0;
  #next = 0;
  #characters = 0;

  constructor(capacity: number, budget = defaultBudget) {
    this.capacity = capacity;
    this.budget = budget;
    this.#entries = new Array<LogEntry | undefined>(capacity);
  }

  /** Sequence number of the oldest line still kept; equals `end` when empty. */
  get start(): number {
    return this.#start;
  }

  /** One past the newest line. */
  get end(): number {
    return this.#next;
  }

  push(entry: Omit<LogEntry, 'seq'>): void {
    if (this.#next - this.#start === this.capacity) this.#drop();
    this.#entries[this.#next % this.capacity] = { seq: this.#next, ...entry };
    this.#next += 1;
    this.#characters += entry.text.length;
    while (this.#characters > this.budget && this.#next - this.#start > 1) this.#drop();
  }

  get(seq: number): LogEntry | undefined {
    return seq >= this.#start && seq < this.#next ? this.#entries[seq % this.capacity] : undefined;
  }

  /** The same lines under the same numbers, to go on from here in another way. */
  fork(): LogRing {
    const copy = new LogRing(this.capacity, this.budget);
    for (let seq = this.#start; seq < this.#next; seq += 1) {
      copy.#entries[seq % this.capacity] = this.#entries[seq % this.capacity];
    }
    copy.#start = this.#start;
    copy.#next = this.#next;
    copy.#characters = this.#characters;
    return copy;
  }

  #drop(): void {
    const slot = this.#start % this.capacity;
    this.#characters -= this.#entries[slot]?.text.length ?? 0;
    this.#entries[slot] = undefined;
    this.#start += 1;
  }
}
