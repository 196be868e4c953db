import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  colorDepthFor,
  compileTheme,
  parseTheme,
  type StyleName,
  styleNames,
  stylePattern,
  type Theme,
} from '../../src/tui/theme.js';
import { loadThemes } from '../../src/tui/theme-files.js';
import { contrast } from '../support/contrast.js';

const schema = JSON.parse(readFileSync('themes/schema.json', 'utf8'));
const themes = loadThemes('themes');

/** What is no text: lines and tracks. */
const lines: ReadonlySet<StyleName> = new Set(['border', 'borderFocus', 'barTrack']);

/** What stands beside what matters. */
const quiet: ReadonlySet<StyleName> = new Set(['dim', 'logNumber', 'logPrefix', 'bar', 'barActive', 'spark']);

/** WCAG AA for what is to be read (4.5); the sixteen colours are the terminal's, so that less must do. */
function leastContrast({ styles }: Theme, name: StyleName): number {
  const isOwn = styles[name].includes('#');
  if (lines.has(name)) return 1.5;
  return quiet.has(name) ? (isOwn ? 3 : 2.5) : isOwn ? 4.5 : 3;
}

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
    for (const name of styleNames) {
      const ratio = contrast(theme.styles[name], theme.ground);
      expect(ratio, `${name}: ${theme.styles[name]} on ${theme.ground}`).toBeGreaterThanOrEqual(
        leastContrast(theme, name),
      );
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
    expect(compileTheme(rgb, '16').bad).toBe('\u001B[1;91;40m');
  });

  it('reads from the environment how many colours there may be', () => {
    expect(colorDepthFor({})).toBe('16');
    expect(colorDepthFor({ COLORTERM: 'truecolor' })).toBe('full');
    expect(colorDepthFor({ COLORTERM: 'truecolor', NO_COLOR: '1' })).toBe('none');
    expect(colorDepthFor({ NO_COLOR: '' })).toBe('16');
    expect(colorDepthFor({ TERM: 'dumb' })).toBe('none');
  });
});
