import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { sanitize } from '../../src/ingest/sanitize.js';
import type { Outcome } from '../../src/triage/report.js';
import { asciiGlyphs, unicodeGlyphs } from '../../src/tui/glyphs.js';
import { createPainter } from '../../src/tui/painter.js';
import { verdictBadge } from '../../src/tui/panes/status.js';
import {
  colorDepthFor,
  compileTheme,
  hasLightGround,
  parseTheme,
  type StyleName,
  styleNames,
  stylePattern,
  type Theme,
} from '../../src/tui/theme.js';
import { loadThemes } from '../../src/tui/theme-files.js';
import { contrast } from '../support/contrast.js';
import { loadingModel } from '../support/screen-fixtures.js';

const schema = JSON.parse(readFileSync('themes/schema.json', 'utf8'));
const themes = loadThemes('themes');

/** What stands beside what matters: lines, bars, what is dim. */
const quiet: ReadonlySet<StyleName> = new Set([
  'dim',
  'logNumber',
  'logPrefix',
  'bar',
  'barActive',
  'barTrack',
  'spark',
  'border',
  'borderFocus',
]);

/** WCAG AA: 4.5 for what is to be read, 3 for the rest. */
const leastContrast = (name: StyleName): number => (quiet.has(name) ? 3 : 4.5);

const isLight = ({ ground }: Theme): boolean => ground === '#ffffff';

const verdicts: Readonly<Record<Outcome, string>> = {
  ready: 'READY',
  crashed: 'CRASHED',
  loading: 'LOADING',
  stalled: 'STALLED',
  stopped: 'STOPPED',
  unknown: 'UNKNOWN',
};

describe('themes', () => {
  it('has those that the project ships, the default first', () => {
    expect(themes.map(({ name }) => name)).toEqual([
      'default',
      'catppuccin-mocha',
      'gruvbox-dark',
      'high-contrast',
      'light',
      'mono',
    ]);
  });

  it.each(readdirSync('themes').filter((file) => file.endsWith('.json') && file !== 'schema.json'))(
    '%s obeys the schema and is named like its file',
    (file) => {
      const value = JSON.parse(readFileSync(`themes/${file}`, 'utf8'));
      expect(Object.keys(value.styles).sort()).toEqual([...schema.properties.styles.required].sort());
      for (const style of Object.values(value.styles)) {
        expect(style).toMatch(new RegExp(schema.$defs.style.pattern));
      }
      expect(parseTheme(value).name).toBe(file.replace('.json', ''));
    },
  );

  it('says the same in the schema as in the program', () => {
    expect(schema.$defs.style.pattern).toBe(stylePattern);
    expect(schema.properties.styles.required).toEqual([...styleNames]);
    expect(Object.keys(schema.properties.styles.properties)).toEqual([...styleNames]);
  });

  it('refuses a style that is none, an unknown meaning and a missing one, naming the place', () => {
    const [theme] = themes;
    const styles = { ...theme?.styles };
    expect(() => parseTheme({ ...theme, styles: { ...styles, good: 'grean' } })).toThrow(/styles\.good/);
    expect(() => parseTheme({ ...theme, styles: { ...styles, goood: 'green' } })).toThrow(/goood/);
    expect(() => parseTheme({ ...theme, styles: { ...styles, good: undefined } })).toThrow(/styles\.good/);
  });

  it.each(themes.map((theme) => [theme.name, theme] as const))('can be read: %s', (_, theme) => {
    // Of a terminal of sixteen colours nobody knows more than that it is dark or light.
    const grounds = { full: theme.ground, '16': isLight(theme) ? '#ffffff' : '#000000' };
    for (const depth of ['full', '16'] as const) {
      const compiled = compileTheme(theme, depth);
      for (const name of styleNames) {
        const words = `${name} by ${depth}: ${theme.styles[name]}, ${JSON.stringify(compiled[name])}`;
        expect(contrast(compiled[name], grounds[depth]), words).toBeGreaterThanOrEqual(leastContrast(name));
      }
    }
  });

  it('can be read without a colour on a dark and on a light terminal', () => {
    for (const theme of themes) {
      for (const ground of ['#000000', '#ffffff']) {
        for (const [name, sequence] of Object.entries(compileTheme(theme, 'none'))) {
          // What is dim is half as strong as the terminal's own text, whatever that is.
          const least = sequence.includes('2') ? 2.8 : 4.5;
          expect(contrast(sequence, ground), `${theme.name} ${name}`).toBeGreaterThanOrEqual(least);
        }
      }
    }
  });

  it('tells no verdict by its colour alone: each has a mark and a word of its own, in ASCII too', () => {
    for (const glyphs of [unicodeGlyphs, asciiGlyphs]) {
      const shown = Object.entries(verdicts).map(([outcome, word]) => {
        const status = { ...loadingModel().status, outcome: outcome as Outcome, word };
        const painter = createPainter({ theme: themes[0] as Theme, depth: 'none', glyphs, sanitize });
        return painter
          .line([verdictBadge(status, painter)], 14)
          .replace(/\u001B\[[\d;]*m/g, '')
          .trim();
      });
      const marks = shown.map((text) => text.split(' ')[0] ?? '');
      expect(new Set(marks).size, marks.join()).toBe(shown.length);
      expect(shown.map((text) => text.split(' ')[1])).toEqual(Object.values(verdicts));
    }
  });

  it('writes no colour with NO_COLOR, but keeps badges visible by inverse', () => {
    for (const theme of themes) {
      const compiled = compileTheme(theme, 'none');
      for (const sequence of Object.values(compiled)) {
        expect(sequence).toMatch(/^(\u001B\[[1-7](;[1-7])*m)?$/);
      }
      expect(compiled.badgeCrashed).toContain('7');
    }
  });

  it('takes the nearest of sixteen colours for an RGB one where that is all there is', () => {
    const [theme] = themes;
    if (theme === undefined) throw new Error('no theme');
    const rgb = { ...theme, styles: { ...theme.styles, good: '#20d040', bad: 'bold #ff4040 on #101010' } };
    expect(compileTheme(rgb, 'full').good).toBe('\u001B[38;2;32;208;64m');
    expect(compileTheme(rgb, '16').good).toBe('\u001B[92m');
    // A ground that is nearly the terminal's own is that.
    expect(compileTheme(rgb, '16').bad).toBe('\u001B[1;91m');
    // Green cannot be read on white in any palette: there it is the terminal's own text.
    const light = { ...rgb, ground: '#ffffff' };
    expect(compileTheme(light, '16').good).toBe('');
    expect(compileTheme(light, '16').bad).toBe('\u001B[1;7m');
  });

  it('is the light one where the terminal says that its ground is light', () => {
    const values = ['15;0', '0;15', '0;default;15', '7;8', '0;7', '', undefined];
    expect(values.map((COLORFGBG) => hasLightGround({ COLORFGBG }))).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  it('reads from the environment how many colours there may be', () => {
    expect(colorDepthFor({})).toBe('16');
    expect(colorDepthFor({ COLORTERM: 'truecolor' })).toBe('full');
    expect(colorDepthFor({ COLORTERM: 'truecolor', NO_COLOR: '1' })).toBe('none');
    expect(colorDepthFor({ NO_COLOR: '' })).toBe('16');
    expect(colorDepthFor({ TERM: 'dumb' })).toBe('none');
  });
});
