import type { PhaseId, PhaseModel } from '../engines/ids.js';
import type { Prefix } from '../ingest/prefix.js';
import { headerOf, type Traceback, TracebackGrouper } from '../ingest/traceback.js';
import { BlockRanks } from './block-ranks.js';
import { textOf } from './cause.js';
import type { Suspect, Tolerance } from './evidence.js';
import type { Frame } from './frame.js';
import { flag } from './rules.js';

/** What a line was to the tracebacks: part of one or not, and the exception that it completed. */
export interface TracebackStep {
  readonly part: 'harmless' | 'open' | null;
  readonly suspect: Suspect | null;
  /** The rank whose traceback, or whose message, the line goes on; null where that cannot be told. */
  readonly whose: string | null;
}

const nothing: TracebackStep = { part: null, suspect: null, whose: null };

/** Finds the exceptions in a log: who threw them, through which door they came out, and what their header says. */
export class Exceptions {
  readonly #grouper = new TracebackGrouper();
  readonly #ranks = new BlockRanks();
  readonly #openers = new Map<string, Opener>();
  /** The last line that was no part of a traceback: `Process EngineCore_0:` stands above its own. */
  #above = { source: '', text: '', from: 0, line: -10 };
  #tolerated: { readonly line: number; readonly kind: Tolerance } | null = null;

  /** Whether a plain line of `source` may belong to a traceback or to its message. */
  waits(source: string): boolean {
    return this.#grouper.waits(source) || this.#ranks.isMixed(source);
  }

  opens(source: string): boolean {
    return this.#grouper.opens(source);
  }

  /** The block that `source` has open was another's. */
  forget(source: string): void {
    this.#grouper.forget(source);
  }

  /**
   * Whether a line may be of the message of the last exception rather than a sign of life: where every line has its
   * process in front (`(APIServer pid=1)   Value error, …`) and no logger wrote it.
   */
  isMessage({ source, level, stamp }: Prefix): boolean {
    const isRaw = level === null && stamp === null && source.includes('/');
    return isRaw && this.#grouper.waits(source) && !this.#grouper.opens(source);
  }

  /** A line that is no part of a traceback, for the header of one that may follow; its message begins at `from`. */
  note(source: string, text: string, from: number, line: number): void {
    const above = this.#above;
    above.source = source;
    above.text = text;
    above.from = from;
    above.line = line;
  }

  /** A line announced a traceback that does no harm: it holds for one that begins within three lines. */
  tolerate(line: number, kind: Tolerance): void {
    this.#tolerated = { line, kind };
  }

  read(
    frame: Frame,
    flags: number,
    place: { readonly phase: PhaseId | null; readonly model: PhaseModel | null },
  ): TracebackStep {
    const { prefix, text, number } = frame;
    const { source } = prefix;
    const body = text.slice(prefix.end);
    const opens = (flags & flag.traceback) !== 0;
    if (opens) {
      this.#noteRank(frame);
      this.#open(source, frame, body);
    } else if ((flags & flag.frame) !== 0 && !this.#grouper.opens(source)) this.#openHeadless(source, frame);
    else if (prefix.known && !source.includes('/') && !this.#grouper.goesOn(source, body)) {
      // SGLang prefixes the first line of a traceback alone: a prefixed line ends the message before it.
      this.#grouper.interrupt(source);
      this.#ranks.speak(source, prefix.rank);
      this.note(source, text, 0, number);
      return nothing;
    }
    const inside = opens || this.#grouper.opens(source) || (flags & flag.frame) !== 0;
    const strays = this.#grouper.strays(source);
    const wasChained = this.#grouper.isChained(source);
    const block = this.#grouper.push(source, body, frame.line.line, number);
    if (!inside) {
      this.note(source, text, prefix.end, number);
      const chains = !wasChained && this.#grouper.isChained(source);
      const goesOn = flags === 0 && body !== '' && !otherWriter.test(body);
      const tail = this.#ranks.tail(source, number, goesOn);
      return { ...nothing, whose: chains ? this.#ranks.writerOf(source) : tail };
    }
    const part = this.#openers.get(source)?.tolerated === 'harmless' ? 'harmless' : 'open';
    const isStray = this.#grouper.strays(source) > strays || (flags & flag.bar) !== 0;
    const isSure = block !== null || (flags & flag.frame) !== 0;
    const whose = isStray ? null : this.#ranks.rankOf(source, isSure);
    if (block !== null) this.#ranks.end(source, number);
    return { part, suspect: block === null ? null : this.#suspect(block, place), whose };
  }

  #noteRank({ prefix: { source, rank } }: Frame): void {
    const isChained = rank === null && this.#grouper.isChained(source) && this.#openers.has(source);
    if (isChained) this.#ranks.goOn(source);
    else this.#ranks.begin(source, rank, this.#grouper.opens(source));
  }

  #open(source: string, frame: Frame, body: string): void {
    if (this.#grouper.isChained(source) && this.#openers.has(source)) return;
    const own = headerOf(body);
    const header = own === '' ? this.#headerAbove(source, frame.number) : own;
    const { rank, depth, stamp, level } = frame.prefix;
    this.#openers.set(source, {
      rank,
      depth: Math.max(depth, rank === null ? 0 : 3, header.startsWith('Process ') ? 2 : 0),
      // A stamp with nothing said before the traceback is how SGLang 0.3 dies; a logger would have said something.
      logged: level !== null || (stamp !== null && own !== ''),
      grave: isGrave(level),
      tolerated:
        this.#tolerated !== null && frame.number - this.#tolerated.line <= 3 ? this.#tolerated.kind : null,
    });
  }

  /** The head of the traceback is missing (a cut log): it may be anybody's, so its order alone decides. */
  #openHeadless(source: string, frame: Frame): void {
    if (frame.prefix.known && !source.includes('/')) return;
    const { rank, level, depth } = frame.prefix;
    this.#openers.set(source, {
      ...nobody,
      rank,
      depth: 3,
      logged: level !== null,
      grave: depth >= 2 && isGrave(level),
    });
  }

  #headerAbove(source: string, number: number): string {
    const { text, from, line } = this.#above;
    if (this.#above.source !== source || number - line > 3) return '';
    const body = text.slice(from);
    return /^(?:Process \S+|Exception |Task exception|future: )/.test(body) ? body : '';
  }

  #suspect(
    block: Traceback,
    place: { readonly phase: PhaseId | null; readonly model: PhaseModel | null },
  ): Suspect {
    const opener = this.#openers.get(block.source) ?? nobody;
    return {
      ...opener,
      ...place,
      line: block.line,
      lineNumber: block.lineNumber,
      text: textOf(block),
      traceback: block,
      rule: null,
    };
  }
}

/** How lines begin that say who writes them: they go on with nobody's message. */
const otherWriter =
  /^(?:[[(/<+]|\d|\S+:\d|[IWEF]\d{3,4} |Process |(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL)\b)/;

function isGrave(level: string | null): boolean {
  return level !== null && /^(?:E|F|CRIT)/.test(level);
}

type Opener = Pick<Suspect, 'rank' | 'depth' | 'logged' | 'grave' | 'tolerated'>;

const nobody: Opener = { rank: null, depth: 0, logged: false, grave: false, tolerated: null };
