import { lastFrame } from '../ingest/frames.js';
import type { State } from './state.js';

/**
 * The last `count` lines of the log of what is watched now (no earlier attempt's) by `\n`, unfiltered, each after its last `\r` (as `tail -n` on a terminal
 * would leave them); the unfinished last line counts as one.
 */
export function lastLogLines(state: State, count: number): readonly string[] {
  const { ring, partial, runFrom } = state.log;
  const first = Math.max(ring.start, runFrom);
  const lines: string[] = [];
  for (let seq = ring.end - 1; seq >= first && lines.length < count; seq -= 1) {
    const entry = ring.get(seq);
    // A line of ours, where another file began, has no number: it is not in the log.
    if (entry && entry.number !== 0) lines.push(lastFrame(entry.text));
  }
  lines.reverse();
  if (partial !== '') lines.push(lastFrame(partial));
  return lines.slice(-count);
}
