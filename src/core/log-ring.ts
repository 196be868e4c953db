import type { LineLevel } from '../triage/findings.js';
import { LogChunk, type Squeeze } from './log-chunk.js';
import { FoldBook, type FoldKind } from './log-fold.js';

/** One kept line. `seq` counts every line ever pushed and never repeats; `number` is the line's number in its file. */
export interface LogEntry {
  readonly seq: number;
  /** 0 for a line of ours, where another file begins; null while it is not known. */
  readonly number: number | null;
  readonly text: string;
  readonly level: LineLevel;
  /** The rank whose line it is. */
  readonly rank: string | null;
  readonly milestone: boolean;
}

export interface RingOptions {
  /** Bytes of text kept at most, however few lines they are: one line may be 68 KiB long. */
  readonly budgetBytes?: number;
  /** Bytes of text kept as they are; older ones are squeezed, where `squeeze` is given. */
  readonly plainBytes?: number;
  readonly squeeze?: Squeeze | null;
}

/**
 * The last `capacity` log lines, and no more bytes of them than the budget (but always the newest), addressed by
 * sequence number. With the reading it is one of the structures that the fold changes in place: a copy per line would
 * be quadratic. A million lines are a thousand chunks, so that the garbage collector has little to look at.
 */
export class LogRing {
  readonly capacity: number;
  readonly #options: Required<RingOptions>;
  readonly #chunks: LogChunk[] = [];
  readonly #ranks: RankNames;
  readonly #folds = new FoldBook((before, seq, kind) => this.#link(before, seq, kind));
  /** Sealed chunks whose texts are strings at the moment, the one used last at the end. */
  #opened: LogChunk[] = [];
  #last: LogChunk | null = null;
  /** Lines of ours that are kept. */
  readonly #marks: number[] = [];
  #start = 0;
  #next = 0;
  #bytes = 0;
  #plainBytes = 0;
  /** Chunks before this one are squeezed. */
  #plainFrom = 0;

  constructor(capacity: number, options: RingOptions = {}, ranks = new RankNames()) {
    this.capacity = capacity;
    this.#options = {
      budgetBytes: options.budgetBytes ?? 128_000_000,
      plainBytes: options.plainBytes ?? 16_000_000,
      squeeze: options.squeeze ?? null,
    };
    this.#ranks = ranks;
  }

  /** Sequence number of the oldest line still kept; equals `end` when empty. */
  get start(): number {
    return this.#start;
  }

  /** One past the newest line. */
  get end(): number {
    return this.#next;
  }

  /** Lines of ours, where another file or attempt begins, as sequence numbers from the oldest on. */
  get marks(): readonly number[] {
    return this.#marks;
  }

  /** Bytes that the texts take. */
  get bytes(): number {
    return this.#bytes + (this.#last?.size ?? 0);
  }

  /** `rank` as the line says it; `whose` where it names none and is somebody's all the same. */
  push(entry: Omit<LogEntry, 'seq'> & { readonly whose?: string | null }): void {
    const chunk = this.#openChunk();
    const rank = this.#ranks.indexOf(entry.rank ?? entry.whose ?? null);
    chunk.push(entry.text, entry.number, entry.level, entry.milestone, rank);
    if (entry.number === 0) this.#marks.push(this.#next);
    this.#next += 1;
    this.#folds.see(this.#next - 1, entry.text, entry.rank);
    if (this.#next - this.#start > this.capacity) this.#dropTo(this.#next - this.capacity);
  }

  get(seq: number): LogEntry | undefined {
    const chunk = this.chunkOf(seq);
    if (chunk === undefined) return undefined;
    const at = seq - chunk.first;
    return {
      seq,
      number: chunk.number(at),
      text: chunk.text(at),
      level: chunk.level(at),
      rank: this.#ranks.nameOf(chunk.rank(at)),
      milestone: chunk.milestone(at),
    };
  }

  /** The chunk that holds the line `seq`, its texts ready; undefined where that line is not kept. */
  chunkOf(seq: number): LogChunk | undefined {
    const chunk = this.peek(seq);
    if (chunk?.isSealed) this.#use(chunk);
    return chunk;
  }

  /** The same for whoever asks for no text. */
  peek(seq: number): LogChunk | undefined {
    if (seq < this.#start || seq >= this.#next) return undefined;
    if (this.#last !== null && seq >= this.#last.first) return this.#last;
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#chunks[middle]?.first ?? 0) <= seq) low = middle;
      else high = middle - 1;
    }
    return this.#chunks[low];
  }

  /** What the ranks of chunks stand for. */
  rankName(index: number): string | null {
    return this.#ranks.nameOf(index);
  }

  /** The same lines under the same numbers, to go on from here in another way. */
  fork(): LogRing {
    const copy = new LogRing(this.capacity, this.#options, this.#ranks);
    for (const chunk of this.#chunks) copy.#chunks.push(chunk.fork());
    copy.#last = this.#last === null ? null : (copy.#chunks.at(-1) ?? null);
    copy.#marks.push(...this.#marks);
    copy.#start = this.#start;
    copy.#next = this.#next;
    copy.#bytes = this.#bytes;
    copy.#plainBytes = this.#plainBytes;
    copy.#plainFrom = this.#plainFrom;
    return copy;
  }

  #link(before: number | null, seq: number, kind: FoldKind): void {
    const chunk = this.peek(seq);
    if (chunk === undefined) return;
    chunk.fold[seq - chunk.first] = kind;
    chunk.before[seq - chunk.first] = 0;
    const earlier = before === null ? undefined : this.peek(before);
    if (earlier === undefined || before === null || seq - before > 0xffff) return;
    chunk.before[seq - chunk.first] = seq - before;
    earlier.after[before - earlier.first] = seq - before;
    // The first of its group: nobody knew then that others would follow.
    if (earlier.fold[before - earlier.first] === 0) earlier.fold[before - earlier.first] = kind;
  }

  #openChunk(): LogChunk {
    if (this.#last !== null && !this.#last.isFull) return this.#last;
    if (this.#last !== null) this.#seal(this.#last);
    this.#last = new LogChunk(this.#next);
    this.#chunks.push(this.#last);
    return this.#last;
  }

  #seal(chunk: LogChunk): void {
    chunk.seal();
    this.#bytes += chunk.size;
    this.#plainBytes += chunk.size;
    this.#squeezeOldest();
    while (this.#bytes > this.#options.budgetBytes && this.#chunks.length > 1) {
      this.#dropTo(this.#chunks[1]?.first ?? this.#next);
    }
  }

  #squeezeOldest(): void {
    const { squeeze, plainBytes } = this.#options;
    if (squeeze === null) return;
    while (this.#plainBytes > plainBytes) {
      const chunk = this.#chunks[this.#plainFrom];
      if (chunk === undefined || !chunk.isSealed) return;
      this.#plainBytes -= chunk.size;
      this.#bytes -= chunk.size;
      chunk.squeeze(squeeze);
      this.#bytes += chunk.size;
      this.#plainFrom += 1;
    }
  }

  /** Lines before `seq` are given up; their memory goes by chunks. */
  #dropTo(seq: number): void {
    this.#start = seq;
    while ((this.#marks[0] ?? seq) < seq) this.#marks.shift();
    for (let next = this.#chunks[1]; next !== undefined && next.first <= seq; next = this.#chunks[1]) {
      const dropped = this.#chunks.shift();
      if (dropped === undefined) return;
      this.#bytes -= dropped.size;
      if (this.#plainFrom > 0) this.#plainFrom -= 1;
      else this.#plainBytes -= dropped.size;
      this.#opened = this.#opened.filter((chunk) => chunk !== dropped);
    }
  }

  #use(chunk: LogChunk): void {
    if (this.#opened.at(-1) === chunk) return;
    this.#opened = this.#opened.filter((opened) => opened !== chunk);
    chunk.open(this.#options.squeeze);
    this.#opened.push(chunk);
    if (this.#opened.length > openChunks) this.#opened.shift()?.forget();
  }
}

/** So many sealed chunks have their texts ready at once, those used last; of a quarter of a million characters each. */
export const openChunks = 6;

/** Names of ranks as small numbers. 0 is no rank, which is also what a log gets that has tens of thousands of them. */
class RankNames {
  readonly #names: (string | null)[] = [null];
  readonly #indices = new Map<string | null, number>([[null, 0]]);

  indexOf(name: string | null): number {
    const known = this.#indices.get(name);
    if (known !== undefined) return known;
    if (this.#names.length > 60_000) return 0;
    this.#indices.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  nameOf(index: number): string | null {
    return this.#names[index] ?? null;
  }
}
