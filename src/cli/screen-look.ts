import { usageError } from '../errors.js';
import { packageFile } from '../package-file.js';
import { type Glyphs, glyphsFor } from '../tui/glyphs.js';
import { type ColorDepth, colorDepthFor, hasLightGround, type Theme } from '../tui/theme.js';
import { loadThemes } from '../tui/theme-files.js';

/** Themes (first the one that is `wanted`, else one for the terminal's ground), colours and marks for this terminal: what its environment allows. */
export function screenLook(
  env: NodeJS.ProcessEnv,
  wanted: string | null,
): {
  readonly themes: readonly [Theme, ...Theme[]];
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
} {
  const all = loadThemes(packageFile('themes'));
  const at = Math.max(
    0,
    all.findIndex(({ name }) => name === (wanted ?? (hasLightGround(env) ? 'light' : 'default'))),
  );
  const [first, ...others] = [...all.slice(at), ...all.slice(0, at)];
  if (!first) throw usageError('There is no theme in the themes folder.', 'Install firedup again.');
  return { themes: [first, ...others], depth: colorDepthFor(env), glyphs: glyphsFor(env) };
}
