import type { EngineProfile } from './profile.js';

/** Data as a config file has it. */
export type Raw = Readonly<Record<string, unknown>>;

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands in a rule unless it says otherwise, by section; `samples` is empty in all that have some. */
const defaults: Readonly<Record<string, Raw>> = {
  detect: { weight: 200 },
  prefixes: { repeats: false, depth: 0 },
  phases: { event: 'begin' },
  progress: { unit: '', begins: true },
  runStart: {},
  args: {},
  version: {},
  port: {},
  ready: {},
  death: {},
  ended: {},
  stopped: {},
  hang: { times: 1 },
  benign: {},
  consequences: {},
  hints: {},
  failures: { on: 'both' },
  frames: {},
};

/** The sections that are lists of rules. */
export const ruleSections: readonly string[] = Object.keys(defaults);

/**
 * One section of a config in the full form of the profiles: `when` is the pattern and `sample` one sample; a rule
 * that is only a text is its pattern; a failure may carry its one remedy itself. What is wrong stays wrong, at the
 * same index, for the schema to say. `base` is the engine that is added to.
 */
export function fullForm(section: string, value: unknown, base: EngineProfile): unknown {
  if (section === 'checklist')
    return Array.isArray(value) ? value.map((plan) => fullPlan(plan, base)) : value;
  const given = defaults[section];
  if (given === undefined || !Array.isArray(value)) return value;
  return value.map((rule: unknown) => {
    const full = fullRule(section, rule, given);
    return section === 'failures' ? fullFailure(full) : section === 'phases' ? withModel(full, base) : full;
  });
}

function fullRule(section: string, rule: unknown, given: Raw): unknown {
  if (typeof rule === 'string') return fullRule(section, { when: rule }, given);
  if (!isRaw(rule)) return rule;
  const { when, sample, ...rest } = rule;
  return {
    ...given,
    ...(section === 'frames' ? {} : { samples: sample === undefined ? [] : [sample] }),
    ...(when === undefined ? {} : { pattern: when }),
    ...rest,
  };
}

const remedyKeys: readonly string[] = ['title', 'why', 'change', 'url', 'compute'];

function fullFailure(rule: unknown): unknown {
  if (!isRaw(rule)) return rule;
  const { id, ...rest } = rule;
  const named = id === undefined ? rest : { category: id, ...rest };
  if ('remedies' in rule) return named;
  const remedy = Object.fromEntries(Object.entries(rest).filter(([key]) => remedyKeys.includes(key)));
  const failure = Object.fromEntries(Object.entries(named).filter(([key]) => !remedyKeys.includes(key)));
  return { ...failure, remedies: Object.keys(remedy).length === 0 ? [] : [{ id, ...remedy }] };
}

/** A phase belongs to a model where the engine's checklist says so. */
function withModel(rule: unknown, base: EngineProfile): unknown {
  if (!isRaw(rule) || 'model' in rule) return rule;
  const plan = base.checklist.find(({ id, model }) => id === rule.phase && model !== 'draft');
  return { ...rule, model: plan?.model ?? null };
}

/** A phase that the engine has already keeps what is not said of it. */
function fullPlan(plan: unknown, base: EngineProfile): unknown {
  if (!isRaw(plan)) return plan;
  const same = base.checklist.find(({ id, model }) => id === plan.id && isModel(plan.model, model));
  return same === undefined ? { model: null, quietLimitMs: 300_000, ...plan } : { ...same, ...plan };
}

const isModel = (said: unknown, model: unknown): boolean =>
  said === undefined ? model !== 'draft' : said === model;

/**
 * Where in the config a place of the full form stands: the way back from `fullForm`. `raw` is the engine as it was
 * written; the path may end above where the config does not have the rest.
 */
export function writtenPath(raw: unknown, path: readonly PropertyKey[]): readonly (string | number)[] {
  const written: (string | number)[] = [];
  let at: unknown = raw;
  for (let i = 0; i < path.length; i += 1) {
    let key = path[i];
    if (typeof key === 'symbol' || key === undefined) break;
    if (isRaw(at) && key === 'remedies' && !('remedies' in at)) {
      i += 1;
      continue;
    }
    if (isRaw(at) && !(key in at)) key = shortNames[key] ?? key;
    if (Array.isArray(at) ? at[Number(key)] === undefined : !isRaw(at) || !(key in at)) break;
    written.push(key);
    at = Array.isArray(at) ? at[Number(key)] : (at as Raw)[key];
  }
  return written;
}

/** The names of a config for those of the full form. */
export const shortNames: Readonly<Record<PropertyKey, string>> = {
  pattern: 'when',
  samples: 'sample',
  category: 'id',
};

/** The keys that a part with `keys` may have in a config. */
export function writtenKeys(section: string, keys: readonly string[], isRule: boolean): readonly string[] {
  if (!isRule) return keys;
  const names = keys.map((key) => (key === 'pattern' ? 'when' : key === 'samples' ? 'sample' : key));
  return section === 'failures'
    ? ['id', 'when', ...remedyKeys, ...names.filter((key) => key !== 'when')]
    : names;
}
