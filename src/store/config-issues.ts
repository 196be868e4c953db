import type { z } from 'zod';
import { issueText, keysAt, valueAt } from '../engines/issue-words.js';
import type { ConfigProblem } from './config-file.js';

/** What zod says of `data`, checked by `schema`, at the places of the config. */
export function problemsIn(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  data: unknown,
): readonly ConfigProblem[] {
  return withoutEchoes(issues).flatMap((issue) => problemOf(issue, [], schema, data));
}

/** A misspelt key is the one thing to say of its map: what else is wrong there follows from it. */
function withoutEchoes(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const place = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path);
  const misspelt = new Set(issues.filter(({ code }) => code === 'unrecognized_keys').map(place));
  return issues.filter((issue) => issue.code !== 'custom' || !misspelt.has(place(issue)));
}

function problemOf(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
  schema: z.ZodType,
  data: unknown,
): readonly ConfigProblem[] {
  const path = [...above, ...issue.path];
  const place = path.map((key) => (typeof key === 'number' ? key : String(key)));
  const found = valueAt(data, path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const allowed = keysAt(schema, path);
      return issue.keys.map((name) => ({ path: place, text: '', unknown: { name, allowed, isKey: true } }));
    }
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      return [{ path: place, text: '', unknown: { name: String(found), allowed, isKey: false } }];
    }
    case 'invalid_key':
      return [{ path: place, isKey: true, text: issue.issues.map(issueText).join(', ') }];
    case 'invalid_union': {
      const meant = issue.errors.filter((errors) => !errors.some(isOfAnotherKind));
      const [only] = meant;
      if (only === undefined || meant.length > 1 || found === null)
        return [{ path: place, text: issue.message }];
      return withoutEchoes(only).flatMap((inner) => problemOf(inner, path, schema, data));
    }
    case 'invalid_type':
      return [{ path: place, text: found === null ? 'is empty' : issueText(issue) }];
    default:
      return [{ path: place, text: issueText(issue) }];
  }
}

const isOfAnotherKind = ({ code, path }: z.core.$ZodIssue): boolean =>
  code === 'invalid_type' && path.length === 0;
