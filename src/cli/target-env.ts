import type { ConfigProblem } from '../store/config-file.js';
import type { TargetSettings } from '../store/config-targets.js';
import { type EnvValues, readEnvValues } from '../store/env-values.js';
import type { Config } from './load-config.js';

/** The variables of a target as they are here and now; the problems have their places in the config. */
export async function readTargetEnv(
  name: string,
  settings: TargetSettings,
  { file, folder }: Pick<Config, 'file' | 'folder'>,
): Promise<EnvValues> {
  const { env, problems } = await readEnvValues(settings.env ?? {}, folder, process.env);
  const data = file.data as { readonly targets?: Readonly<Record<string, { env?: object }>> };
  const placed = problems.map((problem): ConfigProblem => {
    const isOwn = Object.hasOwn(data.targets?.[name]?.env ?? {}, problem.path[0] ?? '');
    return { ...problem, path: [...(isOwn ? ['targets', name] : ['defaults']), 'env', ...problem.path] };
  });
  return { env, problems: placed };
}

/** What of a right config cannot be had here and now: a launch would refuse. Each once, with its place. */
export async function missingValues({ file, folder, targets }: Config): Promise<readonly string[]> {
  const found = await Promise.all(
    [...targets].map(async ([name, settings]) => readTargetEnv(name, settings, { file, folder })),
  );
  return [...new Set(file.say(found.flatMap(({ problems }) => problems)))];
}
