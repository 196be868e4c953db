import type { z } from 'zod';
import type { Trace } from '../../src/judge/trace.js';
import type { entrySchema } from '../../src/judge/trace-entry.js';

/** A trace that has not been read yet: with everything left out that has a default. */
export interface TraceDraft {
  readonly name: string;
  readonly header: Omit<Trace['header'], 'schema'>;
  readonly entries: readonly EntryDraft[];
}

export type EntryDraft = z.input<typeof entrySchema>;
export type ProcessDraft = NonNullable<Extract<EntryDraft, { type: 'flow' }>['processes']>[number];
export type GpuDraft = Exclude<NonNullable<Extract<EntryDraft, { type: 'flow' }>['gpus']>, string>[number];

/** The file of a trace: one JSON object a line, the header first. */
export function traceText({ header, entries }: TraceDraft): string {
  const sorted = [...entries].sort((one, other) => one.t - other.t);
  return `${[{ schema: 1, ...header }, ...sorted].map((each) => JSON.stringify(each)).join('\n')}\n`;
}

/** The same dice for the same seed (mulberry32): 0 to 1. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const beganAt = Date.UTC(2026, 2, 1, 12);

/** Writes the log, the processes and the GPUs of one launch down as it goes on. Seconds. */
export class Maker {
  readonly entries: EntryDraft[] = [];
  t = 0;
  readonly roll: () => number;
  readonly engine: 'sglang' | 'vllm';
  readonly ranks: number;

  constructor(engine: 'sglang' | 'vllm', ranks: number, seed: number) {
    this.engine = engine;
    this.ranks = ranks;
    this.roll = dice(seed);
  }

  /** About `seconds`, a tenth more or less. */
  about(seconds: number): number {
    return round(seconds * (0.9 + 0.2 * this.roll()));
  }

  wait(seconds: number): this {
    this.t = round(this.t + seconds);
    return this;
  }

  /** A line as this engine stamps it; `rank` null for the main process. */
  say(text: string, rank: number | null = null): this {
    return this.log([this.line(text, rank)]);
  }

  /** The same line of every rank, at one moment. */
  sayAll(text: string, ranks = Array.from({ length: this.ranks }, (_, rank) => rank)): this {
    return this.log(ranks.map((rank) => this.line(text, rank)));
  }

  log(lines: readonly string[]): this {
    this.entries.push({ t: this.t, type: 'log', lines: [...lines] });
    return this;
  }

  line(text: string, rank: number | null): string {
    const time = new Date(beganAt + this.t * 1000).toISOString();
    if (this.engine === 'sglang')
      return `[${time.slice(0, 19).replace('T', ' ')}${rank === null ? '' : ` TP${rank}`}] ${text}`;
    const who = rank === null ? 'EngineCore_DP0 pid=4711' : `Worker_TP${rank} pid=${rankPid(rank)}`;
    return `(${who}) INFO ${time.slice(5, 10)} ${time.slice(11, 19)} [${text.includes('NCCL') ? 'pynccl' : 'gpu_model_runner'}.py:101] ${text}`;
  }

  /** Shows `done` of `total` shards, as both engines do. */
  shards(done: number, total: number): this {
    const percent = Math.round((100 * done) / total);
    return this.log([
      `Loading safetensors checkpoint shards: ${String(percent).padStart(3)}% Completed | ${done}/${total} [${clock(this.t)}<${clock(60)},  1.20s/it]`,
    ]);
  }

  graphs(done: number, total: number): this {
    const percent = Math.round((100 * done) / total);
    const words =
      this.engine === 'sglang' ? 'Capturing batches (bs=8 avail_mem=9.53 GB)' : 'Capturing CUDA graph shapes';
    return this.log([
      `${words}: ${String(percent).padStart(3)}%|####      | ${done}/${total} [${clock(this.t)}<${clock(60)},  1.20s/it]`,
    ]);
  }

  /** What every process does from now on: the main process, then the ranks. */
  flow(
    change: {
      readonly main?: Partial<ProcessDraft>;
      readonly all?: Partial<ProcessDraft>;
      readonly rank?: Readonly<Record<number, Partial<ProcessDraft>>>;
      readonly without?: readonly number[];
      readonly extra?: readonly ProcessDraft[];
      readonly gpu?: Partial<GpuDraft>;
      readonly gpus?: Readonly<Record<number, Partial<GpuDraft>>>;
      readonly more?: Partial<Extract<EntryDraft, { type: 'flow' }>>;
      readonly noGpus?: boolean;
    } = {},
  ): this {
    const ranks = Array.from({ length: this.ranks }, (_, rank) => rank);
    const processes: ProcessDraft[] = [
      { pid: 4700, ...names(this.engine, null), cores: 0.02, rssMiB: 900, ...change.main },
      ...ranks
        .filter((rank) => !change.without?.includes(rank))
        .map((rank) => ({
          pid: rankPid(rank),
          parent: 4700,
          ...names(this.engine, rank),
          ...change.all,
          ...change.rank?.[rank],
        })),
      ...(change.extra ?? []),
    ];
    const gpus = ranks.map((rank) => ({ pid: rankPid(rank), ...change.gpu, ...change.gpus?.[rank] }));
    this.entries.push({
      t: this.t,
      type: 'flow',
      processes,
      ...(change.noGpus ? {} : { gpus }),
      ...change.more,
    });
    return this;
  }

  /** Any other entry, at the present moment. */
  entry(entry: Untimed<EntryDraft>): this {
    this.entries.push({ t: this.t, ...entry } as EntryDraft);
    return this;
  }
}

type Untimed<T> = T extends unknown ? Omit<T, 't'> : never;

export const rankPid = (rank: number): number => 4711 + rank;

function names(engine: 'sglang' | 'vllm', rank: number | null): { name: string; command: string } {
  if (rank === null) {
    const command =
      engine === 'sglang' ? 'python -m sglang.launch_server --tp 4' : 'python -m vllm.entrypoints.cli serve';
    return { name: 'python', command };
  }
  const title = engine === 'sglang' ? `sglang::scheduler_TP${rank}` : `VLLM::Worker_TP${rank}`;
  return { name: title.slice(0, 15), command: title };
}

export const round = (seconds: number): number => Math.round(seconds * 10) / 10;

function clock(seconds: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(seconds / 60)}:${two(seconds % 60)}`;
}
