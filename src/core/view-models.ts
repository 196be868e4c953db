import type { TimeBox } from '../time-box.js';
import type { LineLevel } from '../triage/findings.js';
import type { Outcome, PhaseId, PhaseModel, PhaseStatus, RemedyChange } from '../triage/report.js';
import type { Difference } from './compare-runs.js';
import type { KillSignal } from './dialog-look.js';
import type { Eta } from './eta.js';
import type { HistoryOutcome } from './history.js';
import type { Overlay, Pane } from './intents.js';
import type { SlowSearch } from './slow-search.js';

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
  /** First phase shown, where they do not all fit; 0 leaves the choice to the pane. */
  readonly phasesTop: number;
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

export interface GpuPaneModel {
  readonly rows: readonly GpuRow[];
  /** Instead of rows, or beside stale ones: `no GPU tool on this host`, `GPU data 14 s old`. */
  readonly note: string | null;
  readonly stale: boolean;
}

export interface GpuRow {
  readonly index: number;
  readonly name: string;
  readonly memUsedMiB: number | null;
  readonly memTotalMiB: number | null;
  /** Of a rank's GPU: the share of its memory that the server was told to take; null where that is not known. */
  readonly expectedShare: number | null;
  readonly utilPercent: number | null;
  readonly temperatureC: number | null;
  readonly powerW: number | null;
  /** Memory share over time, newest last, 0 to 1. */
  readonly history: readonly (number | null)[];
  /** Process that holds memory there, where it can be told. */
  readonly pid: number | null;
  /** `TP0`; with `?` where only the order tells it; null where nothing does. */
  readonly rank: string | null;
  readonly fault: string | null;
  /** The kernel's last words on it: `Xid 79: GPU has fallen off the bus.` */
  readonly kernel: string | null;
  /** `MIG 2x3g.71gb`; null without MIG. */
  readonly mig: string | null;
}

export interface LogPaneModel {
  /** `~/logs/server.log`. */
  readonly title: string;
  /** Seen before the connection went: how old, the header says. */
  readonly isOld: boolean;
  /** Says why there is nothing to show, or that reading is behind: `not there yet`, `reading 45 %`. */
  readonly note: string | null;
  readonly follow: boolean;
  /** Lines that came below what is shown. */
  readonly newBelow: number;
  /** Lines of what is watched now; those of earlier attempts stand above them. */
  readonly total: number;
  /** No line is there, of an earlier attempt neither. */
  readonly isEmpty: boolean;
  readonly filter: {
    readonly text: string;
    readonly editing: boolean;
    readonly mode: 'filter' | 'highlight';
    readonly error: string | null;
    readonly pattern: RegExp | null;
  };
  /** What keeps `rows` and `matched` from being all that there is. */
  readonly slow: SlowSearch | null;
  /** What the pattern is to be tried in. */
  readonly timeBox: TimeBox;
  /** Lines that pass the filters or, where they are only highlighted, match; null without one. */
  readonly matched: {
    readonly count: number;
    readonly of: number;
    /** In the lines of earlier attempts, which `count` and `of` leave out. */
    readonly earlier: number;
    /** How much has been looked at, 0 to 1. */
    readonly share: number;
  } | null;
  readonly errorsOnly: boolean;
  readonly milestonesOnly: boolean;
  readonly wrap: boolean;
  readonly column: number;
  readonly shortStamps: boolean;
  /**
   * Up to `height` lines, oldest first, that end at the scroll position and pass the filters; the unfinished
   * last line comes with `seq` null. Cheap: looks only as far back as it must.
   */
  readonly rows: (height: number) => readonly LogRow[];
  /** Up to `height` more below them, oldest first. */
  readonly rowsBelow: (height: number) => readonly LogRow[];
  /** The first that there are, oldest first. */
  readonly firstRows: (height: number) => readonly LogRow[];
  /** Screen rows of the lowest line below the pane's edge; null: so many that the line found is in sight. */
  readonly hidden: number | null;
  /** Changes when `rows` may give something else. */
  readonly version: string;
}

export interface LogRow {
  readonly seq: number | null;
  readonly number: number | null;
  readonly text: string;
  readonly level: LineLevel;
  readonly rank: string | null;
  readonly milestone: boolean;
  /** Null for a line that is on its own. */
  readonly fold: LogFold | null;
  /** The line that a jump led to, or one that the user has marked. */
  readonly flag: 'found' | 'marked' | null;
}

/** The group of lines that a row is shown for. */
export interface LogFold {
  readonly copies: number;
  readonly lines: number;
  /** All its lines are rows; this is the one that stands for them when they are not. */
  readonly isOpen: boolean;
  readonly isRow: boolean;
  /** Sequence number of its first line: what it is known by. */
  readonly first: number;
}

export type OverlayModel =
  | {
      readonly kind: Exclude<Overlay, 'triage' | 'history' | 'arguments'>;
      readonly top: number;
    }
  | { readonly kind: 'triage'; readonly top: number; readonly card: TriageCard }
  | {
      readonly kind: 'history';
      readonly top: number;
      /** The newest first. */
      readonly rows: readonly HistoryRow[];
      /** Index of the row that Enter opens. */
      readonly chosen: number;
      readonly opened: HistoryDetail | null;
    }
  | {
      readonly kind: 'arguments';
      readonly top: number;
      readonly rows: readonly Difference[];
      /** What they are compared with; null where there is no earlier attempt. */
      readonly comparison: ComparisonModel | null;
    };

export interface ComparisonModel {
  /** `attempt 2 (crashed)`. */
  readonly with: string;
  /** What the arrow keys compare with instead; null where there is nothing else. */
  readonly other: string | null;
}

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

export interface HistoryRow {
  readonly id: string;
  /** Null for a server that someone else started. */
  readonly attempt: number | null;
  readonly isCurrent: boolean;
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

/** One row of the checklist of a kill or relaunch. */
export interface DialogStep {
  /** `GPUs free`; empty for a last word. */
  readonly label: string;
  readonly text: string;
  /** `skipped`: there was no need for it. */
  readonly status: 'pending' | 'active' | 'done' | 'failed' | 'asks' | 'skipped';
  /** So far, or in all; null where that says nothing. */
  readonly seconds: number | null;
  readonly details: readonly string[];
}

export interface DialogModel {
  readonly kind: 'kill' | 'relaunch' | 'login';
  readonly title: string;
  /** Host, pid, command line and what will happen; none once it is answered. */
  readonly lines: readonly string[];
  /** The checklist, once the question is answered: what was done, what is being done, and what comes. */
  readonly steps: readonly DialogStep[];
  /** The checklist waits for an answer: y goes on, all else stops. */
  readonly asking: boolean;
  /** Null: it asks. Otherwise the input line that is being edited. */
  readonly editing: string | null;
  /** A line is to be typed that only the screen holds: as it is, or as dots. Null: none. */
  readonly answer: 'shown' | 'masked' | null;
  /** The first signal; null where nothing is to be ended. */
  readonly signal: KillSignal | null;
  /** How many processes near the server can be chosen by their number. */
  readonly choices: number;
  /** What the form holds cannot be started: it can only be edited, or left. */
  readonly blocked: boolean;
  readonly running: boolean;
  readonly finished: boolean;
}
