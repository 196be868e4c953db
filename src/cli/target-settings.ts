import { displayArgv } from '../core/launch-spec.js';
import { redact, redactEnv } from '../ingest/redact.js';
import type { BeforeStep, EnvValue } from '../store/config-schema.js';
import type { Given, Target } from './resolve-target.js';

/** One value that holds for a target, secrets redacted, and where it comes from. */
export interface Setting {
  /** As in the config: `port`, `env.HF_HOME`, `ssh.identity`. */
  readonly key: string;
  readonly value: string;
  readonly from: Origin;
}

export type Origin =
  | { readonly kind: 'flag' }
  | { readonly kind: 'file'; readonly file: string; readonly line: number; readonly defaults: boolean }
  /** What firedup does where nobody says anything. */
  | { readonly kind: 'default' };

/** Every value that a command on `target` would use, in the order of the docs. */
export function settingsOf(
  target: Target,
  options: Readonly<Record<string, unknown>>,
  given: Given,
): readonly Setting[] {
  const settings: Setting[] = [];
  const flag = (key: string, option: string): boolean => {
    if (!given.has(option)) return false;
    const value = options[option];
    settings.push({
      key,
      value: redact(Array.isArray(value) ? value.join(', ') : String(value)),
      from: { kind: 'flag' },
    });
    return true;
  };
  for (const { path, option, otherwise, text } of rows) {
    const key = path.join('.');
    if (option !== undefined && flag(key, option)) continue;
    const value = path.reduce<unknown>((at, name) => (at as Raw | undefined)?.[name], target.settings);
    if (value !== undefined) {
      settings.push({ key, value: (text ?? shown)(value as never), from: originOf(target, path) });
    } else if (otherwise !== undefined) {
      const word = typeof otherwise === 'string' ? otherwise : otherwise(target);
      if (word !== null) settings.push({ key, value: word, from: { kind: 'default' } });
    }
    if (key === 'shell') settings.push(...environment(target, options, given));
  }
  return settings;
}

type Raw = Readonly<Record<string, unknown>>;

interface SettingRow {
  readonly path: readonly string[];
  /** The command line's option of the same meaning, as commander names it. */
  readonly option?: string;
  readonly otherwise?: string | ((target: Target) => string | null);
  readonly text?: (value: never) => string;
}

const shown = (value: unknown): string => redact(String(value));

const rows: readonly SettingRow[] = [
  { path: ['host'] },
  {
    path: ['name'],
    option: 'name',
    otherwise: ({ name, settings }) => (settings.command === undefined ? null : name),
  },
  {
    path: ['command'],
    text: (value: string | readonly string[]) =>
      typeof value === 'string' ? redact(value.trimEnd()) : displayArgv(value),
  },
  { path: ['shell'], option: 'shell' },
  { path: ['cwd'], option: 'cwd', otherwise: '~' },
  {
    path: ['log'],
    option: 'log',
    otherwise: ({ settings }) => (settings.command === undefined ? null : "in the attempt's folder"),
  },
  { path: ['port'], option: 'port' },
  { path: ['engine'], option: 'engine', otherwise: 'found out' },
  {
    path: ['before'],
    option: 'before',
    text: (steps: readonly BeforeStep[]) => steps.map(stepText).join('\n'),
  },
  { path: ['timeout'], option: 'timeout', otherwise: '30m' },
  { path: ['grace'], option: 'grace', otherwise: '10s' },
  { path: ['container'], option: 'container' },
  { path: ['read-only'], option: 'readOnly', otherwise: 'false' },
  { path: ['ssh', 'config'], option: 'F' },
  { path: ['ssh', 'identity'], option: 'i' },
  { path: ['ssh', 'port'], option: 'p' },
  { path: ['ssh', 'jump'], option: 'J' },
  { path: ['ssh', 'transport'], option: 'transport' },
  { path: ['ssh', 'accept-new'], option: 'acceptNew' },
];

const stepText = (step: BeforeStep): string =>
  redact(
    (typeof step === 'string'
      ? step
      : step.script === undefined
        ? (step.run ?? '')
        : `script ${step.script}`
    ).trimEnd(),
  );

function environment(target: Target, options: Raw, given: Given): readonly Setting[] {
  const words = given.has('env') && Array.isArray(options.env) ? options.env.map(String) : [];
  const typed = new Map(words.map((word) => [word.split('=')[0] ?? '', word.slice(word.indexOf('=') + 1)]));
  const ofConfig = Object.entries(target.settings.env ?? {})
    .filter(([name]) => !typed.has(name))
    .map(([name, value]) => ({
      key: `env.${name}`,
      value: valueText(name, value),
      from: originOf(target, ['env', name]),
    }));
  const ofFlags = [...typed].map(([name, value]) => ({
    key: `env.${name}`,
    value: valueText(name, value),
    from: { kind: 'flag' } as const,
  }));
  return [...ofConfig, ...ofFlags];
}

/** Where a secret comes from is no secret. */
function valueText(name: string, value: EnvValue): string {
  if (typeof value === 'string') return redactEnv({ [name]: value })[name] ?? '';
  return value.file === undefined ? `from the variable ${value['from-env']}` : `from the file ${value.file}`;
}

function originOf({ config, name }: Target, path: readonly string[]): Origin {
  const written = ['targets', name, ...path].reduce<unknown>(
    (at, key) => (at as Raw | null | undefined)?.[key],
    config.file.data,
  );
  const defaults = written === undefined;
  const place = defaults ? ['defaults', ...path] : ['targets', name, ...path];
  return { kind: 'file', file: config.file.path, line: config.file.lineOf(place), defaults };
}
