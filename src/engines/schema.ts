import { z } from 'zod';
import { type TimeBox, unlimited } from '../time-box.js';
import { phaseIds } from './ids.js';

// Imported only where somebody's own rules are read: the built-in profiles are checked by a test.

const pattern = z
  .string()
  .min(1)
  .refine(isRegExp, { error: ({ input }) => `is not a regular expression: ${faultOf(String(input))}` });
const samples = z.array(z.string());
const phase = z.enum(phaseIds);
const model = z.enum(['target', 'draft']);
const version = z.string().regex(/^\d+(?:\.\d+)*$/);

const line = { pattern, samples };

const change = z.strictObject({
  env: z.record(z.string(), z.string()).optional(),
  args: z.array(z.string()).optional(),
});

const remedy = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]+$/),
  title: z.string(),
  why: z.string(),
  change: change.optional(),
  url: z.url().optional(),
  compute: z
    .enum([
      'lower-mem-fraction',
      'raise-mem-fraction',
      'lower-gpu-utilization',
      'raise-gpu-utilization',
      'halve-tp',
      'double-tp',
      'next-port',
    ])
    .optional(),
});

/** One failure with its remedies: the part that users add most. */
export const failureRuleSchema = z.strictObject({
  ...line,
  category: z.string(),
  on: z.enum(['exception', 'line', 'both']),
  during: z.array(phase).optional(),
  model: model.optional(),
  phase: phase.optional(),
  remedies: z.array(remedy),
});

const ended = z.strictObject({
  ...line,
  afterReady: z.enum(['only', 'never']).optional(),
  afterWork: z.enum(['only', 'never']).optional(),
  bySignal: z.boolean().optional(),
  beforeStart: z.boolean().optional(),
  last: z.boolean().optional(),
  orderly: z.boolean().optional(),
});

/** What an engine consists of, each part by itself. */
export const engineParts = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9._-]{0,31}$/),
  title: z.string(),
  detect: z.array(z.strictObject({ ...line, weight: z.number().positive() })),
  prefixes: z.array(z.strictObject({ ...line, repeats: z.boolean(), depth: z.int().min(0).max(5) })),
  checklist: z.array(
    z.strictObject({
      id: phase,
      model: model.nullable(),
      title: z.string(),
      quietLimitMs: z.number().positive(),
      optional: z.boolean().optional(),
      unlessArg: z.string().optional(),
    }),
  ),
  phases: z.array(
    z.strictObject({
      ...line,
      phase,
      event: z.enum(['begin', 'end', 'mark']),
      model: z.enum(['target', 'draft', 'auto']).nullable(),
      since: version.optional(),
      detail: z.string().optional(),
    }),
  ),
  progress: z.array(
    z.strictObject({ ...line, phase, unit: z.string(), begins: z.boolean(), since: version.optional() }),
  ),
  runStart: z.array(z.strictObject(line)),
  args: z.array(z.strictObject(line)),
  version: z.array(z.strictObject(line)),
  port: z.array(z.strictObject(line)),
  ready: z.array(
    z.strictObject({
      ...line,
      ifArg: z.string().optional(),
      countArg: z.string().optional(),
      unlessDead: z.boolean().optional(),
      onlyHeadless: z.boolean().optional(),
      needs: z.strictObject({ after: pattern, line: pattern }).optional(),
    }),
  ),
  death: z.array(ended),
  ended: z.array(ended),
  stopped: z.array(ended),
  hang: z.array(z.strictObject({ ...line, times: z.int().min(1) })),
  benign: z.array(
    z.strictObject({
      ...line,
      traceback: z.boolean().optional(),
      mayMatter: z.boolean().optional(),
      opaque: z.boolean().optional(),
    }),
  ),
  consequences: z.array(z.strictObject({ ...line, soft: z.boolean().optional() })),
  hints: z.array(z.strictObject({ ...line, category: z.string() })),
  failures: z.array(failureRuleSchema),
  frames: z.array(z.strictObject({ pattern, phase })),
  codePath: pattern,
  readyPath: z.strictObject({
    path: z.string().startsWith('/'),
    newer: z.strictObject({ since: version, path: z.string().startsWith('/') }).optional(),
  }),
  argKeys: z.strictObject({
    port: z.string().optional(),
    speculative: z.array(z.string()).optional(),
    tensorParallel: z.string().optional(),
    tensorParallelFlag: z.string().optional(),
    memFraction: z.string().optional(),
    memFractionDefault: z.number().optional(),
  }),
});

/** A whole engine as data; every pattern must compile and every sample must match its pattern. */
export const engineProfileSchema = engineParts.superRefine(samplesIn(unlimited));

/** Some parts of an engine: what a config adds to one, under the same rules. Patterns are tried in `timeBox`. */
export const enginePatchSchema = (timeBox: TimeBox) => engineParts.partial().superRefine(samplesIn(timeBox));

function samplesIn(timeBox: TimeBox) {
  return (profile: Readonly<Record<string, unknown>>, context: z.RefinementCtx): void => {
    for (const [path, rule] of rulesWithSamples(profile)) {
      for (const sample of rule.samples) {
        const fault = isRegExp(rule.pattern) ? sampleFault(rule.pattern, sample, timeBox) : null;
        if (fault !== null)
          context.addIssue({ code: 'custom', path, message: `${fault} its own sample: ${sample}` });
      }
    }
  };
}

/** What is wrong between a pattern and a line that it is to match; null: nothing. */
function sampleFault(pattern: string, sample: string, timeBox: TimeBox): string | null {
  let matches: boolean | null = null;
  const { isDone } = timeBox(() => {
    matches = new RegExp(pattern).test(sample);
  }, sampleMs);
  if (matches === true) return null;
  return isDone || matches === false ? 'does not match' : 'takes too long for';
}

const sampleMs = 500;

function isRegExp(source: string): boolean {
  return faultOf(source) === null;
}

/** What JavaScript has against a regular expression; null where it takes it. */
function faultOf(source: string): string | null {
  try {
    new RegExp(source);
    return null;
  } catch (error) {
    return String(error instanceof Error ? error.message : error).replace(
      /^Invalid regular expression: /,
      '',
    );
  }
}

function rulesWithSamples(
  profile: Readonly<Record<string, unknown>>,
): [(string | number)[], { readonly pattern: string; readonly samples: readonly string[] }][] {
  const found: [(string | number)[], { readonly pattern: string; readonly samples: readonly string[] }][] =
    [];
  for (const [key, list] of Object.entries(profile)) {
    if (!Array.isArray(list)) continue;
    list.forEach((rule: unknown, index) => {
      if (isSampled(rule)) found.push([[key, index], rule]);
    });
  }
  return found;
}

function isSampled(rule: unknown): rule is { readonly pattern: string; readonly samples: readonly string[] } {
  return typeof rule === 'object' && rule !== null && 'samples' in rule && 'pattern' in rule;
}
