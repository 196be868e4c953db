import type { FilterState } from './view-state.js';

/** Filters that are remembered; one that is used again moves to the end. */
const mostKept = 50;

/** The history once the input line is left: also what Esc clears can be had back. */
export function keepFilter({ query, past }: FilterState): Pick<FilterState, 'past' | 'recalled'> {
  const { text } = query;
  if (text.trim() === '') return { past, recalled: null };
  return { past: [...past.filter((other) => other !== text), text].slice(-mostKept), recalled: null };
}

/** The earlier filter (-1), or the later one (1) and in the end what was typed; null: there is none. */
export function recalledFilter(
  { text, past, recalled }: FilterState,
  direction: 1 | -1,
): Pick<FilterState, 'text' | 'recalled'> | null {
  const typed = recalled?.typed ?? text;
  let index = (recalled?.index ?? past.length) + direction;
  // What stands in the line already is no news.
  if (recalled === null && past[index] === text) index += direction;
  if (index < 0 || index > past.length) return null;
  if (index === past.length) return recalled === null ? null : { text: typed, recalled: null };
  return { text: past[index] ?? '', recalled: { index, typed } };
}
