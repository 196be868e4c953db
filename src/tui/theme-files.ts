import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeError, FiredupError } from '../errors.js';
import { parseTheme, type Theme } from './theme.js';

/**
 * The themes in `folder`, `default` first, the others by name. `schema.json` is none. A file that is no theme
 * is a usage error that names the file and the place.
 */
export function loadThemes(folder: string): readonly Theme[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'schema.json');
  const themes = files.map((file) => readTheme(join(folder, file)));
  return themes.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}

function readTheme(path: string): Theme {
  try {
    return parseTheme(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new FiredupError('theme', `${path} is no theme: ${describeError(cause)}`, {
      exitCode: 2,
      hint: 'themes/schema.json says what a theme holds.',
      cause,
    });
  }
}

const rank = (theme: Theme): number => (theme.name === 'default' ? 0 : 1);
