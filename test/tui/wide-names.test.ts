import { describe, expect, it } from 'vitest';
import { pinColumns } from '../../src/tui/pin-columns.js';
import { textWidth } from '../../src/tui/text.js';
import { cellsOf, frameFaults } from '../support/frames.js';
import { sizes } from '../support/sizes.js';
import { wideNames, wideScreens } from '../support/stories/wide-views.js';
import { createTerminal } from '../support/terminal.js';
import { openFixture } from './open-fixture.js';

describe('names that take more or fewer columns than characters', () => {
  // The emulator knows the widths of Unicode 6: an emoji of today is one column there, and two for us.
  it.each(Object.entries(wideScreens))('leave every border in its column: %s', async (name, screen) => {
    for (const [at, size] of sizes.entries()) {
      const from = (Object.keys(wideScreens).indexOf(name) + at * 3) % wideNames.length;
      const model = screen(from);
      const { terminal, handle } = openFixture(model, size);
      const rows = await terminal.waitFor((shown) => shown.some((row) => row !== ''));
      handle.close();
      await handle.closed;
      const where = `${name} from ${from} at ${size.join('x')}`;
      expect(frameFaults(cellsOf(terminal.emulator)), where).toEqual([]);
      expect(rows.join('\n'), where).toContain(model.status.word);
      expect(terminal.title()).toBe('');
    }
  });

  it.each(wideNames.slice(0, 9))('is followed by what stands behind it: %s', async (name) => {
    const terminal = createTerminal(80, 2);
    const width = textWidth(name);
    // What stood there before is to be gone, too.
    terminal.stdout.write(`${'#'.repeat(40)}\r`);
    terminal.stdout.write(pinColumns(`ab${name}│cd`, (column) => `\u001B[1;${column + 1}H`));
    await terminal.screen();
    const cells = cellsOf(terminal.emulator)[0] ?? [];
    expect(cells.slice(0, 2)).toEqual(['a', 'b']);
    expect(cells.slice(width + 2, width + 5)).toEqual(['│', 'c', 'd']);
    expect(cells.slice(2, width + 2)).not.toContain('#');
  });

  it('costs a plain row nothing', () => {
    const row = '\u001B[1m─ plain ✓ │\u001B[0m';
    expect(pinColumns(row, () => '!')).toBe(row);
  });
});
