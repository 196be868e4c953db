import type { EngineProfile, LineRule } from './profile.js';
import { ruleSections } from './rule-forms.js';

/** One rule of a profile with the section it stands in. */
export interface ListedRule {
  readonly section: string;
  readonly rule: LineRule;
}

/** Every rule of `profile`, in the order in which they are tried. Those of `frames` have no samples. */
export function listRules(profile: EngineProfile): readonly ListedRule[] {
  return ruleSections.flatMap((section) =>
    profile[section as 'death'].map((rule): ListedRule => ({ section, rule })),
  );
}

/** How a rule is called: a failure by its category, a phase by its name, anything else by its pattern. */
export function nameOfRule({ rule }: ListedRule): string {
  if ('category' in rule && typeof rule.category === 'string') return rule.category;
  if ('phase' in rule && typeof rule.phase === 'string') return rule.phase;
  return '';
}
