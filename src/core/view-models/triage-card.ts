import type { Outcome, RemedyChange } from '../../triage/report.js';

/** Stands in the lower pane as soon as the launch has crashed; `t` opens all of it. */
export interface TriageCard {
  readonly outcome: Outcome;
  readonly headline: string;
  readonly cause: {
    readonly text: string;
    /** Null while the log's middle is still being read. */
    readonly lineNumber: number | null;
    readonly rank: string | null;
    readonly where: string | null;
    readonly category: string;
    readonly confidence: number;
  } | null;
  /** What is known where no line names a cause. */
  readonly known: readonly { readonly label: string; readonly text: string }[];
  /** In the order of the log; the full card lists them. */
  readonly consequences: readonly { readonly lineNumber: number | null; readonly line: string }[];
  readonly suspicions: readonly {
    readonly lineNumber: number | null;
    readonly line: string;
  }[];
  readonly remedies: readonly {
    readonly id: string;
    readonly title: string;
    readonly why: string;
    readonly change: RemedyChange | null;
    readonly url: string | null;
    readonly chosen: boolean;
  }[];
}
