import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { FiredupError } from '../errors.js';
import type { ConfigProblem } from './config-file.js';
import type { EnvValue } from './config-schema.js';
import type { PathEnvironment } from './paths.js';
import { readText } from './read-text.js';

/** The variables of a target with their values, and those that cannot be had. */
export interface EnvValues {
  readonly env: Readonly<Record<string, string>>;
  /** Paths begin below `env`. */
  readonly problems: readonly ConfigProblem[];
}

/** Reads what `from-env` and `file` refer to, here and now; one line end at the end of a file is not of the value. */
export async function readEnvValues(
  values: Readonly<Record<string, EnvValue>>,
  folder: string,
  env: PathEnvironment,
): Promise<EnvValues> {
  const found: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  for (const [name, value] of Object.entries(values)) {
    try {
      found[name] = await readValue(value, folder, env);
    } catch (error) {
      if (!(error instanceof FiredupError)) throw error;
      problems.push({ path: [name], text: error.message.replace(/\.$/, '') });
    }
  }
  return { env: found, problems };
}

async function readValue(value: EnvValue, folder: string, env: PathEnvironment): Promise<string> {
  if (typeof value === 'string') return value;
  if (value.file !== undefined) {
    const path = localPath(value.file, folder);
    const text = await readText(path);
    return text.replace(/\r?\n$/, '');
  }
  const name = value['from-env'] ?? '';
  const given = env[name];
  if (given === undefined) {
    throw new FiredupError('not-set', `is to come from the variable ${name}, which is not set here`, {
      exitCode: 2,
    });
  }
  return given;
}

/** A path of this machine as a config means it: `~/` is the home folder, anything relative is below `folder`. */
export function localPath(path: string, folder: string): string {
  return resolve(folder, path === '~' || path.startsWith('~/') ? `${homedir()}${path.slice(1)}` : path);
}
