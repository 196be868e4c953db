import type { TimeBox } from '../time-box.js';
import { graphemes, isNarrow } from './text.js';

/** Part of a text, by index. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MatchMarks {
  /** What `pattern` matches in each of a frame's texts; null for those that there was no time for. */
  find(
    texts: readonly string[],
    pattern: RegExp | null,
    timeBox: TimeBox,
  ): readonly (readonly Span[] | null)[];
  /** The pattern takes too long: nothing is marked any more. */
  readonly gaveUp: boolean;
}

/** A frame waits for no longer than this (ms), and no pattern may hold up more frames than so many. */
const frameMs = 10;
const framesAtMost = 5;

/** Finds what is to be lit in the lines that are drawn. */
export function createMatchMarks(): MatchMarks {
  let known: RegExp | null = null;
  let heldUp = 0;
  return {
    get gaveUp() {
      return heldUp >= framesAtMost;
    },
    find(texts, pattern, timeBox) {
      if (String(pattern) !== String(known)) heldUp = 0;
      known = pattern;
      if (pattern === null || texts.length === 0 || heldUp >= framesAtMost) return texts.map(() => []);
      const global = new RegExp(pattern.source, `${pattern.flags}g`);
      const found: (readonly Span[])[] = [];
      const { isDone } = timeBox(() => {
        for (const text of texts) found.push(spansIn(text, global));
      }, frameMs);
      if (!isDone && found.length < texts.length) heldUp += 1;
      return texts.map((_, index) => found[index] ?? null);
    },
  };
}

/** At most fifty matches, and none beyond the first 4,000 characters: nobody sees more of a line. */
function spansIn(text: string, global: RegExp): readonly Span[] {
  const spans: Span[] = [];
  try {
    for (const match of text.slice(0, 4000).matchAll(global)) {
      if (match[0] !== '') spans.push({ start: match.index, end: match.index + match[0].length });
      if (spans.length === 50) break;
    }
  } catch {
    // Too many steps back for V8: then it is not marked.
    return [];
  }
  return spans.length === 0 || isNarrow(text) ? spans : wholeCharacters(text, spans);
}

/** A part of what people see as one character is none: an emoji cut in two would be two question marks. */
function wholeCharacters(text: string, spans: readonly Span[]): readonly Span[] {
  const segments = graphemes.segment(text);
  return spans.map((span) => {
    const first = segments.containing(span.start);
    const last = segments.containing(span.end - 1);
    if (first === undefined || last === undefined) return span;
    return { start: first.index, end: last.index + last.segment.length };
  });
}
