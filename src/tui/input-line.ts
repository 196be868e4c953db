import { graphemes, splitGraphemes, textWidth } from './text.js';

/** One line of text being typed. `cursor` is an index between grapheme clusters, 0 to the length. */
export interface InputLine {
  readonly text: string;
  readonly cursor: number;
}

export type Edit =
  | { readonly kind: 'insert'; readonly text: string }
  | {
      readonly kind:
        | 'left'
        | 'right'
        | 'home'
        | 'end'
        | 'erase'
        | 'erase-word'
        | 'erase-before'
        | 'erase-after';
    };

/** `text` with the cursor behind it. */
export const inputLine = (text: string): InputLine => ({ text, cursor: text.length });

/** What `edit` makes of the line, as readline does it. Control characters and line breaks are never inserted. */
export function editLine(line: InputLine, edit: Edit): InputLine {
  const before = line.text.slice(0, line.cursor);
  const after = line.text.slice(line.cursor);
  switch (edit.kind) {
    case 'insert': {
      const text = edit.text.replace(/[\x00-\x1f\x7f-\x9f]/g, '');
      return { text: before + text + after, cursor: line.cursor + text.length };
    }
    case 'left':
      return { ...line, cursor: line.cursor - lastGrapheme(before).length };
    case 'right':
      return { ...line, cursor: line.cursor + firstGrapheme(after).length };
    case 'home':
      return { ...line, cursor: 0 };
    case 'end':
      return { ...line, cursor: line.text.length };
    case 'erase':
      return inputBefore(before.slice(0, before.length - lastGrapheme(before).length), after);
    case 'erase-word':
      return inputBefore(before.replace(/\S*\s*$/u, ''), after);
    case 'erase-before':
      return inputBefore('', after);
    case 'erase-after':
      return { text: before, cursor: before.length };
  }
}

/** The part of the line that fits `width` columns and holds the cursor, as text before, under and after it. */
export function visibleInput(line: InputLine, width: number): readonly [string, string, string] {
  const under = firstGrapheme(line.text.slice(line.cursor)) || ' ';
  let room = Math.max(1, width - textWidth(under));
  let start = line.cursor;
  for (const { text, width: wide } of [...splitGraphemes(line.text.slice(0, line.cursor))].reverse()) {
    if (wide > room) break;
    room -= wide;
    start -= text.length;
  }
  return [line.text.slice(start, line.cursor), under, line.text.slice(line.cursor + under.length)];
}

/** How many characters, as people count them. */
export const graphemeCount = (text: string): number => [...graphemes.segment(text)].length;

const inputBefore = (before: string, after: string): InputLine => ({
  text: before + after,
  cursor: before.length,
});

const firstGrapheme = (text: string): string =>
  graphemes.segment(text)[Symbol.iterator]().next().value?.segment ?? '';

const lastGrapheme = (text: string): string => [...graphemes.segment(text)].at(-1)?.segment ?? '';
