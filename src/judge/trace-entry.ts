import { z } from 'zod';

/** What a counter that may not be read is: null, left out, or the tool's own word for it (`[N/A]`). */
const maybe = z
  .union([z.number(), z.string().regex(/^\[[^\]]*\]$|^N\/A$/)])
  .nullish()
  .transform((value) => (typeof value === 'number' ? value : null));
const pid = z.number().int().positive();
const at = { t: z.number().min(0) };
const text = z.string();

/** A process of a flow: what it is, and how fast it does what it does from then on. */
const flowProcess = z.object({
  pid,
  parent: z.number().int().min(0).default(1),
  startTicks: z.coerce.string().default('100'),
  name: text.default('python'),
  command: text.optional(),
  /** `R`, `S`, `D`, `Z` (its parent has not asked for it), `T` (stopped). */
  state: text.default('S'),
  cores: z.number().min(0).default(0),
  readBps: z.number().min(0).default(0),
  readCharsBps: z.number().min(0).optional(),
  writtenBps: z.number().min(0).default(0),
  /** Resident now; left out, it goes on from where it was. */
  rssMiB: z.number().min(0).optional(),
  rssMiBps: z.number().default(0),
  faultsPerSecond: z.number().min(0).default(0),
  wchan: text.optional(),
  /** Another user's: no bytes can be read. */
  hidden: z.boolean().default(false),
});

const flowGpu = z.object({
  /** Left out, it goes on from where it was; null is not told. */
  usedMiB: z.number().min(0).nullish(),
  usedMiBps: z.number().default(0),
  totalMiB: z.number().min(0).default(81920),
  util: z.number().min(0).max(100).nullable().default(0),
  powerW: z.number().min(0).nullable().default(75),
  limitW: z.number().min(0).nullable().default(700),
  /** Who holds memory there; null where that is not shown. */
  pid: pid.nullable().default(null),
});

const gpuSample = z.object({
  index: z.number().int().min(0),
  uuid: text.optional(),
  name: text.default('GPU'),
  memTotalMiB: maybe,
  memUsedMiB: maybe,
  utilPercent: maybe,
  temperatureC: maybe,
  powerW: maybe,
  powerLimitW: maybe,
  fault: text.nullish().transform((value) => value ?? null),
});

const gpuReading = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('ok'),
    gpus: z.array(gpuSample.transform((gpu) => ({ ...gpu, uuid: gpu.uuid ?? `GPU-${gpu.index}` }))),
    apps: z.array(z.object({ uuid: text, pid, memUsedMiB: maybe })).default([]),
    tookMs: z.number().default(50),
  }),
  z.object({ status: z.literal('absent') }),
  z.object({ status: z.literal('failed'), reason: text, code: z.number().nullable().default(null) }),
  z.object({ status: z.literal('stuck'), reason: text }),
]);

const hostSample = z.object({
  /** The host's own clock; left out, it is that of the trace. */
  uptimeMs: z.number().min(0).optional(),
  cpus: maybe,
  memTotalMiB: maybe,
  memAvailableMiB: maybe,
  rxBytes: maybe,
  oomKills: maybe,
  kernelLines: z.array(text).default([]),
  processes: z.array(
    z.object({
      pid,
      parent: z.number().int().min(0).default(1),
      startTicks: z.coerce.string().default('100'),
      name: text.default('python'),
      state: text.default('S'),
      cpuMs: z
        .number()
        .min(0)
        .nullish()
        .transform((value) => value ?? 0),
      rssMiB: maybe,
      readBytes: maybe,
      readChars: maybe,
      writtenBytes: maybe,
      majorFaults: maybe,
      wchan: text.nullish().transform((value) => value ?? null),
    }),
  ),
});

const member = z.object({
  pid,
  parent: z.number().int().min(0).default(1),
  startTicks: z.coerce.string().default('100'),
  command: text.default('python'),
});

const exitStatus = z.object({
  code: z.number().nullable().default(null),
  signal: text.nullable().default(null),
  at: z.number().nullable().default(null),
  oomKills: z.number().nullable().default(null),
});

const processFact = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('alive'),
    pid,
    startTicks: z.coerce.string().default('100'),
    startedAt: z.number().nullable().default(null),
    command: text.default('python'),
    user: text.nullable().default(null),
    foundBy: z.enum(['pid', 'log', 'port', 'launch']).default('log'),
    tree: z.array(member).default([]),
  }),
  z.object({ status: z.literal('gone'), pid, exit: exitStatus.nullable().default(null) }),
  z.object({ status: z.literal('absent') }),
  z.object({ status: z.literal('unknown'), reason: text.default('not told') }),
]);

const link = z.discriminatedUnion('status', [
  z.object({ status: z.literal('connecting') }),
  z.object({ status: z.literal('up') }),
  z.object({ status: z.literal('down'), reason: text.default('no word for 10 s') }),
  z.object({ status: z.literal('lost'), reason: text.default('given up') }),
]);

/** What becomes of the file besides being written: it is open and read from the start. */
const logChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing'), writesTo: text.nullable().default(null) }),
  z.object({ kind: z.literal('unreadable'), reason: text.default('permission denied') }),
  z.object({ kind: z.literal('opened') }),
  z.object({ kind: z.literal('truncated'), lostBytes: z.number().nullable().default(null) }),
  z.object({ kind: z.literal('rotated'), late: z.boolean().default(false) }),
  z.object({ kind: z.literal('gap'), bytes: z.number().nullable().default(null) }),
]);

const answer = z.object({
  port: z.number().int().positive().default(30000),
  path: text.default('/health'),
  source: z.enum(['given', 'log', 'command']).default('log'),
  result: z.union([
    z.object({ kind: z.literal('status'), code: z.number().int() }),
    z.object({ kind: z.enum(['refused', 'timeout']) }),
    z.object({ kind: z.literal('failed'), reason: text }),
  ]),
  owned: z.boolean().nullable().default(true),
});

/** One line of a trace after its header; `t` in seconds since the start. */
export const entrySchema = z.discriminatedUnion('type', [
  z.object({
    ...at,
    type: z.literal('log'),
    lines: z.union([text.transform((one) => [one]), z.array(text)]),
  }),
  /** The same as the fold takes them. */
  z.object({
    ...at,
    type: z.literal('log-lines'),
    lines: z.array(
      z.union([text, z.object({ text })]).transform((line) => (typeof line === 'string' ? line : line.text)),
    ),
  }),
  z.object({ ...at, type: z.enum(['partial', 'log-partial']), text }),
  z.object({ ...at, type: z.literal('log-file'), change: logChange }),
  z.object({
    ...at,
    type: z.literal('flow'),
    /** Seconds between two samples; 0 stops them. */
    every: z.number().min(0).optional(),
    gpuEvery: z.number().min(0).optional(),
    processes: z.array(flowProcess).optional(),
    gpus: z.union([z.array(flowGpu), z.literal('absent')]).optional(),
    rxBps: z.number().min(0).nullable().optional(),
    oomKills: z.number().min(0).optional(),
    kernelLines: z.array(text).optional(),
    /** Whether the process probe tells the tree; otherwise it says that it cannot. */
    tree: z.boolean().optional(),
  }),
  /** firedup itself did not run until then: no ticks, no samples. */
  z.object({ ...at, type: z.literal('pause'), until: z.number().min(0) }),
  z.object({ ...at, type: z.literal('tick') }),
  z.object({ ...at, type: z.literal('link'), link }),
  z.object({ ...at, type: z.literal('gpus'), reading: gpuReading }),
  z.object({ ...at, type: z.literal('host-sample'), sample: hostSample }),
  z.object({ ...at, type: z.literal('process'), process: processFact }),
  z.object({ ...at, type: z.literal('health'), answer }),
]);

export type Entry = z.infer<typeof entrySchema>;
export type FlowEntry = Extract<Entry, { type: 'flow' }>;
