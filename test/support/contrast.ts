/**
 * Contrast of a theme's style (WCAG 2.1, 1 to 21). The sixteen colours are what the terminal makes of them: the worst
 * of three palettes (xterm, VGA, Tango) counts. A dim text is taken as half way to its ground.
 */
export function contrast(style: string, ground: string): number {
  const words = style.split(' ').filter(Boolean);
  const on = words.indexOf('on');
  const front = words.slice(0, on < 0 ? undefined : on).find((word) => !attributes.has(word));
  const back = on < 0 ? undefined : words[on + 1];
  return Math.min(
    ...palettes.map((palette) => {
      const own = luminance(ground) < 0.2 ? palette[15] : palette[0];
      const [text, under] = [rgb(front ?? own ?? '', palette), rgb(back ?? ground, palette)];
      return ratio(
        words.includes('dim') ? text.map((value, at) => (value + (under[at] ?? 0)) / 2) : text,
        under,
      );
    }),
  );
}

const attributes: ReadonlySet<string> = new Set(['bold', 'dim', 'italic', 'underline', 'inverse']);

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const palettes: readonly (readonly string[])[] = [
  '#000000 #cd0000 #00cd00 #cdcd00 #0000ee #cd00cd #00cdcd #e5e5e5 #7f7f7f #ff0000 #00ff00 #ffff00 #5c5cff #ff00ff #00ffff #ffffff',
  '#000000 #aa0000 #00aa00 #aa5500 #0000aa #aa00aa #00aaaa #aaaaaa #555555 #ff5555 #55ff55 #ffff55 #5555ff #ff55ff #55ffff #ffffff',
  '#2e3436 #cc0000 #4e9a06 #c4a000 #3465a4 #75507b #06989a #d3d7cf #555753 #ef2929 #8ae234 #fce94f #729fcf #ad7fa8 #34e2e2 #eeeeec',
].map((palette) => palette.split(' '));

function rgb(word: string, palette: readonly string[]): readonly number[] {
  const index = names.indexOf(word.replace('bright-', '')) + (word.startsWith('bright-') ? 8 : 0);
  const hex = word.startsWith('#') ? word : (palette[index] ?? '#000000');
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function ratio(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [lightOf(one), lightOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const luminance = (hex: string): number => lightOf(rgb(hex, []));

/** Relative luminance of sRGB. */
function lightOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
