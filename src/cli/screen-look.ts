import { usageError } from '../errors.js';
import { packageFile } from '../package-file.js';
import { type Glyphs, glyphsFor } from '../tui/glyphs.js';
import { type ColorDepth, colorDepthFor, type Theme } from '../tui/theme.js';
import { loadThemes } from '../tui/theme-files.js';

/** Themes, colours and marks for this terminal: what its environment allows. */
export function screenLook(env: NodeJS.ProcessEnv): {
  readonly themes: readonly [Theme, ...Theme[]];
  readonly depth: ColorDepth;
  readonly glyphs: Glyphs;
} {
  const [first, ...others] = loadThemes(packageFile('themes'));
  if (!first) throw usageError('There is no theme in the themes folder.', 'Install firedup again.');
  return { themes: [first, ...others], depth: colorDepthFor(env), glyphs: glyphsFor(env) };
}
