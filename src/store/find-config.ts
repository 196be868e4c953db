import { statSync } from 'node:fs';
import { join } from 'node:path';
import { configFolder, type PathEnvironment } from './paths.js';

/**
 * The config file that counts: `given` (`--config`), else `firedup.yaml` in `folder` (empty: the current one), else
 * `${XDG_CONFIG_HOME:-~/.config}/firedup/config.yaml`; null where there is none. Only one is read.
 */
export function findConfig(given: string | null, folder: string, env: PathEnvironment): string | null {
  if (given !== null) return given;
  const places = [join(folder, 'firedup.yaml'), join(configFolder(env), 'config.yaml')];
  return places.find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined) ?? null;
}
