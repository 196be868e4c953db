import type { Terminal } from '@xterm/headless';

/** What stands in each cell: a wide character in its first, nothing in its second. */
export function cellsOf(terminal: Terminal): readonly (readonly string[])[] {
  const buffer = terminal.buffer.active;
  return Array.from({ length: terminal.rows }, (_, y) => {
    const line = buffer.getLine(buffer.baseY + y);
    return Array.from({ length: terminal.cols }, (__, x) => line?.getCell(x)?.getChars() ?? '');
  });
}

/**
 * What is wrong with the frames on the screen, by cells: a box whose sides do not stand below its corners, in every
 * row of it. Empty where each is closed.
 */
export function frameFaults(cells: readonly (readonly string[])[]): readonly string[] {
  return cells.flatMap((row, y) =>
    row.flatMap((cell, x) => {
      if (cell !== '╭') return [];
      const right = row.indexOf('╮', x);
      if (right < 0) return [`row ${y}: the frame from column ${x} has no right end`];
      for (let below = y + 1; below < cells.length; below++) {
        const [start, end] = [cells[below]?.[x], cells[below]?.[right]];
        if (start === '╰' && end === '╯') return [];
        if (start !== '│' || end !== '│') return [`row ${below}: '${start}' at ${x}, '${end}' at ${right}`];
      }
      return [`row ${y}: the frame from column ${x} has no bottom`];
    }),
  );
}
