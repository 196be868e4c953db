import type { Prefix, PrefixPattern } from '../ingest/prefix.js';
import type { Frame } from './frame.js';
import type { Rules } from './rules.js';

/**
 * Learns what an unknown collector (stern, CRI, srun, foreman, a logger of one's own) puts in front of every line, from
 * the first traceback: what stands in front of `  File "…"`, where the line that opened the traceback begins in the
 * same way. Without it the indentation is hidden by which tracebacks are read.
 */
export class CollectorPrefix {
  /** Empty until it was learned. */
  patterns: readonly PrefixPattern[] = [];
  #opening: Frame | null = null;

  /** A line with `Traceback (most recent call last)`. */
  opened(frame: Frame): void {
    this.#opening = this.patterns.length === 0 ? frame : null;
  }

  /** The first line of a frame behind it; returns the opening line where a prefix was learned, to be read again. */
  learn(text: string, prefix: Prefix, number: number, rules: Rules): Frame | null {
    const opening = this.#opening;
    this.#opening = null;
    if (opening === null || prefix.known || number - opening.number > 2) return null;
    const words = text.slice(prefix.end, frameAt(text, prefix.end, rules));
    if (words.length > LONGEST || !/[\w]/.test(words)) return null;
    const pattern = new RegExp(shapeOf(words), 'y');
    pattern.lastIndex = opening.prefix.end;
    if (!pattern.test(opening.text)) return null;
    this.patterns = [{ pattern, repeats: false, depth: 0 }];
    return opening;
  }
}

const LONGEST = 160;

/** Where a frame or the engine's own prefix begins; `from` where neither is there. */
function frameAt(text: string, from: number, rules: Rules): number {
  const file = text.indexOf('  File "', from);
  if (file < 0) return from;
  const head = text.slice(from, file);
  const own = [processPrefix, ...rules.anywhere].map((pattern) => head.search(pattern));
  return from + Math.min(file - from, ...own.filter((index) => index >= 0));
}

/** `(EngineCore_DP0 pid=88)`, which the engine puts before its own prefix, or instead of it. */
const processPrefix = /\([A-Za-z][^()]{0,80}?[ ,]+(?:rank=\d+ )?pid=\d+/;

/** Numbers, months and levels differ from line to line; the last blanks may be the line's own. */
function shapeOf(words: string): string {
  const end = /\s*$/.exec(words)?.index ?? words.length;
  const parts = words
    .slice(0, end)
    .split(
      /(\d+|\b[A-Z][a-z]{2}\b|\b(?:DEBUG|INFO|WARN(?:ING)?|ERROR|CRITICAL|debug|info|warn(?:ing)?|error)\b| +)/,
    );
  return parts.map(shapeOfPart).join('') + words.slice(end);
}

function shapeOfPart(part: string, index: number): string {
  if (index % 2 === 0) return part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  if (part.startsWith(' ')) return ' +';
  if (/^\d/.test(part)) return '\\d+';
  return part.length === 3 ? '[A-Z][a-z]{2}' : '[A-Za-z]{4,8}';
}
