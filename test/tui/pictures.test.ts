import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { screenFixtures } from '../support/screen-fixtures.js';
import { screenSvg } from '../support/screen-svg.js';
import { openFixture } from './open-fixture.js';

// To look at the screens: `PICTURES=folder npx vitest run -c test/vitest.config.ts test/tui/pictures.test.ts`
// writes each fixture in each size as an SVG.
const folder = process.env.PICTURES;

const sizes = [
  [200, 50],
  [100, 30],
  [80, 24],
] as const;

describe.skipIf(folder === undefined)('pictures of the screen', () => {
  for (const [name, fixture] of Object.entries(screenFixtures)) {
    it.each(sizes)(`${name} at %ix%i`, async (columns, rows) => {
      const { terminal, handle } = openFixture(fixture(), [columns, rows]);
      await terminal.waitFor((shown) => shown.some((row) => row !== ''));
      mkdirSync(folder ?? '', { recursive: true });
      const svg = screenSvg(terminal.emulator);
      writeFileSync(join(folder ?? '', `${name}-${columns}x${rows}.svg`), svg);
      handle.close();
      expect(svg).toContain('<text');
    });
  }
});
