import { lastFrame } from '../ingest/frames.js';
import type { State } from './state.js';

/**
 * The last `count` lines of the log by `\n`, unfiltered, each after its last `\r` (as `tail -n` on a terminal
 * would leave them); the unfinished last line counts as one.
 */
export function lastLogLines(state: State, count: number): readonly string[] {
  const { ring, partial } = state.log;
  const lines: string[] = [];
  for (let seq = ring.end - 1; seq >= ring.start && lines.length < count; seq -= 1) {
    const entry = ring.get(seq);
    // A line of ours, where another file began, has no number: it is not in the log.
    if (entry && entry.number !== 0) lines.push(lastFrame(entry.text));
  }
  lines.reverse();
  if (partial !== '') lines.push(lastFrame(partial));
  return lines.slice(-count);
}
