import { describe, expect, it } from 'vitest';
import { asciiGlyphs } from '../../src/tui/glyphs.js';
import { cellsOf, frameFaults } from '../support/frames.js';
import { sizes } from '../support/sizes.js';
import { modelOf, storyNames } from '../support/stories/all.js';
import { openFixture } from './open-fixture.js';

// `npm run pictures` draws them again. Times and figures are the story's own: nothing in them varies.
describe('golden screens', () => {
  it.each(storyNames)('%s', async (name) => {
    const model = modelOf(name);
    const pages: string[] = [];
    for (const size of sizes) {
      const { terminal, handle } = openFixture(model, size);
      const rows = await terminal.waitFor((shown) => shown.some((row) => row !== ''));
      handle.close();
      expect(frameFaults(cellsOf(terminal.emulator)), `${name} at ${size.join('x')}`).toEqual([]);
      expect(rows.join('\n')).toContain(model.status.word);
      pages.push(`=== ${name} at ${size.join('x')}\n${rows.join('\n')}\n`);
    }
    await expect(pages.join('\n')).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  it.each(storyNames)('%s in ASCII, and without a colour', async (name) => {
    const model = modelOf(name);
    const { terminal, handle } = openFixture(model, [80, 24], undefined, {
      depth: 'none',
      glyphs: asciiGlyphs,
    });
    const rows = await terminal.waitFor((shown) => shown.some((row) => row !== ''));
    handle.close();
    expect(rows.join('')).toMatch(/^[\x20-\x7e]*$/);
    expect(rows.join('\n')).toContain(model.status.word);
    expect(terminal.written.join('')).not.toMatch(/\u001B\[(?:\d+;)*(?:3[0-8]|4[0-8]|9\d|10\d)[;m]/);
  });
});
