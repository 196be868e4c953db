import { type Bar, lastBar, lastFrame } from '../ingest/frames.js';
import { TracebackGrouper } from '../ingest/traceback.js';
import { type LineHead, readHead } from './line-head.js';

/** How a line belongs to others. `end` closes a traceback: it is its exception. */
export const foldKinds = { none: 0, copy: 1, bar: 2, frame: 3, end: 4 } as const;

export type FoldKind = (typeof foldKinds)[keyof typeof foldKinds];

/** Notes that the line `seq` comes after the line `before` (null: none) in its group, and what it is there. */
export type Link = (before: number | null, seq: number, kind: FoldKind) => void;

/** Lines of others that may stand between two of a group. */
const copyReach = 256;
const plainCopyReach = 16;
const barReach = 64;
const exceptionReach = 4096;

/** Copies of one line come within this time, by the log's clock (s). */
const copySeconds = 30;
const plainCopySeconds = 2;

/** Longest traceback that is folded; what comes to no end in this many lines stays as it is. */
const tracebackLines = 4096;

/**
 * Finds lines that belong together while they come: copies of a line by several ranks, the frames of a progress bar
 * that ends each with `\n`, the lines of a traceback. It only links them: every line stays where it is, and what is
 * shown of a group is for fold-view.ts to say.
 */
export class FoldBook {
  readonly #link: Link;
  #young = new Map<string, Group>();
  #old = new Map<string, Group>();
  #turnAt = copyReach;
  readonly #grouper = new TracebackGrouper();
  readonly #traces = new Map<string, Trace>();
  /** Writer of the newest traceback whose frames may come without a prefix, as SGLang prints them. */
  #loose: string | null = null;
  readonly #exceptions = new Map<string, Thrown>();
  #lastLook: { readonly look: string; readonly seq: number } | null = null;
  /** What the line before closed. */
  #closed: Thrown | null = null;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Takes the next line. Linear in its length. */
  see(seq: number, text: string, rank: string | null): void {
    if (text === '' && this.#blank(seq)) return;
    const head = readHead(text);
    if ((this.#traces.size > 0 || text.includes(opening)) && this.#trace(seq, text, head)) return;
    if (this.#look(seq, text)) return;
    if (text.includes('%') && this.#bar(seq, text, head)) return;
    this.#copy(seq, text, head, rank);
  }

  /** Answers to whoever looks whether the server is ready, one right behind the other. */
  #look(seq: number, text: string): boolean {
    const [look] = healthLook.exec(text) ?? [];
    if (look === undefined) return false;
    const before = this.#lastLook;
    if (before?.look === look && before.seq === seq - 1) this.#link(before.seq, seq, foldKinds.copy);
    this.#lastLook = { look, seq };
    return true;
  }

  #copy(seq: number, text: string, head: LineHead, rank: string | null): void {
    const isRanked = rank !== null || head.writer !== head.kind;
    // Without a rank only whole sentences count: braces and table borders are not copies of one another.
    if (!isRanked && (text.length - head.end < 20 || /^\s|^\W*$/.test(text.slice(head.end)))) return;
    const key = `${isRanked ? `${head.kind}\0` : `${head.writer}\0\0`}${text.slice(head.end)}`;
    if (text.length === head.end) return;
    const writer = isRanked ? `${rank}\0${head.writer}` : null;
    const group = this.#find(key);
    const reach = isRanked ? copyReach : plainCopyReach;
    const isCopy =
      group !== undefined &&
      seq - group.last <= reach &&
      (writer === null || !group.writers.includes(writer)) &&
      isWithin(group.second, head.second, isRanked ? copySeconds : plainCopySeconds);
    if (!isCopy) {
      this.#young.set(key, {
        last: seq,
        writers: writer === null ? [] : [writer],
        second: head.second,
        bar: null,
      });
      this.#turn(seq);
      return;
    }
    this.#link(group.last, seq, foldKinds.copy);
    group.last = seq;
    if (writer === null) group.second = head.second;
    else group.writers.push(writer);
    this.#young.set(key, group);
  }

  #bar(seq: number, text: string, head: LineHead): boolean {
    const frame = lastFrame(text);
    const bar = lastBar(frame);
    if (bar === null || !isBarAlone(frame)) return false;
    const key = `%\0${head.writer}\0${bar.description.replace(/=[\d.]+(?: ?[KMGT]i?B)?/g, '=')}\0${bar.total}`;
    const group = this.#find(key);
    const goesOn = group?.bar != null && seq - group.last <= barReach && !beginsAgain(group.bar, bar);
    if (goesOn) this.#link(group.last, seq, foldKinds.bar);
    this.#young.set(key, { last: seq, writers: [], second: null, bar });
    this.#turn(seq);
    return true;
  }

  /** Whether the line is part of a traceback. */
  #trace(seq: number, text: string, head: LineHead): boolean {
    const opens = text.includes(opening);
    const source = opens ? head.writer : this.#sourceOf(text, head);
    if (source === null) return false;
    if (opens) {
      this.#traces.set(source, { seqs: [], isBare: null, isFlat: false });
      this.#loose = source;
    }
    const trace = this.#traces.get(source);
    if (trace === undefined) return false;
    if (!opens) trace.isBare ??= head.end === 0;
    const body = text.slice(head.end);
    const block = this.#grouper.push(source, body, text, seq);
    if (block === null && !opens && !isPart(body, trace)) return false;
    trace.seqs.push(seq);
    if (block !== null) this.#close(source, trace, body);
    else if (trace.seqs.length > tracebackLines || !this.#grouper.opens(source)) this.#traces.delete(source);
    return true;
  }

  #sourceOf(text: string, head: LineHead): string | null {
    const { writer } = head;
    const own = this.#traces.get(writer);
    if (writer !== '') return own !== undefined && own.isBare !== true ? writer : null;
    if (own !== undefined) return writer;
    const loose = this.#loose === null ? undefined : this.#traces.get(this.#loose);
    if (loose === undefined || loose.isBare === false) return null;
    return loose.isBare === true || /^\s*(?:[|+│] *)?File "|^\s*$/.test(text) ? this.#loose : null;
  }

  #close(source: string, trace: Trace, exception: string): void {
    this.#traces.delete(source);
    const { seqs } = trace;
    const [first] = seqs;
    const last = seqs.at(-1);
    if (first === undefined || last === undefined || seqs.length < 2) return;
    const copy = this.#exceptions.get(exception);
    const isCopy =
      copy !== undefined && last - copy.last <= exceptionReach && copy.seqs.length < tracebackLines;
    // Those of several ranks may come line by line among one another.
    const all = isCopy ? [...copy.seqs, ...seqs].sort((a, b) => a - b) : [...seqs];
    const ends = isCopy ? copy.ends.add(last) : new Set([last]);
    let before: number | null = null;
    for (const seq of all) {
      this.#link(before, seq, ends.has(seq) ? foldKinds.end : foldKinds.frame);
      before = seq;
    }
    if (this.#exceptions.size > 64) this.#exceptions.clear();
    const thrown = { seqs: all, ends, last };
    this.#exceptions.set(exception, thrown);
    this.#closed = thrown;
  }

  /** Some print a blank line behind a traceback. */
  #blank(seq: number): boolean {
    const thrown = this.#closed;
    if (thrown === null || seq !== thrown.last + 1) return false;
    this.#closed = null;
    this.#link(thrown.last, seq, foldKinds.frame);
    thrown.seqs.push(seq);
    return true;
  }

  #find(key: string): Group | undefined {
    return this.#young.get(key) ?? this.#old.get(key);
  }

  /** What was not seen for a while is forgotten, all at once: a list of ages would cost more. */
  #turn(seq: number): void {
    if (seq < this.#turnAt) return;
    this.#turnAt = seq + copyReach;
    this.#old = this.#young;
    this.#young = new Map();
  }
}

interface Group {
  last: number;
  /** Who has written it: each of them only once. */
  readonly writers: string[];
  second: number | null;
  readonly bar: Bar | null;
}

interface Trace {
  readonly seqs: number[];
  /** Its frames come without the prefix of its first line; null before the first. */
  isBare: boolean | null;
  /** The last frame had lost its indentation: a line of code follows. */
  isFlat: boolean;
}

/** What was thrown, by one or by several ranks. */
interface Thrown {
  readonly seqs: number[];
  readonly ends: Set<number>;
  readonly last: number;
}

/** `"GET /health HTTP/1.1" 200`: paths by which engines are asked whether they are ready; who asks is another each time. */
const healthLook =
  /"(?:GET|HEAD) \/(?:v1\/|v2\/)?(?:health|healthz|ping|ready)[\w/]* HTTP\/\d(?:\.\d)?" \d{3}/;

const opening = 'Traceback (most recent call last)';

/** Frames, code, and what underlines it; words of others in between are none of it. */
function isPart(body: string, trace: Trace): boolean {
  const isFrame = /^\s*(?:[|+│] *)?File "/.test(body);
  const isCode = trace.isFlat && !isFrame;
  trace.isFlat = isFrame && body.startsWith('File "');
  return isFrame || isCode || /^\s|^$|^[~^│|+╭╰]/.test(body) || body.startsWith('[Previous line repeated');
}

/** A bar that has come far and now has not: its next round. */
const beginsAgain = (before: Bar, now: Bar): boolean => now.percent + 50 < before.percent;

/** Nothing but the bar: behind it may stand the line of somebody else. */
const isBarAlone = (frame: string): boolean => /\[[^\]]*\]?\s*$/.test(frame.slice(-80));

const isWithin = (from: number | null, to: number | null, seconds: number): boolean =>
  from === null || to === null || Math.abs(to - from) <= seconds;
