import { usageError } from '../errors.js';
import { packageFile } from '../package-file.js';
import { type Glyphs, glyphsFor } from '../tui/glyphs.js';
import { type ColorDepth, colorDepthFor, type Theme } from '../tui/theme.js';
import { loadThemes } from '../tui/theme-files.js';

/** Themes (the one that is `wanted` first), colours and marks for this terminal: what its environment allows. */
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
    all.findIndex(({ name }) => name === wanted),
  );
  const [first, ...others] = [...all.slice(at), ...all.slice(0, at)];
  if (!first) throw usageError('There is no theme in the themes folder.', 'Install firedup again.');
  return { themes: [first, ...others], depth: colorDepthFor(env), glyphs: glyphsFor(env) };
}
