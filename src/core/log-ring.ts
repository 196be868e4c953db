import type { LineLevel } from '../triage/findings.js';

/** One kept line. `seq` counts every line ever pushed and never repeats; `number` is the line's number in its file. */
export interface LogEntry {
  readonly seq: number;
  readonly number: number;
  readonly text: string;
  readonly level: LineLevel;
  readonly rank: string | null;
  readonly milestone: boolean;
}

/**
 * The last `capacity` log lines, addressed by sequence number. With the reading it is one of the two
 * structures that the fold changes in place: a copy per line would be quadratic.
 */
export class LogRing {
  readonly capacity: number;
  readonly #entries: (LogEntry | undefined)[];
  #next = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#entries = new Array<LogEntry | undefined>(capacity);
  }

  /** Sequence number of the oldest line still kept; equals `end` when empty. */
  get start(): number {
    return Math.max(0, this.#next - this.capacity);
  }

  /** One past the newest line. */
  get end(): number {
    return this.#next;
  }

  push(entry: Omit<LogEntry, 'seq'>): void {
    this.#entries[this.#next % this.capacity] = { seq: this.#next, ...entry };
    this.#next += 1;
  }

  get(seq: number): LogEntry | undefined {
    return seq >= this.start && seq < this.#next ? this.#entries[seq % this.capacity] : undefined;
  }
}
