import type { EngineId } from './ids.js';

/** What can be read from the command line that starts an engine, as data: for the look at the host before a launch. */
export interface CommandLine {
  readonly engine: EngineId;
  readonly title: string;
  /** Patterns on the words of the command joined by blanks, wrappers such as `env` or `numactl` left out. */
  readonly starts: readonly LineStart[];
  /** Every spelling of the flags that are read; those with a value take it as `--flag VALUE` or `--flag=VALUE`. */
  readonly flags: Readonly<Partial<Record<FlagRole, readonly string[]>>>;
  /** Whether `_` in a flag is the same as `-` (vLLM's FlexibleArgumentParser). */
  readonly underscores: boolean;
  /** Where no flag or variable says otherwise. */
  readonly port: number;
  readonly address: string;
  /** Its Python package; null for what is none. */
  readonly pythonPackage: string | null;
  readonly needsGpu: boolean;
  /** Flag that a remedy uses for the port. */
  readonly portFlag: string;
  readonly contextRule?: ContextRule;
  /** A method that the target's class must have for a draft of some kinds. */
  readonly draftHook?: DraftHook;
  /** From this version on it refuses to start where less than its fraction of a card is free. */
  readonly refusesBusyGpuSince?: string;
  readonly memFractionDefault?: number;
}

export interface LineStart {
  readonly pattern: string;
  /** Whether the first word after the match is the model where it is no flag (`vllm serve MODEL`). */
  readonly thenModel?: boolean;
  readonly samples: readonly string[];
}

export type FlagRole =
  | 'model'
  | 'draft'
  /** A JSON object with `model`, `method` and `draft_tensor_parallel_size`. */
  | 'draftConfig'
  | 'draftAlgorithm'
  | 'tensorParallel'
  | 'pipelineParallel'
  | 'dataParallel'
  /** How many of the data-parallel engines run on this node. */
  | 'dataParallelLocal'
  /** A switch: data parallelism within the tensor-parallel ranks, which needs no GPUs of its own. */
  | 'dataParallelAttention'
  | 'nodes'
  | 'nodeRank'
  | 'baseGpu'
  | 'executor'
  | 'port'
  | 'address'
  | 'device'
  | 'contextLength'
  | 'memFraction'
  | 'quantization'
  | 'loadFormat'
  | 'cpuOffload'
  /** A switch: no CUDA graphs. */
  | 'noGraphs'
  /** Where it keeps what it downloads. */
  | 'downloadFolder'
  /** A file with further arguments: then what is not on the command line is not known. */
  | 'argumentFile';

/** How an engine takes a context that is longer than the model's own. */
export interface ContextRule {
  /** Variable that turns the refusal into a warning. */
  readonly overrideVariable: string;
  readonly contextFlag: string;
  /** Versions in which it is an error, `[from, before)`; the last may be open. */
  readonly refusesIn: readonly (readonly [string, string | null])[];
  /** Whether the draft must bear the target's whole context. */
  readonly draftMustMatch: boolean;
  /** Keys of config.json that hold the length, the first one that is there counts. */
  readonly lengthKeys: readonly string[];
}

export interface DraftHook {
  readonly method: string;
  /** Folder of the model classes below the package. */
  readonly modelsFolder: string;
  readonly algorithms: readonly string[];
  /** Version in which a class got the method; earlier ones crash. */
  readonly classSince: Readonly<Record<string, string>>;
  readonly url: string;
}
