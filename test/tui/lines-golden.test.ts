import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../src/ingest/sanitize.js';
import { showConnecting } from '../../src/tui/connecting.js';
import { asciiGlyphs, unicodeGlyphs } from '../../src/tui/glyphs.js';
import { themesPage } from '../../src/tui/theme-preview.js';
import { createTerminal, type TestTerminal } from '../support/terminal.js';
import { themes } from './open-fixture.js';

/** What is drawn on lines of the user's own screen, not on one of ours. */
const widths = [200, 100, 80, 40] as const;

const shown = async (terminal: TestTerminal): Promise<string> =>
  (await terminal.screen()).join('\n').trimEnd();

describe('golden lines', () => {
  it.each([
    ['themes', unicodeGlyphs],
    ['themes in ASCII', asciiGlyphs],
  ] as const)('%s', async (name, glyphs) => {
    const pages: string[] = [];
    for (const width of widths) {
      const terminal = createTerminal(width, 140);
      const page = themesPage(themes, { depth: 'none', glyphs, sanitize }, Math.min(100, width));
      terminal.stdout.write(page.join('\r\n'));
      const text = await shown(terminal);
      // Nothing is cut, nothing wraps.
      expect(text).not.toMatch(/[…~]/);
      expect(text.split('\n')).toHaveLength(page.length - 1);
      pages.push(`=== ${name} at ${width} columns\n${text}\n`);
    }
    if (glyphs === unicodeGlyphs) await expect(pages.join('\n')).toMatchFileSnapshot('golden/themes.txt');
    else expect(pages.join('')).toMatch(/^[\x0a\x20-\x7e]*$/);
  });

  it('the line that says that a connection is being made, which leaves nothing behind', async () => {
    const pages: string[] = [];
    for (const width of widths) {
      const terminal = createTerminal(width, 4);
      const stderr = new Writable({
        write(chunk, _encoding, done) {
          terminal.stdout.write(String(chunk).replaceAll('\n', '\r\n'));
          done();
        },
      });
      const connecting = showConnecting(
        'connecting to ml@h200-rack3-17.cluster.example.org:2222',
        Object.assign(stderr, { columns: width, isTTY: true }),
      );
      await terminal.waitFor((rows) => rows[0]?.includes('connecting to') === true);
      const text = (await shown(terminal)).replace(/[\u2800-\u28ff]/g, '⠋');
      pages.push(`=== connecting at ${width} columns\n${text}\n`);
      connecting.hide();
      connecting.hide();
      await terminal.waitFor((rows) => rows.every((row) => row === ''));
    }
    await expect(pages.join('\n')).toMatchFileSnapshot('golden/connecting-line.txt');
  });
});
