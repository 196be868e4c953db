import { type TimeBox, unlimited } from '../time-box.js';
import type { UserEngineId } from './ids.js';
import type { EngineProfile } from './profile.js';
import { fullForm, isRaw, type Raw, ruleSections } from './rule-forms.js';
import { engineParts, enginePatchSchema } from './schema.js';
import { problemsOf, type RuleProblem } from './schema-problems.js';

export type { RuleProblem } from './schema-problems.js';

/** The engines with the user's rules in them, or everything that is wrong with these. */
export interface UserRules {
  readonly profiles: readonly EngineProfile[];
  readonly problems: readonly RuleProblem[];
}

/**
 * Puts the `engines:` of a config into `builtIn`. Rules of the user stand before the built-in ones of their section,
 * so that they win; `off` takes built-in ones away; an unknown name is a new engine. Their patterns are tried in
 * `timeBox`. Paths begin below `engines`.
 */
export function applyUserRules(
  engines: unknown,
  builtIn: readonly EngineProfile[],
  timeBox: TimeBox = unlimited,
): UserRules {
  if (!isRaw(engines))
    return { profiles: builtIn, problems: [{ path: [], text: 'must be a map of engines, such as sglang' }] };
  const profiles = [...builtIn];
  const problems: RuleProblem[] = [];
  for (const [name, written] of Object.entries(engines)) {
    const here = (problem: RuleProblem): RuleProblem => ({ ...problem, path: [name, ...problem.path] });
    const index = profiles.findIndex(({ id }) => id === name);
    const known = profiles[index];
    const result = isRaw(written)
      ? known === undefined
        ? addEngine(name, written, builtIn, timeBox)
        : changeEngine(known, written, timeBox)
      : { problems: [{ path: [], text: 'must be a map of its sections, such as failures' }] };
    problems.push(...result.problems.map(here));
    if (!result.profile) continue;
    if (index < 0) profiles.push(result.profile);
    else profiles[index] = result.profile;
  }
  return { profiles, problems };
}

interface Result {
  readonly profile?: EngineProfile;
  readonly problems: readonly RuleProblem[];
}

const wrong = (problem: RuleProblem): Result => ({ problems: [problem] });

function addEngine(name: string, written: Raw, builtIn: readonly EngineProfile[], timeBox: TimeBox): Result {
  const names = builtIn.map(({ id }) => id);
  if (!/^[a-z][a-z0-9._-]{0,31}$/.test(name) || name === 'unknown')
    return wrong({ path: [], text: 'is no name for an engine: small letters, digits, dots and dashes' });
  if (!('detect' in written)) {
    return wrong({
      path: [],
      text: 'is no built-in engine, and a new one needs detect: the lines by which it is known',
      unknown: { name, allowed: names, isKey: false },
    });
  }
  const { extends: wanted = 'python', ...rest } = written;
  const base = builtIn.find(({ id }) => id === wanted);
  if (base === undefined)
    return wrong({
      path: ['extends'],
      text: '',
      unknown: { name: String(wanted), allowed: names, isKey: false },
    });
  const id = name as UserEngineId;
  return changeEngine({ ...base, id, title: name, detect: [] }, rest, timeBox);
}

function changeEngine(base: EngineProfile, written: Raw, timeBox: TimeBox): Result {
  const { off, ...sections } = written;
  if ('id' in sections) return wrong({ path: ['id'], text: 'is given by the key above it' });
  const full = Object.fromEntries(
    Object.entries(sections).map(([section, value]) => [section, fullForm(section, value, base)]),
  );
  const checked = enginePatchSchema(timeBox).safeParse(full);
  const { kept, problems } = withoutOff(base, off);
  if (!checked.success)
    return { problems: [...problemsOf(checked.error.issues, engineParts, written), ...problems] };
  // zod writes optional keys as possibly undefined; a test holds schema and type together.
  const profile = merge(kept, checked.data as unknown as Partial<EngineProfile>);
  return { profile: { ...profile, own: { sources: new Set(sourcesIn(checked.data)), timeBox } }, problems };
}

/** All that may be a pattern in what the user wrote. */
function* sourcesIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* sourcesIn(part);
}

function merge(base: EngineProfile, patch: Partial<EngineProfile>): EngineProfile {
  const lists = ruleSections.map((section) => {
    const key = section as 'death';
    const own = patch[key] ?? [];
    // Prefixes stand in the order of their use: the engine's first is looked for behind progress bars too.
    return [section, section === 'prefixes' ? [...base[key], ...own] : [...own, ...base[key]]];
  });
  return {
    ...base,
    ...patch,
    ...Object.fromEntries(lists),
    checklist: mergeChecklist(base.checklist, patch.checklist ?? []),
    argKeys: { ...base.argKeys, ...patch.argKeys },
  };
}

/** Phases that are there already change in their place; new ones come before the last, which is `ready`. */
function mergeChecklist(
  base: EngineProfile['checklist'],
  patch: EngineProfile['checklist'],
): EngineProfile['checklist'] {
  const isSame = (a: EngineProfile['checklist'][number]) => (b: EngineProfile['checklist'][number]) =>
    a.id === b.id && a.model === b.model;
  const changed = base.map((plan) => patch.find(isSame(plan)) ?? plan);
  const added = patch.filter((plan) => !base.some(isSame(plan)));
  return [...changed.slice(0, -1), ...added, ...changed.slice(-1)];
}

/** `off` names built-in rules by their pattern, failures also by their category or the id of a remedy. */
function withoutOff(base: EngineProfile, off: unknown): { kept: EngineProfile; problems: RuleProblem[] } {
  if (off === undefined) return { kept: base, problems: [] };
  if (!Array.isArray(off))
    return { kept: base, problems: [{ path: ['off'], text: 'must be a list of rules' }] };
  const problems: RuleProblem[] = [];
  const allowed = base.failures.map(({ category }) => category);
  off.forEach((name: unknown, index) => {
    if (sectionsOf(base).some(([, rules]) => rules.some((rule) => isNamed(rule, name)))) return;
    problems.push({
      path: ['off', index],
      text: 'is no rule of this engine; it takes a pattern or a category as firedup engines show prints them',
      unknown: { name: String(name), allowed: [...new Set(allowed)], isKey: false },
    });
  });
  const kept = sectionsOf(base).map(([section, rules]) => [
    section,
    rules.filter((rule) => !off.some((name: unknown) => isNamed(rule, name))),
  ]);
  return { kept: { ...base, ...Object.fromEntries(kept) }, problems };
}

interface NamedRule {
  readonly pattern: string;
  readonly category?: string;
  readonly remedies?: readonly { readonly id: string }[];
}

function sectionsOf(profile: EngineProfile): readonly (readonly [string, readonly NamedRule[]])[] {
  return ruleSections.map((section) => [section, profile[section as 'failures']]);
}

const isNamed = ({ pattern, category, remedies }: NamedRule, name: unknown): boolean =>
  pattern === name || category === name || (remedies?.some(({ id }) => id === name) ?? false);
