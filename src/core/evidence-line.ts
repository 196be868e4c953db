import type { LogRing } from './log-ring.js';
import { reportFacts } from './report-facts.js';
import type { State } from './state.js';
import { standingVerdict } from './under-way.js';

/** A line of the log: its number in the file, and where it is in the ring; null where it is not kept there. */
export interface EvidenceLine {
  readonly seq: number | null;
  readonly number: number | null;
}

/** The line that the verdict rests on; null where it rests on none. */
export function evidenceLine(state: State): EvidenceLine | null {
  const { log } = state;
  const verdict = standingVerdict(state);
  const cause = verdict.outcome === 'crashed' ? state.reading.report(reportFacts(state)).rootCause : null;
  const witness = verdict.evidence.find(
    ({ witness, lineNumber }) => witness === 'log' && lineNumber !== null,
  );
  const text = cause?.line ?? witness?.text;
  const number = cause?.lineNumber ?? witness?.lineNumber;
  if (text === undefined || number == null) return null;
  const first = Math.max(log.ring.start, log.runFrom);
  if (log.ahead !== null) return { seq: byText(log.ring, first, text), number: null };
  return { seq: byNumber(log.ring, first, number) ?? byText(log.ring, first, text), number };
}

/** Of the file that is read now: lines of ours, where another file begins, have the number 0. */
function byNumber(ring: LogRing, first: number, number: number): number | null {
  let seq = ring.end - 1;
  // Chunk by chunk: there may be a million lines.
  for (let chunk = ring.peek(seq); chunk !== undefined && seq >= first; chunk = ring.peek(seq)) {
    const from = Math.max(chunk.first, first);
    for (; seq >= from; seq -= 1) {
      const found = chunk.number(seq - chunk.first);
      if (found === number) return seq;
      if (found === 0) return null;
    }
  }
  return null;
}

/** Lines whose numbers are not known are looked for by what they say, as far back as that takes no time. */
function byText(ring: LogRing, from: number, text: string): number | null {
  const last = Math.max(from, ring.end - 50_000);
  for (let seq = ring.end - 1; seq >= last; seq -= 1) {
    const chunk = ring.chunkOf(seq);
    if (chunk?.text(seq - chunk.first).includes(text)) return seq;
  }
  return null;
}
