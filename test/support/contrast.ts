/**
 * Contrast of what a style's escape sequence makes of a text (WCAG 2.1, 1 to 21) on `ground` (`#rrggbb`). The sixteen
 * colours are what the terminal makes of them: the worst of three palettes (xterm, VGA, Tango) counts. A dim text is
 * taken as half way to its ground.
 */
export function contrast(sequence: string, ground: string): number {
  return Math.min(...palettes.map((palette) => contrastIn(palette, sequence, ground)));
}

const palettes: readonly (readonly string[])[] = [
  '#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 #7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff',
  '#000000 #aa0000 #00aa00 #aa5500 #0000aa #aa00aa #00aaaa #aaaaaa #555555 #ff5555 #55ff55 #ffff55 #5555ff #ff55ff #55ffff #ffffff',
  '#2e3436 #cc0000 #4e9a06 #c4a000 #3465a4 #75507b #06989a #d3d7cf #555753 #ef2929 #8ae234 #fce94f #729fcf #ad7fa8 #34e2e2 #eeeeec',
].map((palette) => palette.split(' '));

type Rgb = readonly number[];

function contrastIn(palette: readonly string[], sequence: string, ground: string): number {
  const own = palette[lightOf(rgb(ground)) < 0.2 ? 15 : 0] ?? '';
  let [front, back] = [rgb(own), rgb(ground)];
  let [isDim, isInverse] = [false, false];
  const codes = (/^\u001B\[([\d;]*)m$/.exec(sequence)?.[1] ?? '').split(';').map(Number);
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 2) isDim = true;
    else if (code === 7) isInverse = true;
    else if (code === 38 || code === 48) {
      const color = codes.slice(at + 2, at + 5);
      if (code === 38) front = color;
      else back = color;
      at += 4;
    } else if ((code >= 30 && code < 38) || (code >= 90 && code < 98)) front = basic(palette, code, 30);
    else if ((code >= 40 && code < 48) || (code >= 100 && code < 108)) back = basic(palette, code, 40);
  }
  if (isInverse) [front, back] = [back, front];
  return ratio(isDim ? front.map((value, at) => (value + (back[at] ?? 0)) / 2) : front, back);
}

const basic = (palette: readonly string[], code: number, from: number): Rgb =>
  rgb(palette[code >= from + 60 ? code - from - 52 : code - from] ?? '#000000');

const rgb = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

function ratio(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [lightOf(one), lightOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance of sRGB. */
function lightOf(channels: Rgb): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
