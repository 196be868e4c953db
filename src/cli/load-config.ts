import { dirname, resolve } from 'node:path';
import { engineProfiles } from '../engines/registry.js';
import { FiredupError } from '../errors.js';
import { parseHostLabel } from '../host/spec.js';
import { packageFile } from '../package-file.js';
import { timeBox } from '../runtime/time-box.js';
import type { ConfigFile, ConfigProblem } from '../store/config-file.js';
import type { ScreenSettings, TargetSettings } from '../store/config-targets.js';
import { findConfig } from '../store/find-config.js';

/** A config that was read and found to be right, but for its `engines`, which `load-engines.ts` reads. */
export interface Config {
  readonly file: ConfigFile;
  /** Of this machine's paths in it. */
  readonly folder: string;
  readonly screen: ScreenSettings;
  readonly targets: ReadonlyMap<string, TargetSettings>;
}

/** The config that counts; null where there is none. A usage error says what is wrong in it, and where. */
export async function loadConfig(given: string | undefined): Promise<Config | null> {
  const path = findConfig(given ?? null, '', process.env);
  if (path === null) return null;
  const { readConfig } = await import('../store/config-file.js');
  const file = await readConfig(path);
  const { config, problems } = await read(file);
  if (problems.length > 0) throw file.error(problems);
  return config;
}

/** Everything that is wrong in the config at `path`, with its places. */
export async function checkConfig(path: string): Promise<readonly string[]> {
  const [{ openConfig }, { applyUserRules }, { writtenTargets }] = await Promise.all([
    import('../store/config-file.js'),
    import('../engines/user-rules.js'),
    import('../store/config-targets.js'),
  ]);
  const file = await openConfig(path);
  const known = withoutUnknown(file);
  const { problems } = await read(known);
  const { engines = null } = file.data;
  const rules = engines === null ? null : applyUserRules(engines, engineProfiles, timeBox);
  const ofEngines = (rules?.problems ?? []).map((problem) => ({
    ...problem,
    path: ['engines', ...problem.path],
  }));
  const names = (rules?.profiles ?? engineProfiles).map(({ id }) => id);
  const ofTargets = writtenTargets(known.data).flatMap(([name, { engine }]) =>
    notOneOf(names, engine, ['targets', name, 'engine']),
  );
  return file.say([...file.unknownKeys, ...problems, ...ofEngines, ...ofTargets]);
}

function withoutUnknown(file: ConfigFile & { readonly unknownKeys: readonly ConfigProblem[] }): ConfigFile {
  const unknown = file.unknownKeys.map((problem) => problem.unknown?.name);
  const data = Object.fromEntries(Object.entries(file.data).filter(([key]) => !unknown.includes(key)));
  return { ...file, data };
}

async function read(
  file: ConfigFile,
): Promise<{ readonly config: Config; readonly problems: readonly ConfigProblem[] }> {
  const { readTargets, writtenTargets } = await import('../store/config-targets.js');
  const { screen, targets, problems } = readTargets(file);
  const config = { file, folder: dirname(resolve(file.path)), screen, targets };
  const hosts = [
    ...hostProblems(['defaults'], file.data.defaults),
    ...writtenTargets(file.data).flatMap(([name, target]) => hostProblems(['targets', name], target)),
  ];
  return { config, problems: [...problems, ...hosts, ...(await themeProblems(file.data.theme))] };
}

function hostProblems(above: readonly string[], target: unknown): readonly ConfigProblem[] {
  const { host } = (target ?? {}) as { readonly host?: unknown };
  if (typeof host !== 'string') return [];
  try {
    parseHostLabel(host);
    return [];
  } catch (error) {
    if (!(error instanceof FiredupError)) throw error;
    return [{ path: [...above, 'host'], text: `is wrong: ${error.message.replace(/\.$/, '')}` }];
  }
}

async function themeProblems(theme: unknown): Promise<readonly ConfigProblem[]> {
  if (typeof theme !== 'string') return [];
  const { loadThemes } = await import('../tui/theme-files.js');
  const allowed = loadThemes(packageFile('themes')).map(({ name }) => name);
  return notOneOf(allowed, theme, ['theme']);
}

function notOneOf(
  allowed: readonly string[],
  name: unknown,
  path: readonly string[],
): readonly ConfigProblem[] {
  if (typeof name !== 'string' || allowed.includes(name)) return [];
  return [{ path, text: '', unknown: { name, allowed, isKey: false } }];
}
