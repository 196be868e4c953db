import { z } from 'zod';
import { basicBack, basicFront, channelsOf } from './basic-colors.js';

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
const inverse = '7';
const attributes: Readonly<Record<string, string>> = {
  bold: '1',
  dim: '2',
  italic: '3',
  underline: '4',
  inverse,
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
  // Each is read once, when the screen opens: a checker compiled for it would cost more than it saves.
  const result = themeFile.safeParse(value, { jitless: true });
  if (!result.success) throw new Error(z.prettifyError(result.error));
  const { name, title, ground, styles } = result.data;
  return { name, title, ground, styles };
}

/** The escape sequence that begins each style; empty where the terminal's own is meant. */
export function compileTheme(theme: Theme, depth: ColorDepth): Readonly<Record<StyleName, string>> {
  const isLight = isLightGround(theme.ground);
  const compiled = styleNames.map(
    (name) => [name, openingSequence(theme.styles[name], depth, isLight)] as const,
  );
  return Object.fromEntries(compiled) as Record<StyleName, string>;
}

/** `NO_COLOR` (no-color.org: set and not empty) wins; true colour only where the terminal says so. */
export function colorDepthFor(env: Readonly<Record<string, string | undefined>>): ColorDepth {
  if (env.NO_COLOR || env.TERM === 'dumb') return 'none';
  return /^(truecolor|24bit)$/.test(env.COLORTERM ?? '') ? 'full' : '16';
}

/** Whether the terminal says that its ground is light: `COLORFGBG` (rxvt, Konsole, iTerm2), `15;0`, the last is the ground. */
export const hasLightGround = (env: Readonly<Record<string, string | undefined>>): boolean =>
  /;(?:7|9|1[0-5])$/.test(env.COLORFGBG ?? '');

function openingSequence(words: string, depth: ColorDepth, isLight: boolean): string {
  const [front = '', back = ''] = words.split(/(?:^| )on /);
  const named = front.split(' ').filter(Boolean);
  const codes: (string | number)[] = named.flatMap((word) => attributes[word] ?? []);
  const color = named.find((word) => attributes[word] === undefined);
  // Without colours a badge would be plain text: a background becomes inverse.
  if (depth === 'none') codes.push(...(back === '' ? [] : [inverse]));
  else if (depth === 'full') codes.push(...colorCodes(color, 30), ...colorCodes(back, 40));
  else codes.push(...basicCodes(color, back, isLight));
  return codes.length === 0 ? '' : `\u001B[${codes.join(';')}m`;
}

function basicCodes(front: string | undefined, back: string, isLight: boolean): readonly (string | number)[] {
  const own = front?.startsWith('#') ? basicFront(front, isLight) : colorCodes(front, 30);
  if (!back.startsWith('#')) return [...own, ...colorCodes(back, 40)];
  return basicBack(back, isLight) ?? own;
}

/** A colour as it is; `from` is 30 for a text's, 40 for its background. */
function colorCodes(color: string | undefined, from: 30 | 40): readonly (string | number)[] {
  if (color === undefined || color === '') return [];
  if (color.startsWith('#')) return [from + 8, 2, ...channelsOf(color)];
  const index = colorNames.findIndex((name) => color.endsWith(name));
  return [from + index + (color.startsWith('bright-') ? 60 : 0)];
}

/** Whether a ground is light, so that dark text stands on it. */
function isLightGround(ground: string): boolean {
  const [red, green, blue] = channelsOf(ground);
  return 2 * red + 5 * green + blue > 8 * 128;
}
