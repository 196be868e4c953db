import type { LogRing } from './log-ring.js';
import { reportFacts } from './report-facts.js';
import type { State } from './state.js';

/** The line of the log, as a sequence number, that the verdict rests on; null where none does, or it is not kept. */
export function evidenceLine(state: State): number | null {
  const { verdict, log } = state;
  const cause = verdict.outcome === 'crashed' ? state.reading.report(reportFacts(state)).rootCause : null;
  const witness = verdict.evidence.find(
    ({ witness, lineNumber }) => witness === 'log' && lineNumber !== null,
  );
  const text = cause?.line ?? witness?.text;
  const number = cause?.lineNumber ?? witness?.lineNumber;
  if (text === undefined || number == null) return null;
  return (log.ahead === null ? byNumber(log.ring, number) : null) ?? byText(log.ring, text);
}

/** Of the file that is read now: lines of ours, where another file begins, have the number 0. */
function byNumber(ring: LogRing, number: number): number | null {
  for (let seq = ring.end - 1; seq >= ring.start; seq -= 1) {
    const chunk = ring.peek(seq);
    const found = chunk?.number(seq - chunk.first) ?? null;
    if (found === number) return seq;
    if (found === 0) return null;
  }
  return null;
}

/** Lines whose numbers are not known are looked for by what they say, as far back as that takes no time. */
function byText(ring: LogRing, text: string): number | null {
  const from = Math.max(ring.start, ring.end - 50_000);
  for (let seq = ring.end - 1; seq >= from; seq -= 1) {
    const chunk = ring.chunkOf(seq);
    if (chunk?.text(seq - chunk.first).includes(text)) return seq;
  }
  return null;
}
