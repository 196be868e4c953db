import type { z } from 'zod';
import { issueText, keysAt, valueAt } from './issue-words.js';
import { type Raw, shortNames, writtenKeys, writtenPath } from './rule-forms.js';

/** Something wrong in a config: where, and what, as the end of a sentence whose subject is that place. */
export interface RuleProblem {
  readonly path: readonly (string | number)[];
  readonly text: string;
  /** A name that is not known there, and those that are: for a suggestion. */
  readonly unknown?: { readonly name: string; readonly allowed: readonly string[]; readonly isKey: boolean };
}

/** What zod says of `schema`'s engine, in the words and at the places of the config that it was `written` as. */
export function problemsOf(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  written: Raw,
): readonly RuleProblem[] {
  return issues.flatMap((issue) => problemOf(issue, schema, written));
}

function problemOf(issue: z.core.$ZodIssue, schema: z.ZodType, written: Raw): readonly RuleProblem[] {
  const path = writtenPath(written, issue.path);
  const missing = nameMissing(issue, path);
  if (issue.code === 'unrecognized_keys') {
    const allowed = writtenKeys(
      String(issue.path[0] ?? ''),
      keysAt(schema, issue.path),
      issue.path.length >= 2,
    );
    return issue.keys.map((name) => ({ path, text: '', unknown: { name, allowed, isKey: true } }));
  }
  if (missing !== null) return [{ path, text: `lacks ${missing}` }];
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    const said = valueAt(written, path);
    return [{ path, text: '', unknown: { name: String(said), allowed, isKey: false } }];
  }
  return [{ path, text: issueText(issue) }];
}

/** The key that is not there, where the issue is that. */
function nameMissing(issue: z.core.$ZodIssue, path: readonly (string | number)[]): string | null {
  if (issue.code !== 'invalid_type' && issue.code !== 'invalid_value') return null;
  const last = issue.path.at(-1);
  if (typeof last !== 'string' || path.length === 0) return null;
  const name = shortNames[last] ?? last;
  return path.at(-1) === last || path.at(-1) === name ? null : name;
}
