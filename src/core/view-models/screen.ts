import type { Outcome, PhaseId, PhaseModel, PhaseStatus } from '../../triage/report.js';
import type { Eta } from '../eta.js';
import type { Pane } from '../intents.js';
import type { DialogModel } from './dialog.js';
import type { GpuPaneModel } from './gpus.js';
import type { LogPaneModel } from './log.js';
import type { OverlayModel } from './overlay.js';
import type { TriageCard } from './triage-card.js';

/** What the screen shows, as plain data: no colours, no widths. Texts may hold raw log bytes: sanitise on drawing. */
export interface ScreenModel {
  readonly header: HeaderModel;
  readonly phases: readonly PhaseRow[];
  readonly gpus: GpuPaneModel;
  readonly log: LogPaneModel;
  readonly status: StatusModel;
  readonly focus: Pane;
  readonly zoom: boolean;
  readonly overlay: OverlayModel | null;
  /** Stands in the lower pane, over the log, from a crash until Esc or a filter puts it away. */
  readonly card: TriageCard | null;
  readonly dialog: DialogModel | null;
  readonly notice: {
    readonly level: 'info' | 'warning' | 'error';
    readonly text: string;
  } | null;
  readonly theme: number;
  readonly mouse: boolean;
  /** First phase shown, where they do not all fit; null leaves the choice to the pane. */
  readonly phasesTop: number | null;
}

export interface HeaderModel {
  readonly host: string;
  /** The machine's own name where it differs. */
  readonly hostname: string | null;
  readonly name: string | null;
  /** `SGLang 0.5.9`; null until it is known. */
  readonly engine: string | null;
  readonly modelName: string | null;
  readonly attempt: number | null;
  /** No action is carried out. */
  readonly readOnly: boolean;
  readonly link: {
    readonly status: 'connecting' | 'up' | 'down' | 'waiting' | 'lost';
    readonly text: string;
  };
  /** `pid 4711 · 13 processes`, `gone (SIGKILL)`, `no process`, `unknown: …`. */
  readonly process: {
    readonly status: 'alive' | 'gone' | 'absent' | 'unknown';
    readonly text: string;
  };
  /** `:30000 /health 503`; null without a port. */
  readonly http: { readonly ok: boolean; readonly text: string } | null;
}

export interface StatusModel {
  readonly outcome: Outcome;
  /** `READY`, `CRASHED`, `LOADING`, `STALLED`, `STOPPED`, `UNKNOWN`. */
  readonly word: string;
  readonly provisional: boolean;
  readonly summary: string;
  readonly evidence: readonly EvidenceRow[];
  /** From the start to READY or to the end, so far; null where one of the two is not known. */
  readonly elapsedMs: number | null;
  /** Goes up every second while something goes on: turns the mark of the verdict. */
  readonly beat: number;
  /** `≈ 2:00–3:00 left, as in 3 earlier launches`; null without an estimate. */
  readonly eta: string | null;
  readonly etaMs: Eta | null;
  /** Whole launch, 0 to 1; null when it cannot be told. */
  readonly progress: number | null;
  /** `disk 1.2 GB/s · CPU 7.8 cores`, empty when nothing moves. */
  readonly activity: string;
  /** Ms since the last byte of the log; null before the first. */
  readonly quietMs: number | null;
}

export interface EvidenceRow {
  readonly witness: string;
  readonly text: string;
  readonly lineNumber: number | null;
}

export interface PhaseRow {
  readonly id: PhaseId;
  readonly title: string;
  readonly model: PhaseModel | null;
  /** `stopped`: it was under way when the server was ended. */
  readonly status: PhaseStatus | 'stopped';
  /** So far, or in all. */
  readonly seconds: number | null;
  /** In an earlier attempt, finished; null where there is none. */
  readonly earlierSeconds: number | null;
  readonly progress: number | null;
  readonly detail: string | null;
  /** Of the active phase: the few ranks that others have left behind, `TP3`, `TP3, TP5`; null where none are. */
  readonly behind: string | null;
}
