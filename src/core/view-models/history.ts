import type { HistoryOutcome } from '../history.js';

export interface HistoryRow {
  readonly id: string;
  /** Null for a server that someone else started. */
  readonly attempt: number | null;
  readonly outcome: HistoryOutcome;
  readonly cause: string | null;
  /** `4 min ago`; null where its start is not known. */
  readonly age: string | null;
  /** From start to ready; null where it never was. */
  readonly readySeconds: number | null;
  /** From start to its outcome, or so far. */
  readonly tookSeconds: number | null;
  readonly change: string | null;
  readonly remedy: string | null;
  /** Whether the change did away with the crash before it; null where that cannot be told. */
  readonly helped: boolean | null;
  /** What came of the change, in words with the remedy that was taken. */
  readonly helpText: string | null;
}

/** One attempt of the history, opened. */
export interface HistoryDetail {
  readonly title: string;
  readonly facts: readonly (readonly [label: string, text: string])[];
  readonly lines: readonly string[];
}
