import type { EngineId } from '../engines/ids.js';
import type { EngineProfile } from '../engines/profile.js';
import { engineProfiles } from '../engines/registry.js';
import { timeBox } from '../runtime/time-box.js';
import { findConfig } from '../store/find-config.js';
import { noSuch } from './no-such.js';

export interface EngineOptions {
  /** Name of an engine as it was typed. */
  readonly engine?: string;
  /** Path of a config file as it was typed. */
  readonly config?: string;
}

/** The engines that are known here, and which of them it is to be; null leaves that to the log. */
export interface Engines {
  readonly engine: EngineId | null;
  readonly profiles: readonly EngineProfile[];
}

/** The built-in engines with the rules of the user's config, and the engine named on the command line among them. */
export async function loadEngines(options: EngineOptions): Promise<Engines> {
  const path = findConfig(options.config ?? null, '', process.env);
  const profiles = path === null ? engineProfiles : await withUserRules(path);
  return { profiles, engine: options.engine === undefined ? null : engineNamed(options.engine, profiles).id };
}

/** The engine `name`; a wrong name is answered with those there are. */
export function engineNamed(name: string, profiles: readonly EngineProfile[]): EngineProfile {
  const found = profiles.find(({ id }) => id === name);
  if (found) return found;
  const names = profiles.map(({ id }) => id);
  throw noSuch('engine', name, names, {
    hint: `Engines: ${names.join(', ')}. Further ones come from engines: in the config.`,
  });
}

/** The parser of YAML and the schema take their time to load, so only a config file brings them in. */
async function withUserRules(path: string): Promise<readonly EngineProfile[]> {
  const [{ readConfig }, { applyUserRules }] = await Promise.all([
    import('../store/config-file.js'),
    import('../engines/user-rules.js'),
  ]);
  const config = await readConfig(path);
  if (config.data.engines == null) return engineProfiles;
  const { profiles, problems } = applyUserRules(config.data.engines, engineProfiles, timeBox);
  if (problems.length === 0) return profiles;
  throw config.error(problems.map((problem) => ({ ...problem, path: ['engines', ...problem.path] })));
}
