import { type KeyGroup, type KeyRow, keyGroups, keyLabels, keymap } from '../keymap.js';
import type { Painter, Row } from '../painter.js';
import { toWidth } from '../text.js';

/** All keys by group, in as many columns as fit `width`. */
export function helpRows(width: number, painter: Painter): readonly string[] {
  const columns = width >= 132 ? 3 : width >= 88 ? 2 : 1;
  const columnWidth = Math.floor(width / columns);
  const blocks = keyGroups.map((group) => block(group, painter));
  const stacks = balance(blocks, columns);
  const height = Math.max(...stacks.map((stack) => stack.length));
  return Array.from({ length: height }, (_, y) => {
    const text = stacks.map((stack) => painter.line(stack[y] ?? [], columnWidth)).join('');
    return text + ' '.repeat(width - columns * columnWidth);
  });
}

function block(group: KeyGroup, painter: Painter): readonly Row[] {
  const rows = keymap.filter((row) => row.group === group);
  return [[['title', group]], ...rows.map((row) => helpRow(row, painter)), []];
}

function helpRow(row: KeyRow, painter: Painter): Row {
  const ascii = painter.glyphs.ascii;
  const label = keyLabels(row, ascii).join(' ');
  return [
    ['key', toWidth(`  ${label}`, 16)],
    ['text', row.help],
    ['dim', where(row)],
  ];
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
