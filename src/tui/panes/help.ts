import { keyLabels } from '../key-labels.js';
import { type KeyGroup, type KeyRow, keyGroups, keymap } from '../keymap.js';
import type { Painter, Row } from '../painter.js';
import { toWidth, wrapWords } from '../text.js';

/** All keys by group, in as many columns as fit `width`. */
export function helpRows(width: number, painter: Painter): readonly string[] {
  const columns = width >= 132 ? 3 : width >= 88 ? 2 : 1;
  const columnWidth = Math.floor(width / columns);
  const blocks = keyGroups.map((group) => block(group, columnWidth, painter));
  const stacks = balance(blocks, columns);
  const height = Math.max(...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, y) => {
    const text = stacks.map((stack) => painter.line(stack[y] ?? [], columnWidth)).join('');
    return text + ' '.repeat(width - columns * columnWidth);
  });
}

function block(group: KeyGroup, width: number, painter: Painter): readonly Row[] {
  const rows = keymap.filter((row) => row.group === group);
  return [[['title', group]], ...rows.flatMap((row) => helpRow(row, width, painter)), []];
}

/** Keys and what they do beside each other, each wrapped in its column. */
function helpRow(row: KeyRow, width: number, painter: Painter): readonly Row[] {
  const left = width < 50 ? 12 : 16;
  const labels = wrapWords(keyLabels(row, painter.glyphs.ascii).join(' '), left - 3);
  const lines = wrapWords(`${row.help}${where(row)}`, Math.max(10, width - left - 1));
  return Array.from({ length: Math.max(labels.length, lines.length) }, (_, index): Row => {
    const line = lines[index] ?? '';
    // What a key means only somewhere stands at the end, in brackets.
    const at = line.search(/\((?:while|at|in) [^)]*\)?$/);
    const split = at < 0 ? line.length : at;
    return [
      ['key', toWidth(`  ${labels[index] ?? ''}`, left)],
      ['text', line.slice(0, split)],
      ['dim', line.slice(split)],
    ];
  });
}

/** Keys that mean something only while a question or an input is open say so. */
function where(row: KeyRow): string {
  if (row.contexts.includes('main') || row.contexts.includes('overlay')) return '';
  if (row.contexts.includes('filter')) return ' (while typing)';
  if (row.contexts.includes('edit')) return ' (while editing)';
  if (row.contexts.includes('login') || row.contexts.includes('answer')) return ' (at a login)';
  return row.contexts.includes('running') ? ' (while it runs)' : ' (in a question)';
}

/** Blocks in order, each column about as tall as the others. */
function balance(blocks: readonly (readonly Row[])[], columns: number): readonly Row[][] {
  const target = Math.ceil(blocks.reduce((sum, rows) => sum + rows.length, 0) / columns);
  const stacks: Row[][] = Array.from({ length: columns }, () => []);
  let index = 0;
  for (const rows of blocks) {
    const current = stacks[index];
    if (
      current !== undefined &&
      current.length > 0 &&
      current.length + rows.length / 2 > target &&
      index < columns - 1
    ) {
      index += 1;
    }
    stacks[index]?.push(...rows);
  }
  return stacks;
}
