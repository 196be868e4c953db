import type { LogEntry } from './log-ring.js';
import type { FilterState, State, ViewState } from './state.js';

/** Smart case: a pattern with no capital letter matches either. `error` says why a text is no regular expression. */
export function compileFilter(text: string): Pick<FilterState, 'pattern' | 'error'> {
  if (text === '') return { pattern: null, error: null };
  try {
    return { pattern: new RegExp(text, /\p{Lu}/u.test(text) ? '' : 'i'), error: null };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { pattern: null, error: reason.replace(/^Invalid regular expression: /, '') };
  }
}

/** Whether the log pane shows this line under the filters that are on. */
export function passes(entry: LogEntry, view: ViewState): boolean {
  if (view.errorsOnly && entry.level !== 'error') return false;
  if (view.milestonesOnly && !entry.milestone) return false;
  const { pattern, mode } = view.filter;
  return pattern === null || mode === 'highlight' || pattern.test(entry.text);
}

/** Sequence number of the line `count` shown lines above (negative: below) `from`; the last one there is. */
export function stepOver(state: State, from: number, count: number): number {
  const { ring } = state.log;
  const direction = count < 0 ? 1 : -1;
  let left = Math.abs(count);
  let reached = from;
  for (let seq = from + direction; left > 0 && seq >= ring.start && seq < ring.end; seq += direction) {
    const entry = ring.get(seq);
    if (entry && passes(entry, state.view)) {
      reached = seq;
      left -= 1;
    }
  }
  return reached;
}

/** Up to `height` shown lines that end at `last`, oldest first. */
export function shownLines(state: State, last: number, height: number): readonly LogEntry[] {
  const { ring } = state.log;
  const rows: LogEntry[] = [];
  for (let seq = Math.min(last, ring.end - 1); seq >= ring.start && rows.length < height; seq -= 1) {
    const entry = ring.get(seq);
    if (entry && passes(entry, state.view)) rows.push(entry);
  }
  return rows.reverse();
}

/** The next line that matches the pattern, above (-1) or below (1) `from`; null when there is none. */
export function findMatch(state: State, from: number, direction: 1 | -1): number | null {
  const { ring } = state.log;
  const { pattern } = state.view.filter;
  if (!pattern) return null;
  for (let seq = from + direction; seq >= ring.start && seq < ring.end; seq += direction) {
    const entry = ring.get(seq);
    if (entry && passes(entry, state.view) && pattern.test(entry.text)) return seq;
  }
  return null;
}
