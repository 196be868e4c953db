import { z } from 'zod';
import { type EngineId, phaseIds } from '../engines/ids.js';
import { exitCodes, FiredupError } from '../errors.js';
import { type Entry, entrySchema } from './trace-entry.js';

/** What was true from `from` (seconds) on, until the next. */
const truthSchema = z.object({
  from: z.number().min(0),
  state: z.enum(['loading', 'slow', 'stalled', 'dead-rank', 'ready', 'crashed', 'stopped', 'unknown']),
  phase: z.string().nullish(),
  /** Of a stall: how long this phase may be quiet; the engine's own limit where it is not given. */
  limitSeconds: z.number().positive().nullish(),
  /** Within which the verdict has to stand, counted from `from`; overrides what follows from state and limit. */
  withinSeconds: z.number().positive().nullish(),
  note: z.string().nullish(),
});

const pastSchema = z.object({
  cache: z.enum(['cold', 'warm']).nullish(),
  phases: z.array(
    z.object({
      id: z.enum(phaseIds),
      model: z.enum(['target', 'draft']).nullish(),
      seconds: z.number().min(0).nullable(),
    }),
  ),
});

const headerSchema = z.object({
  schema: z.literal(1),
  title: z.string().min(1),
  engine: z
    .enum(['sglang', 'vllm', 'llama.cpp', 'trtllm', 'tgi', 'lmdeploy', 'ollama', 'python', 'unknown'])
    .nullish() satisfies z.ZodType<EngineId | null | undefined>,
  gpus: z.number().int().min(0).nullish(),
  /** Between two ticks of firedup's clock; 0 where the trace has ticks of its own. */
  tickSeconds: z.number().min(0).nullish(),
  timeScale: z.number().positive().nullish(),
  port: z.number().int().positive().nullish(),
  /** Seconds until it was ready, for the error of the ETA; null where it never was. */
  readyAt: z.number().positive().nullish(),
  endsAt: z.number().positive().nullish(),
  /** Size of the checkpoint's files. */
  modelBytes: z.number().positive().nullish(),
  /** Earlier launches of the same, for the ETA. */
  past: z.array(pastSchema).nullish(),
  truth: z.array(truthSchema).min(1),
});

export type Truth = z.infer<typeof truthSchema>;
export type TraceHeader = z.infer<typeof headerSchema>;

export interface Trace {
  readonly header: TraceHeader;
  readonly entries: readonly Entry[];
}

/**
 * Reads a trace (docs/traces.md): the header, then one entry a line. Blank lines and lines that begin with `#` or `//`
 * are left out; entries may come in any order. Throws `FiredupError` `bad-trace` that names file and line.
 */
export function readTrace(text: string, file: string): Trace {
  let header: TraceHeader | null = null;
  const entries: Entry[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(?:$|#|\/\/)/.test(line)) continue;
    const where = `${file}:${index + 1}`;
    const value = parse(line, where);
    if (header === null) header = check(headerSchema, value, where);
    else entries.push(check(entrySchema, value, where));
  }
  if (header === null) throw bad(`${file}: there is no header`);
  const truth = [...header.truth].sort((one, other) => one.from - other.from);
  // The order of what happens at the same moment is that of the file.
  return { header: { ...header, truth }, entries: entries.sort((one, other) => one.t - other.t) };
}

function parse(line: string, where: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw bad(`${where}: no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = deepest(result.error.issues) ?? { path: [], message: 'not of the format' };
  throw bad(`${where}: ${path.length === 0 ? '' : `${path.join('.')}: `}${message}`);
}

type Issue = z.core.$ZodIssue;

/** What is wrong, as deep inside as it is known: of several forms it may have, the one that fits it furthest. */
function deepest(issues: readonly Issue[], outside: readonly PropertyKey[] = []): Problem | null {
  const problems = issues.map((issue): Problem => {
    const path = [...outside, ...issue.path];
    const inner = issue.code === 'invalid_union' ? issue.errors.map((each) => deepest(each, path)) : [];
    return inner.reduce<Problem>(
      (best, each) => (each && each.path.length > best.path.length ? each : best),
      {
        path,
        message: issue.message,
      },
    );
  });
  return problems[0] ?? null;
}

interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

const bad = (message: string): FiredupError =>
  new FiredupError('bad-trace', message, {
    exitCode: exitCodes.usage,
    hint: 'The format is in docs/traces.md.',
  });
