import type { Effect } from '../../src/core/effects.js';
import type { Event, HealthAnswer, HostFacts, LogFileChange, Target } from '../../src/core/events.js';
import { initialState } from '../../src/core/initial.js';
import type { Intent } from '../../src/core/intents.js';
import type { ProcessFact } from '../../src/core/process-fact.js';
import { reduce } from '../../src/core/reduce.js';
import type { State } from '../../src/core/state.js';
import type { HostSample, ProcessSample } from '../../src/ingest/telemetry.js';
import { createReading } from '../../src/triage/reading.js';

/** 2026-03-01 12:00:00 UTC, where the tests' clocks begin. */
export const noon = Date.UTC(2026, 2, 1, 12, 0, 0);

/** A host in UTC whose clock is right. */
export const hostFacts: HostFacts = {
  hostname: 'gpu-17',
  user: 'ml',
  os: 'Linux',
  bootId: null,
  clockSkewMs: 0,
  utcOffsetMs: 0,
};

type Opened = Extract<LogFileChange, { readonly kind: 'opened' }>;

/** What is watched where a test says no more than `change`: a log on a host. */
export const watchTarget = (change: Partial<Target> = {}): Target => ({
  host: 'gpu-17',
  name: null,
  log: '/logs/server.log',
  pid: null,
  port: null,
  engine: null,
  readOnly: false,
  timeScale: 1,
  comeBack: 'firedup watch gpu-17',
  ...change,
});

/** A fold with a clock of its own, told as a story: each call is an event at the present moment. */
export class Story {
  state: State;
  effects: Effect[] = [];
  now = noon;
  #line = 0;
  #bytes = 0;

  constructor(target: Partial<Target> = {}, ringCapacity = 1000) {
    this.state = initialState({
      target: watchTarget(target),
      reading: createReading({ engine: target.engine ?? null }),
      now: noon,
      ringCapacity,
    });
    this.event({ type: 'link', at: this.now, link: { status: 'up' } });
    this.event({ type: 'host', at: this.now, host: hostFacts });
  }

  event(event: Event): this {
    const [state, effects] = reduce(this.state, event);
    this.state = state;
    this.effects.push(...effects);
    return this;
  }

  key(intent: Intent): this {
    return this.event({ type: 'intent', at: this.now, intent });
  }

  /** Lets time pass, with a tick at the end. */
  later(seconds: number): this {
    this.now += seconds * 1000;
    return this.event({ type: 'tick', at: this.now });
  }

  file(change: LogFileChange): this {
    return this.event({ type: 'log-file', at: this.now, change });
  }

  /** The log was there before us, with these lines; its last change was `age` seconds ago. */
  oldLog(lines: readonly string[], age: number): this {
    const size = lines.join('\n').length + 1;
    this.opened('/logs/server.log', { size, modifiedAt: this.now - age * 1000 });
    return this.write(...lines).file({ kind: 'caught-up' });
  }

  /** The log is there, empty, and grows under our eyes. */
  emptyLog(path = '/logs/server.log'): this {
    return this.opened(path).file({ kind: 'caught-up' });
  }

  /** Its reading begins; there is nothing in it but for `more`. */
  opened(path = '/logs/server.log', more: Partial<Opened> = {}): this {
    const opened = {
      kind: 'opened',
      path,
      offset: 0,
      size: 0,
      modifiedAt: this.now,
      resumed: false,
    } as const;
    return this.file({ ...opened, ...more });
  }

  /** What is written next begins a file. */
  fromTheTop(): this {
    this.#line = 0;
    this.#bytes = 0;
    return this;
  }

  write(...lines: readonly string[]): this {
    this.#bytes += lines.join('\n').length + 1;
    return this.event({
      type: 'log-lines',
      at: this.now,
      lines: lines.map((text) => ({ number: ++this.#line, text })),
      offset: this.#bytes,
      size: this.#bytes,
    });
  }

  /** A running process that started `age` seconds ago. */
  alive(age: number, pid = 4711): this {
    return this.process({
      status: 'alive',
      pid,
      startTicks: `${pid}00`,
      startedAt: this.now - age * 1000,
      ageMs: age * 1000,
      command: 'python -m sglang.launch_server',
      user: 'ml',
      foundBy: 'log',
      tree: [{ pid, parent: 1, startTicks: `${pid}00`, command: 'python -m sglang.launch_server' }],
    });
  }

  process(process: ProcessFact): this {
    return this.event({ type: 'process', at: this.now, process });
  }

  /** A look at `/proc` that finds these processes. */
  sample(processes: readonly ProcessSample[], more: Partial<HostSample> = {}): this {
    return this.event({
      type: 'host-sample',
      at: this.now,
      sample: {
        uptimeMs: this.now - noon,
        cpus: 8,
        memTotalMiB: null,
        memAvailableMiB: null,
        ...more,
        processes,
      },
    });
  }

  answer(code: number | 'refused', owned: boolean | null = true, change: Partial<HealthAnswer> = {}): this {
    const result = code === 'refused' ? ({ kind: 'refused' } as const) : ({ kind: 'status', code } as const);
    return this.event({
      type: 'health',
      at: this.now,
      answer: { port: 30000, path: '/health', source: 'given', result, owned, ...change },
    });
  }

  get outcome(): string {
    return this.state.verdict.outcome;
  }
}

/** A process at rest, as a sample has it. */
export const processSample = (change: Partial<ProcessSample>): ProcessSample => ({
  pid: 4711,
  parent: 1,
  startTicks: '1',
  name: 'python',
  state: 'S',
  cpuMs: 0,
  rssMiB: 10,
  readBytes: 0,
  readChars: 0,
  ...change,
});

/** `seconds` before noon as SGLang stamps it. */
export function stamp(seconds: number): string {
  return new Date(noon - seconds * 1000).toISOString().replace('T', ' ').slice(0, 19);
}

/** A whole SGLang run that was ready, its last line `age` seconds before noon. */
export function readyRun(age: number): readonly string[] {
  const at = (back: number): string => `[${stamp(age + back)}`;
  return [
    `${at(60)}] server_args=ServerArgs(model_path='/models/demo', port=30000, tp_size=2, host='127.0.0.1')`,
    `${at(50)} TP0] Init torch distributed begin.`,
    `${at(45)} TP0] Load weight begin. avail mem=140.00 GB`,
    `${at(20)} TP0] Load weight end. type=DemoForCausalLM, dtype=torch.bfloat16, avail mem=80.00 GB, mem usage=60.00 GB.`,
    `${at(5)}] INFO:     Started server process [4711]`,
    `${at(4)}] INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)`,
    `${at(0)}] The server is fired up and ready to roll!`,
  ];
}

/** A whole SGLang run that died of its scheduler, its last line `age` seconds before noon. */
export function crashedRun(age: number): readonly string[] {
  const at = (back: number): string => `[${stamp(age + back)}`;
  return [
    ...readyRun(age + 10).slice(0, 3),
    `${at(1)} TP0] Scheduler hit an exception: Traceback (most recent call last):`,
    '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
    '    scheduler = Scheduler(server_args, port_args)',
    "KeyError: 'lm_head.weight'",
    '',
    `${at(0)}] Received sigquit from a child process. It usually means the child failed.`,
  ];
}
