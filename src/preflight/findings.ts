import type { Finding } from './finding.js';
import type { Rule, Sight } from './rule.js';
import { gpuRules } from './rules/gpus.js';
import { limitRules } from './rules/limits.js';
import { modelRules } from './rules/models.js';
import { placeRules } from './rules/place.js';
import { portRules } from './rules/port.js';
import { speculationRules } from './rules/speculation.js';

/** Every look before a launch, in the order in which it is shown. */
export const launchRules: readonly Rule[] = [
  ...placeRules,
  ...portRules,
  ...gpuRules,
  ...modelRules,
  ...speculationRules,
  ...limitRules,
];

/** What the rules make of what is known. */
export function findingsOf(sight: Sight, rules: readonly Rule[] = launchRules): readonly Finding[] {
  return rules.flatMap(({ id, check }) => {
    const drafts = check(sight) ?? [];
    return [drafts].flat().map(({ level, subject, text, remedy, change }) => ({
      id,
      level,
      subject,
      text,
      remedy: remedy === undefined ? null : { text: remedy, change: change ?? null },
    }));
  });
}
