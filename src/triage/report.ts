import type { EngineId, PhaseId, PhaseModel, RemedyChange } from '../engines/ids.js';

export { type EngineId, type PhaseId, type PhaseModel, phaseIds, type RemedyChange } from '../engines/ids.js';

/** The triage report, schema 1: the same shape in `triage --json`, `wait --json` and the history. */
export interface Report {
  readonly schema: 1;
  readonly engine: EngineId;
  readonly engineVersion: string | null;
  readonly outcome: Outcome;
  /** The last phase reached; `ready` when ready. */
  readonly phase: PhaseId | null;
  readonly phaseModel: PhaseModel | null;
  readonly phases: readonly PhaseReport[];
  readonly rootCause: RootCause | null;
  readonly consequences: readonly LineRef[];
  readonly suspicions: readonly LineRef[];
  readonly remedies: readonly Remedy[];
  readonly serverArgs: Readonly<Record<string, unknown>> | null;
  readonly lines: number;
  readonly bytes: number;
}

export type Outcome = 'ready' | 'crashed' | 'loading' | 'stalled' | 'stopped' | 'unknown';

export type PhaseStatus = 'pending' | 'active' | 'done' | 'failed' | 'skipped';

export interface PhaseReport {
  readonly id: PhaseId;
  readonly title: string;
  readonly model: PhaseModel | null;
  readonly status: PhaseStatus;
  /** ISO 8601, from the log's own clock where it has one. */
  readonly startedAt: string | null;
  readonly seconds: number | null;
  /** 0 to 1. */
  readonly progress: number | null;
  /** `29/64 shards`. */
  readonly detail: string | null;
}

export interface LineRef {
  readonly lineNumber: number;
  /** As in the log, with ANSI and trailing blanks removed. */
  readonly line: string;
}

export interface RootCause extends LineRef {
  readonly exception: string | null;
  readonly message: string;
  readonly rank: string | null;
  readonly category: string;
  /** Deepest frame in the engine's own code: `srt/models/qwen2.py:390 load_weights`. */
  readonly where: string | null;
  /** 0 to 1. */
  readonly confidence: number;
}

export interface Remedy {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly change: RemedyChange | null;
  readonly url: string | null;
}
