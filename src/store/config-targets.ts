import type { ConfigFile, ConfigProblem } from './config-file.js';
import { problemsIn } from './config-issues.js';
import { configSchema, type TargetData } from './config-schema.js';

/** A target of the config: a host, and what is launched or looked for there. */
export interface TargetSettings extends TargetData {
  readonly host: string;
}

/** How the screen is to look and behave; absent is what it does by itself. */
export interface ScreenSettings {
  readonly theme?: string;
  /** Whether a verdict rings the terminal's bell. */
  readonly bell?: boolean;
  /** Whether the terminal's title tells state and percent. */
  readonly title?: boolean;
}

/** What a config says besides `engines`, or all that is wrong with that. */
export interface ConfigTargets {
  readonly screen: ScreenSettings;
  /** In the order of the file; what `defaults` says is in them. */
  readonly targets: ReadonlyMap<string, TargetSettings>;
  readonly problems: readonly ConfigProblem[];
}

/** Checks the targets of a config and puts its defaults into them. */
export function readTargets({ data }: Pick<ConfigFile, 'data'>): ConfigTargets {
  const { engines: _engines, ...rest } = data;
  const written = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== null));
  const checked = configSchema.safeParse(written);
  const homeless = withoutHost(written);
  const targets = new Map<string, TargetSettings>();
  if (!checked.success) {
    const problems = problemsIn(checked.error.issues, configSchema, written);
    return { screen: {}, targets, problems: [...problems, ...homeless] };
  }
  const { theme, bell, title, defaults = {} } = checked.data;
  for (const [name, target] of Object.entries(checked.data.targets ?? {})) {
    const settings = {
      ...defaults,
      ...target,
      ...(defaults.env || target.env ? { env: { ...defaults.env, ...target.env } } : {}),
      ...(defaults.ssh || target.ssh ? { ssh: { ...defaults.ssh, ...target.ssh } } : {}),
    };
    const { host } = settings;
    if (host !== undefined) targets.set(name, { ...settings, host });
  }
  const screen = {
    ...(theme === undefined ? {} : { theme }),
    ...(bell === undefined ? {} : { bell }),
    ...(title === undefined ? {} : { title }),
  };
  return { screen, targets, problems: homeless };
}

/** What is written under each target, right or wrong; those that are no maps are left out. */
export function writtenTargets(
  data: Readonly<Record<string, unknown>>,
): readonly (readonly [name: string, target: Readonly<Record<string, unknown>>])[] {
  const { targets } = data;
  return isMap(targets)
    ? Object.entries(targets).flatMap(([name, at]) => (isMap(at) ? [[name, at]] : []))
    : [];
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function withoutHost(data: Readonly<Record<string, unknown>>): readonly ConfigProblem[] {
  if (isMap(data.defaults) && data.defaults.host !== undefined) return [];
  return writtenTargets(data)
    .filter(([, { host }]) => host === undefined)
    .map(([name]) => ({ path: ['targets', name], text: 'lacks host' }));
}
