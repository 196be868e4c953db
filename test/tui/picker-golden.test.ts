import { describe, expect, it } from 'vitest';
import { sanitize } from '../../src/ingest/sanitize.js';
import { asciiGlyphs, unicodeGlyphs } from '../../src/tui/glyphs.js';
import { openPicker } from '../../src/tui/open-picker.js';
import type { PickerModel } from '../../src/tui/picker-model.js';
import { cellsOf, frameFaults } from '../support/frames.js';
import { pickerModelOf, pickerViewNames } from '../support/picker-views.js';
import { sizes } from '../support/sizes.js';
import { createTerminal } from '../support/terminal.js';
import { themes } from './open-fixture.js';

/** The picker as it stands, with its title; `keys` are pressed before. */
async function shown(
  model: PickerModel,
  size: readonly [number, number],
  look: { readonly isAscii?: boolean; readonly keys?: readonly string[] } = {},
) {
  const terminal = createTerminal(...size);
  const ended = openPicker({
    model: () => model,
    subscribe: () => () => {},
    refresh: () => {},
    sanitize,
    themes,
    depth: look.isAscii === true ? 'none' : '16',
    glyphs: look.isAscii === true ? asciiGlyphs : unicodeGlyphs,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    title: true,
    stop: () => {},
  });
  await terminal.waitFor((rows) => rows.at(-1)?.includes('Enter watch') === true);
  await terminal.press(...(look.keys ?? []));
  const rows = await terminal.screen();
  const result = { rows, title: terminal.title(), faults: frameFaults(cellsOf(terminal.emulator)) };
  await terminal.press('q');
  await ended;
  return result;
}

// The mark that turns while somebody is asked may be at any of its steps.
const still = (row: string): string => row.replace(/[\u2800-\u28ff]/g, '⠋');

describe('golden pickers', () => {
  it.each(pickerViewNames)('%s', async (name) => {
    const model = pickerModelOf(name);
    const pages: string[] = [];
    for (const size of sizes) {
      const { rows, title, faults } = await shown(model, size, { keys: ['j', 'j'] });
      expect(faults, `${name} at ${size.join('x')}`).toEqual([]);
      pages.push(`=== ${name} at ${size.join('x')} · ${title}\n${rows.map(still).join('\n')}\n`);
    }
    await expect(pages.join('\n')).toMatchFileSnapshot(`golden/picker-${name}.txt`);
  });

  it.each(pickerViewNames)('%s in ASCII', async (name) => {
    const { rows } = await shown(pickerModelOf(name), [80, 24], { isAscii: true });
    expect(rows.join('')).toMatch(/^[\x20-\x7e]*$/);
    expect(new Set(rows.filter((row) => row.startsWith('|')).map((row) => row.length))).toEqual(
      new Set([80]),
    );
  });
});
