import { lastFrame } from '../ingest/frames.js';
import type { State } from './state.js';

/**
 * The last `count` lines of the log by `\n`, unfiltered, each after its last `\r` (as `tail -n` on a terminal
 * would leave them); the unfinished last line counts as one.
 */
export function lastLogLines(state: State, count: number): readonly string[] {
  const { ring, partial } = state.log;
  const lines: string[] = [];
  for (let seq = Math.max(ring.start, ring.end - count); seq < ring.end; seq += 1) {
    lines.push(lastFrame(ring.get(seq)?.text ?? ''));
  }
  if (partial !== '') lines.push(lastFrame(partial));
  return lines.slice(-count);
}
