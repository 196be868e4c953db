import type { LogLine } from '../ingest/line.js';
import type { SlowPattern } from './own-pattern.js';
import type { EngineId, LineRef, PhaseId, PhaseModel, PhaseStatus, Report } from './report.js';

/**
 * Reads one log from its first line to its last, in one pass, and always knows what it has found so far.
 * It is mutable for speed (a million lines in seconds); the fold owns it and nobody else calls `read`.
 */
export interface Reading {
  /** Goes up whenever `findings` may have changed. */
  readonly version: number;
  /** Takes the next complete line. `at` is its arrival (ms since the epoch), null when only the log's clock counts. */
  read(line: LogLine, at: number | null): LineClass;
  /**
   * Takes the frames of a line that has not ended yet (a progress bar redrawn with `\r`). It moves progress
   * only: no verdict, no new phase, and the same text comes again when the line is complete.
   */
  readPartial(text: string, at: number | null): void;
  /** A reading of the same kind, of the same engine if that is known by now, that has read nothing. */
  fresh(): Reading;
  /** What is known now; the same object until `version` changes. */
  findings(): Findings;
  /** The report over what was read; `facts` is what only a live view can know. */
  report(facts?: ReportFacts): Report;
}

/** What one line is, for the log pane and its filters. */
export interface LineClass {
  /** `TP0`, `DP1 TP3`, `Worker_TP0`, … as the line says it; null where it names none. */
  readonly rank: string | null;
  /** The same, or the rank whose traceback a line without one goes on; null where that cannot be told. */
  readonly whose: string | null;
  readonly level: LineLevel;
  /** One of the engine's phase lines. */
  readonly milestone: boolean;
}

export type LineLevel = 'error' | 'warning' | 'info' | 'progress';

export interface Findings {
  readonly engine: EngineId;
  readonly engineVersion: string | null;
  /** First line of this run in the file; null until one of the engine's opening lines was seen. */
  readonly runStart: DatedLine | null;
  /** How many runs began in what was read. */
  readonly runs: number;
  /** The engine's own ready line of this run (where it takes several lines, the last of them). */
  readonly ready: DatedLine | null;
  /** A line that only a dying engine prints, of this run. */
  readonly death: DatedLine | null;
  /** An exception of this run that nobody caught and no logger wrote, with no sign of life after it; after ready a later one. */
  readonly uncaught: LineRef | null;
  /** What a shell or supervisor says of the end of the process, with no sign of life after it; after ready a later one. */
  readonly ended: LineRef | null;
  /** A line of an orderly shutdown by a signal from outside, of this run. */
  readonly stopped: DatedLine | null;
  /** A line in which the engine itself says that it hangs (watchdog, third shm-broadcast warning). */
  readonly hang: DatedLine | null;
  readonly phases: readonly PhaseFinding[];
  readonly phase: PhaseId | null;
  readonly phaseModel: PhaseModel | null;
  /** How long this phase may be quiet before that means anything (ms). */
  readonly quietLimitMs: number;
  readonly ranks: readonly RankFinding[];
  readonly suspicions: readonly LineRef[];
  /** HTTP port named by the log or its server arguments. */
  readonly port: number | null;
  /** Path that answers 200 only when this engine, in this version, is ready (`/health`). */
  readonly readyPath: string | null;
  readonly serverArgs: Readonly<Record<string, unknown>> | null;
  /** Versions of packages that this run names: `torch` → `2.8.0`. */
  readonly packages: Readonly<Record<string, string>>;
  /** The program that only asks a server, where the log is its own and no server's. */
  readonly client: string | null;
  /** Patterns of the user that took too long, and so may have missed something. */
  readonly slowPatterns: readonly SlowPattern[];
  readonly lines: number;
  readonly bytes: number;
  /** Time of the last line by the log's own clock (ms, read as UTC); null where it has none. */
  readonly lastLogMs: number | null;
}

/** A line with its two times, so that it can be told whether it came before or after a process started. */
export interface DatedLine extends LineRef {
  /** By the log's own clock (ms, read as UTC); null where it has none. */
  readonly logMs: number | null;
  /** Arrival as given to `read`. */
  readonly at: number | null;
}

export interface PhaseFinding {
  readonly id: PhaseId;
  readonly title: string;
  readonly model: PhaseModel | null;
  readonly status: PhaseStatus;
  /** By the log's own clock, ms read as UTC; only differences mean something. */
  readonly startedLogMs: number | null;
  readonly endedLogMs: number | null;
  /** By arrival. */
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** 0 to 1. */
  readonly progress: number | null;
  readonly detail: string | null;
}

/** How far one rank has come, so that the ranks that lag behind can be named. */
export interface RankFinding {
  readonly rank: string;
  readonly phase: PhaseId;
  readonly model: PhaseModel | null;
  /** Goes up with each milestone that this rank printed. */
  readonly step: number;
  readonly lastLine: number;
}

/** What a live view knows of a stall, so that the report can say what to do. */
export interface StallFacts {
  readonly kind: 'still' | 'stopped' | 'dead-rank';
  /** Whom to look at: `TP3 (pid 4714)`; null where no rank stands out. */
  readonly who: string | null;
}

/** How the process of a launch ended, where the live view knows. */
export interface DeathFacts {
  readonly signal: string | null;
  readonly code: number | null;
  /** How often the kernel killed for memory in its cgroup meanwhile. */
  readonly oomKills: number;
}

export interface ReportFacts {
  /** Overrides the outcome that the log alone would give. */
  readonly outcome?: Report['outcome'];
  readonly stall?: StallFacts | null;
  readonly death?: DeathFacts | null;
  /** Size of the file, where the reader knows it better than the text without ANSI and line ends tells. */
  readonly bytes?: number;
}
