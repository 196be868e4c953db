/**
 * SGR codes that stand for an RGB colour where there are only the sixteen of the terminal, whose palette nobody knows: on
 * a ground of this kind only those that can be read in every usual palette (contrast 4.5, 3 for what is dim). A hue
 * that no such colour has gives way to the terminal's own text colour. `#rrggbb`.
 */
export function basicFront(color: string, isLightGround: boolean): readonly number[] {
  const { hue, top } = hueOf(color);
  if (isLightGround) return hue === null ? (top < lightGray ? [] : [brightBlack]) : frontsOnLight[hue];
  return hue === null ? (top < darkGray ? [faint] : []) : frontsOnDark[hue];
}

/** The same for a background, with the text colour that can be read on it; null: the ground itself. */
export function basicBack(color: string, isLightGround: boolean): readonly number[] | null {
  const { hue, top } = hueOf(color);
  if (hue !== null) return backs[hue];
  if (top >= (isLightGround ? 130 : 64)) return onWhite;
  return isLightGround ? [inverse] : null;
}

type Hue = 'red' | 'yellow' | 'green' | 'cyan' | 'blue' | 'magenta';

const [faint, inverse, brightBlack] = [2, 7, 90];

/** Below this a gray is dim on a dark ground, above that on a light one (its largest channel). */
const [darkGray, lightGray] = [185, 110];

/** Dark red, yellow and blue are too dark somewhere, bright blue too; bright black may be the ground itself. */
const frontsOnDark: Readonly<Record<Hue, readonly number[]>> = {
  red: [91],
  yellow: [93],
  green: [92],
  cyan: [96],
  blue: [96],
  magenta: [95],
};

/** Green, yellow and cyan are too light everywhere. */
const frontsOnLight: Readonly<Record<Hue, readonly number[]>> = {
  red: [31],
  yellow: [],
  green: [],
  cyan: [34],
  blue: [34],
  magenta: [35],
};

const onWhite: readonly number[] = [30, 47];

const backs: Readonly<Record<Hue, readonly number[]>> = {
  red: [97, 41],
  yellow: [30, 103],
  green: [30, 102],
  cyan: [30, 106],
  blue: [97, 44],
  magenta: [97, 45],
};

/** Null for a gray: what has less than a quarter of its largest channel as colour. */
function hueOf(color: string): { readonly hue: Hue | null; readonly top: number } {
  const [red, green, blue] = channelsOf(color);
  const top = Math.max(red, green, blue);
  const spread = top - Math.min(red, green, blue);
  if (top === 0 || spread / top < 0.27) return { hue: null, top };
  const sixths =
    top === red
      ? (green - blue) / spread
      : top === green
        ? 2 + (blue - red) / spread
        : 4 + (red - green) / spread;
  const degrees = (sixths * 60 + 360) % 360;
  return { hue: hues.find(([, until]) => degrees <= until)?.[0] ?? 'red', top };
}

/** Red, green and blue of `#rrggbb`, 0 to 255. */
export function channelsOf(color: string): readonly [red: number, green: number, blue: number] {
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** Up to which angle of the colour circle. */
const hues: readonly (readonly [Hue, number])[] = [
  ['red', 15],
  ['yellow', 60],
  ['green', 165],
  ['cyan', 200],
  ['blue', 255],
  ['magenta', 330],
];
