import { z } from 'zod';

/** What a colour means. State is told by words and marks too, never by colour alone. */
export const styleNames = [
  'text',
  'dim',
  'strong',
  'brand',
  'title',
  'border',
  'borderFocus',
  'key',
  'good',
  'bad',
  'warn',
  'busy',
  'note',
  'bar',
  'barActive',
  'barTrack',
  'spark',
  'badgeReady',
  'badgeCrashed',
  'badgeLoading',
  'badgeStalled',
  'badgeStopped',
  'badgeUnknown',
  'logError',
  'logWarning',
  'logInfo',
  'logProgress',
  'logMilestone',
  'logNumber',
  'logPrefix',
  'match',
  'rank0',
  'rank1',
  'rank2',
  'rank3',
  'rank4',
  'rank5',
  'cursor',
  'chosen',
] as const;

export type StyleName = (typeof styleNames)[number];

export interface Theme {
  readonly name: string;
  readonly title: string;
  /** The ground it is made for, `#1e1e2e`; never painted. */
  readonly ground: string;
  /** `bold green`, `black on yellow`, `#7aa2f7`, `dim`, or nothing for the terminal's own. */
  readonly styles: Readonly<Record<StyleName, string>>;
}

/** How many colours may be used: none (`NO_COLOR`: bold, dim and inverse stay), the 16 of the palette, or all. */
export type ColorDepth = 'none' | '16' | 'full';

const colorNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const attributes: Readonly<Record<string, string>> = {
  bold: '1',
  dim: '2',
  italic: '3',
  underline: '4',
  inverse: '7',
};

const color = `(?:bright-)?(?:${colorNames.join('|')})|#[0-9a-f]{6}`;
const attribute = Object.keys(attributes).join('|');

/** Also the pattern in `themes/schema.json`; a test holds the two together. */
export const stylePattern = `^(?:(?:${attribute}) ?)*(?:(?:${color})(?: on (?:${color}))?|on (?:${color}))?$`;

const style = z.string().regex(new RegExp(stylePattern));

const themeFile = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string().min(1),
  ground: z.string().regex(/^#[0-9a-f]{6}$/),
  styles: z.strictObject(
    Object.fromEntries(styleNames.map((name) => [name, style])) as Record<StyleName, typeof style>,
  ),
});

/** A theme from the parsed JSON of its file; throws with the place of the fault in its message. */
export function parseTheme(value: unknown): Theme {
  const result = themeFile.safeParse(value);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  const { name, title, ground, styles } = result.data;
  return { name, title, ground, styles };
}

/** The escape sequence that begins each style; empty where the terminal's own is meant. */
export function compileTheme(theme: Theme, depth: ColorDepth): Readonly<Record<StyleName, string>> {
  const compiled = styleNames.map((name) => [name, openingSequence(theme.styles[name], depth)] as const);
  return Object.fromEntries(compiled) as Record<StyleName, string>;
}

/** `NO_COLOR` (no-color.org: set and not empty) wins; true colour only where the terminal says so. */
export function colorDepthFor(env: Readonly<Record<string, string | undefined>>): ColorDepth {
  if (env.NO_COLOR || env.TERM === 'dumb') return 'none';
  return /^(truecolor|24bit)$/.test(env.COLORTERM ?? '') ? 'full' : '16';
}

function openingSequence(words: string, depth: ColorDepth): string {
  const codes: string[] = [];
  let background = false;
  for (const word of words.split(' ').filter(Boolean)) {
    if (word === 'on') background = true;
    else if (attributes[word] !== undefined) codes.push(attributes[word]);
    else if (depth !== 'none') codes.push(colorCode(word, background, depth));
    // Without colours a badge would be plain text: a background becomes inverse.
    if (word === 'on' && depth === 'none') codes.push('7');
  }
  return codes.length === 0 ? '' : `\u001B[${codes.join(';')}m`;
}

function colorCode(word: string, background: boolean, depth: ColorDepth): string {
  if (word.startsWith('#')) {
    const value = Number.parseInt(word.slice(1), 16);
    const rgb = [value >> 16, (value >> 8) & 255, value & 255] as const;
    return depth === 'full'
      ? `${background ? 48 : 38};2;${rgb.join(';')}`
      : String(nearestBasic(rgb) + (background ? 10 : 0));
  }
  const bright = word.startsWith('bright-');
  const index = colorNames.findIndex((name) => word.endsWith(name));
  return String((bright ? 90 : 30) + index + (background ? 10 : 0));
}

/** SGR code of the basic colour next to an RGB one: each channel over half is on, bright if any is near full. */
function nearestBasic([red, green, blue]: readonly [number, number, number]): number {
  const top = Math.max(red, green, blue);
  if (top < 64) return 30;
  const half = top * 0.6;
  const index = (red > half ? 1 : 0) + (green > half ? 2 : 0) + (blue > half ? 4 : 0);
  if (index === 7) return top > 200 ? 97 : top > 130 ? 37 : 90;
  return (top > 200 ? 90 : 30) + index;
}
