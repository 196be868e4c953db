import { z } from 'zod';

/** What zod says of a value, as the end of a sentence whose subject is that value. */
export function issueText(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case 'invalid_format':
      return issue.format === 'url'
        ? 'must be a web address'
        : `must look like ${String(issue.pattern ?? issue.format)}`;
    case 'too_small':
      return issue.origin === 'string' ? 'must not be empty' : `must be at least ${String(issue.minimum)}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}`;
    default:
      return issue.message;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text (put it in quotes)',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
};

/** The keys that the map at `path` of `schema` may have; of all its forms where it has several. */
export function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  const ends = path.reduce<readonly unknown[]>(
    (schemas, key) => schemas.flatMap((at) => below(at, key)),
    forms(schema),
  );
  return ends.flatMap((at) => (at instanceof z.ZodObject ? Object.keys(at.shape) : []));
}

function below(schema: unknown, key: PropertyKey): readonly unknown[] {
  if (schema instanceof z.ZodObject) return forms(schema.shape[String(key)]);
  if (schema instanceof z.ZodArray) return forms(schema.element);
  return schema instanceof z.ZodRecord ? forms(schema.valueType) : [];
}

function forms(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return forms(schema.unwrap());
  return schema instanceof z.ZodUnion ? schema.options.flatMap(forms) : [schema];
}

/** The value at `path` of data; undefined where there is none. */
export function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  let at = data;
  for (const key of path) at = (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  return at;
}
