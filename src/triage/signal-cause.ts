import { describe, type Found, ORPHAN, orphan, ruleFor } from './cause.js';
import type { Evidence, Suspect } from './evidence.js';
import type { Rules } from './rules.js';

/** The shell's word for the signal that ended the run, for a log that names no cause: why it came stands elsewhere. */
export function findSignal({ ended }: Evidence, rules: Rules): Found | null {
  if (ended === null) return null;
  const suspect: Suspect = { ...orphan, ...ended, text: ended.line };
  const rule = ruleFor(suspect, rules, 'exception');
  if (rule === null) return null;
  return { suspect, rule, cause: describe(suspect, rule, rules, ORPHAN) };
}
