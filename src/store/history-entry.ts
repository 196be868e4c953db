import { z } from 'zod';
import type { HistoryEntry } from '../core/history.js';
import { redact, redactEnv } from '../ingest/redact.js';
import { redacted } from '../ingest/redacted.js';
import { isSecretName } from '../ingest/secret-names.js';
import { phaseIds } from '../triage/report.js';

const phaseId = z.enum(phaseIds);
const model = z.enum(['target', 'draft']).nullable();
const outcomes = ['ready', 'crashed', 'loading', 'stalled', 'stopped', 'unknown', 'gone'] as const;
const time = z.number().nullable();
const words = z.record(z.string(), z.string());

/** Schema 2, as it is written. Engines of a user's config have names of their own. */
const second = z.object({
  schema: z.literal(2),
  id: z.string(),
  host: z.string(),
  name: z.string(),
  attempt: z.number().int().positive().nullable(),
  outcome: z.enum(outcomes),
  cause: z.object({ text: z.string(), category: z.string().nullable() }).nullable(),
  reached: z.object({ id: phaseId, model }).nullable(),
  startedAt: time,
  readyAt: time,
  endedAt: time,
  engine: z.string(),
  engineVersion: z.string().nullable(),
  model: z.string().nullable(),
  tensorParallel: z.number().nullable(),
  command: z.string(),
  env: words.nullable(),
  cwd: z.string().nullable().default(null),
  before: z.array(z.string()).nullable(),
  log: z.string().nullable(),
  change: z.string().nullable(),
  remedy: z.object({ id: z.string(), title: z.string() }).nullable(),
  helped: z.boolean().nullable(),
  remedies: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      change: z.object({ env: words.optional(), args: z.array(z.string()).optional() }).nullable(),
    }),
  ),
  phases: z.array(z.object({ id: phaseId, model, seconds: z.number().nullable(), isDone: z.boolean() })),
  serverArgs: z.record(z.string(), z.unknown()).nullable(),
  packages: words,
  cache: z.enum(['cold', 'warm']).nullable(),
  lastLines: z.array(z.string()),
});

/** Schema 1: lines of one file a server, which knew less. */
const first = z.object({
  schema: z.literal(1),
  host: z.string(),
  name: z.string(),
  attempt: z.number().int().positive().nullable(),
  id: z.string().nullable(),
  outcome: z.enum(outcomes),
  cause: z.string().nullable(),
  startedAt: time,
  readyAt: time,
  endedAt: time,
  command: z.string(),
  log: z.string().nullable(),
  change: z.string().nullable(),
  phases: z.array(z.object({ id: phaseId, model, seconds: z.number().nullable() })),
  lastLines: z.array(z.string()),
});

/** Reads an entry of any schema that is known; null for what is none. */
export function parseEntry(json: string): HistoryEntry | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const new_ = second.safeParse(value);
  if (new_.success) return new_.data as HistoryEntry;
  const old = first.safeParse(value);
  return old.success ? fromFirst(old.data) : null;
}

function fromFirst(old: z.infer<typeof first>): HistoryEntry {
  const { id, phases, cause, ...rest } = old;
  return {
    ...rest,
    schema: 2,
    id: id ?? `${old.attempt ?? '-'} ${old.startedAt ?? '-'}`,
    cause: cause === null ? null : { text: cause, category: null },
    reached: null,
    engine: 'unknown',
    engineVersion: null,
    model: null,
    tensorParallel: null,
    env: null,
    cwd: null,
    before: null,
    remedy: null,
    helped: null,
    remedies: [],
    phases: phases.map((phase) => ({ ...phase, isDone: phase.seconds !== null })),
    serverArgs: null,
    packages: {},
    cache: null,
  };
}

/** The entry as it may be kept: secrets redacted wherever they stand, at most 40 lines. */
export function keepable(entry: HistoryEntry): HistoryEntry {
  const { lastLines, env, ...rest } = entry;
  return {
    ...(redactDeep(rest, '') as Omit<HistoryEntry, 'lastLines' | 'env'>),
    env: env === null ? null : redactEnv(env),
    lastLines: lastLines.slice(-40).map(redact),
  };
}

/** Every string in `value` redacted; what stands under the name of a secret goes whatever it is. */
function redactDeep(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return isSecretName(name, 'field') && value !== '' ? redacted : redact(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactDeep(item, key)]));
}
