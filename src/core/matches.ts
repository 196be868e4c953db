import { type TimeBox, unlimited } from '../time-box.js';
import { FoundLines } from './found-lines.js';
import type { LogChunk } from './log-chunk.js';
import { type LogRing, openChunks } from './log-ring.js';

/** Characters of a line that counts as one. */
const plainCharacters = 200;

/** Longest look at lines without a pause (ms); a line that takes longer is looked at alone, up to `patienceMs` of CPU. */
const boxMs = 20;
const patienceMs = 40;

/** Time of the CPU that a search may take: what is a thousand times slower than others comes to no end. */
const searchMs = 5_000;
const lineMs = 0.1;

/** Whether the line at `at` of a chunk is one of those looked for; `rank` is what the line is of. */
export type LineTest = (chunk: LogChunk, at: number, rank: string | null) => boolean;

/**
 * The lines of a ring that pass a test, found in slices: first what is new, then what is kept, from the newest to the
 * oldest, so that what is in sight is right at once. It is changed in place, as the ring is.
 * A line for which the test takes too long is left out and counted; where that goes on, the search stops.
 */
export class Matches {
  readonly ring: LogRing;
  readonly #test: LineTest;
  readonly #timeBox: TimeBox;
  readonly #found = new FoundLines();
  /** Looked at are the lines from `low` to before `high`. */
  #low: number;
  #high: number;
  /** What the test said of the lines of a batch, and of how many of them. */
  #said = new Uint8Array(64);
  #done = 0;
  /** CPU (ms): of the search so far, and of looks at the next line that came to no end. */
  #spentMs = 0;
  #triedMs = 0;
  #isBehind = false;
  /** Lines left out because the test took too long for them; and the first of these. */
  tooSlow = 0;
  slowAt: number | null = null;
  /** The line at which the search was given up. */
  stoppedAt: number | null = null;
  /** Goes up with every line looked at. */
  version = 0;

  /** The test may take for ever only where `timeBox` can stop it. */
  constructor(ring: LogRing, test: LineTest, timeBox: TimeBox = unlimited) {
    this.ring = ring;
    this.#test = test;
    this.#timeBox = timeBox;
    this.#low = ring.end;
    this.#high = ring.end;
  }

  get isComplete(): boolean {
    return this.#high === this.ring.end && this.#low <= this.ring.start;
  }

  /** Nothing more will be looked at for now. */
  get isOver(): boolean {
    return this.stoppedAt !== null || this.isComplete;
  }

  /** Lines that have not been looked at. */
  get left(): number {
    const { start, end } = this.ring;
    return end - this.#high + Math.max(0, this.#low - start);
  }

  /** 0 to 1. */
  get share(): number {
    const { start, end } = this.ring;
    return end === start ? 1 : 1 - this.left / (end - start);
  }

  get count(): number {
    return this.#found.count;
  }

  /** Looks at up to `lines` more; long lines count as several, so that a slice takes about the same time. */
  advance(lines: number): void {
    this.#found.forgetBefore(this.ring.start);
    this.#isBehind = false;
    for (let left = lines; left > 0 && !this.isOver && !this.#isBehind; ) left -= this.#lookAt(left);
  }

  /** Looks at the lines that have come since, but for those that it would be held up by. */
  advanceNew(): void {
    while (this.#high < this.ring.end && !this.#isBehind && this.stoppedAt === null)
      this.advance(this.ring.end - this.#high);
  }

  has(seq: number): boolean {
    return this.#found.has(seq);
  }

  /** The line found `index`th, counted from the oldest. */
  at(index: number): number | undefined {
    return this.#found.at(index);
  }

  /** How many of those found are before the line `seq`. */
  before(seq: number): number {
    return this.#found.before(seq);
  }

  /** One batch; returns as how many lines it counts. */
  #lookAt(lines: number): number {
    if (this.#high < this.ring.start) this.#high = this.ring.start;
    const { start, end } = this.ring;
    const isNew = this.#high < end;
    const { pieces, total, weight } = isNew
      ? this.#batch(lines, this.#high, end, 1)
      : this.#batch(lines, this.#low - 1, start - 1, -1);
    if (this.#said.length < total) this.#said = new Uint8Array(total);
    this.#done = 0;
    const { cpuMs } = this.#timeBox(() => {
      for (const piece of pieces) this.#say(piece);
    }, boxMs);
    const done = this.#done;
    this.#spentMs += cpuMs;
    this.#note(isNew ? this.#high : this.#low - 1, isNew ? 1 : -1, done);
    if (done < total) this.#wasCut(done, cpuMs, isNew);
    return Math.max(1, weight);
  }

  /** The next lines from `from` on, in as many chunks as the ring keeps open at once. */
  #batch(lines: number, from: number, end: number, step: 1 | -1): Batch {
    const pieces: Piece[] = [];
    let total = 0;
    let weight = 0;
    let at = from;
    while (at !== end && weight < lines && pieces.length < openChunks) {
      const chunk = this.ring.chunkOf(at);
      if (chunk === undefined) break;
      const rest = step === 1 ? chunk.first + chunk.count - at : at - Math.max(chunk.first, end + 1) + 1;
      const count = Math.min(rest, Math.ceil(lines - weight));
      pieces.push({ chunk, from: at, step, count });
      total += count;
      weight += count * Math.max(1, chunk.characters / chunk.count / plainCharacters);
      at += count * step;
    }
    return { pieces, total, weight };
  }

  /** Notes what the test says of the lines of a piece, and how far it has come: it may be stopped anywhere. */
  #say({ chunk, from, step, count }: Piece): void {
    const { ring } = this;
    const test = this.#test;
    const said = this.#said;
    const before = this.#done;
    const first = from - chunk.first;
    for (let i = 0; i < count; ) {
      try {
        for (; i < count; i += 1) {
          const at = first + i * step;
          said[before + i] = test(chunk, at, ring.rankName(chunk.rank(at))) ? passes : fails;
          this.#done = before + i + 1;
        }
      } catch (error) {
        if (!isTooMuch(error)) throw error;
        said[before + i] = cannot;
        i += 1;
        this.#done = before + i;
      }
    }
  }

  /** Takes what was said of `count` lines from `from` on. */
  #note(from: number, step: 1 | -1, count: number): void {
    for (let i = 0; i < count; i += 1) {
      if (this.#said[i] === passes) this.#found.add(from + i * step, step);
      else if (this.#said[i] === cannot) this.#leaveOut(from + i * step);
    }
    this.#pass(count, step);
  }

  #pass(count: number, step: 1 | -1): void {
    if (step === 1) this.#high += count;
    else this.#low -= count;
    this.version += count;
    if (count > 0) this.#triedMs = 0;
  }

  /** The line after those that were looked at took too long; it is the first of the next batch. */
  #wasCut(done: number, cpuMs: number, isNew: boolean): void {
    this.#isBehind = true;
    const line = isNew ? this.#high : this.#low - 1;
    if (this.#spentMs > searchMs + lineMs * this.version) this.stoppedAt = line;
    if (done > 0) return;
    this.#triedMs += cpuMs;
    if (this.#triedMs < patienceMs) return;
    this.#leaveOut(line);
    this.#pass(1, isNew ? 1 : -1);
  }

  #leaveOut(line: number): void {
    this.tooSlow += 1;
    this.slowAt ??= line;
  }
}

/** What V8 throws of a regular expression that is too large, or of a line that takes more room than there is for steps back. */
const isTooMuch = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'RangeError' || error.name === 'SyntaxError');

const fails = 0;
const passes = 1;
const cannot = 2;

/** Lines of one chunk, upwards or downwards from the line `from`. */
interface Piece {
  readonly chunk: LogChunk;
  readonly from: number;
  readonly step: 1 | -1;
  readonly count: number;
}

interface Batch {
  readonly pieces: readonly Piece[];
  readonly total: number;
  readonly weight: number;
}
