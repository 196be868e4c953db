import type { TimeBox } from '../time-box.js';
import type { EngineId, PhaseId, PhaseModel, RemedyChange } from './ids.js';

/**
 * All that firedup knows of one engine, as data. Patterns are JavaScript regular expressions as strings,
 * matched anywhere in a line: prefixes, wrappers and progress bars may stand in front of what they mean.
 * Every rule carries sample lines, which one generic test runs.
 */
export interface EngineProfile {
  readonly id: EngineId;
  readonly title: string;
  readonly detect: readonly DetectRule[];
  readonly prefixes: readonly PrefixRule[];
  /** The engine's own phases in the usual order: what is shown as pending. */
  readonly checklist: readonly PhasePlan[];
  readonly phases: readonly PhaseRule[];
  readonly progress: readonly ProgressRule[];
  /** First line of a run; a second one in a file begins a new run. */
  readonly runStart: readonly LineRule[];
  /** Where the engine prints its arguments: what follows the match is `(k=v, …)` or `{'k': v, …}`. */
  readonly args: readonly LineRule[];
  /** Group `v`. */
  readonly version: readonly LineRule[];
  /** Group `port`. */
  readonly port: readonly LineRule[];
  readonly ready: readonly ReadyRule[];
  /** Only a dying engine prints these. */
  readonly death: readonly EndedRule[];
  /** The process is at its end: counts when nothing of the engine follows in a finished file. */
  readonly ended: readonly EndedRule[];
  /** Orderly shutdown by a signal from outside. */
  readonly stopped: readonly EndedRule[];
  readonly hang: readonly HangRule[];
  /** Alarming words, no harm. With `traceback` the traceback that follows is harmless too. */
  readonly benign: readonly BenignRule[];
  /** Never named as the cause; `soft` ones are, where the log names nothing else. */
  readonly consequences: readonly ConsequenceRule[];
  /** Earlier lines that tell more of a failure than its own line does. */
  readonly hints: readonly HintRule[];
  readonly failures: readonly FailureRule[];
  /** Which phase a crash belongs to by the functions in its traceback, the first match counts. */
  readonly frames: readonly FrameRule[];
  /** Group 1 is the engine's own part of a source path. */
  readonly codePath: string;
  readonly readyPath: ReadyPath;
  /** Keys of the printed arguments that decide about drafts and ports. */
  readonly argKeys: ArgKeys;
  /** Which patterns are the user's; absent where all are built in. */
  readonly own?: OwnPatterns;
}

/** Nobody has tried the user's patterns on every log, so each look by one has a limit on its time. */
export interface OwnPatterns {
  readonly sources: ReadonlySet<string>;
  readonly timeBox: TimeBox;
}

export interface LineRule {
  readonly pattern: string;
  readonly samples: readonly string[];
}

export interface DetectRule extends LineRule {
  /** 100 settles it at once; smaller ones add up. */
  readonly weight: number;
}

export interface PrefixRule extends LineRule {
  /** Whether each line of a traceback carries this prefix again (vLLM) or only the first (SGLang). */
  readonly repeats: boolean;
  /** How deep in the process tree the writer is: 0 the main process, 3 a worker. */
  readonly depth: number;
}

export interface PhasePlan {
  readonly id: PhaseId;
  readonly model: PhaseModel | null;
  readonly title: string;
  /** How long no line may come before that means anything (ms). */
  readonly quietLimitMs: number;
  /** Not shown as pending unless the arguments or a line say so. */
  readonly optional?: boolean;
  /** Dropped from the list when this argument is true. */
  readonly unlessArg?: string;
}

export interface PhaseRule extends LineRule {
  readonly phase: PhaseId;
  /** `mark`: belongs to the phase, neither its beginning nor its end. */
  readonly event: 'begin' | 'end' | 'mark';
  /** `auto`: the draft's when this rank ended the phase before; null for phases without a model. */
  readonly model: PhaseModel | 'auto' | null;
  /** First engine version with this wording: a lower bound for the version of the log. */
  readonly since?: string;
  /** Group of the pattern that is the detail shown. */
  readonly detail?: string;
}

/** A progress bar, recognised by what stands before its percentage; `^$` is a bare bar. */
export interface ProgressRule extends LineRule {
  readonly phase: PhaseId;
  readonly unit: string;
  /** Begins the phase when it has not begun; otherwise only moves it. */
  readonly begins: boolean;
  readonly since?: string;
}

export interface ReadyRule extends LineRule {
  /** Counts only when this argument is set to something but 0 or None. */
  readonly ifArg?: string;
  /** As many such lines as this argument says are needed. */
  readonly countArg?: string;
  /** Says nothing behind a dying line: answers that were under way are logged late. */
  readonly unlessDead?: boolean;
  /** Counts only where the arguments of this run were not seen: the head of the log is missing. */
  readonly onlyHeadless?: boolean;
  /** Another line that must have come (before or after), once `unlessSeen`'s forerunner was seen. */
  readonly needs?: { readonly after: string; readonly line: string };
}

export interface EndedRule extends LineRule {
  /** `only`: says something after ready alone; `never`: nothing after ready. */
  readonly afterReady?: 'only' | 'never';
  /** The same of work that the engine has done for a script of its own process (`src/engines/shared/offline-work.ts`). */
  readonly afterWork?: 'only' | 'never';
  /**
   * Of `stopped`: said by the handler of a signal alone, so it holds for deaths without a cause just before it as well. Of
   * `ended`: somebody's SIGKILL or SIGTERM ended it, so what it went on behind is not why.
   */
  readonly bySignal?: boolean;
  /** Only where no line of the engine came before it: later it is said of a program that the engine has tried. */
  readonly beforeStart?: boolean;
  /** Of `ended`: only where hardly a line follows. A script may go on behind it. */
  readonly last?: boolean;
  /**
   * Of `stopped`: said in any end that is no crash of its own, so it yields to an exception that nobody caught, and to a
   * sign of life.
   */
  readonly orderly?: boolean;
}

export interface HangRule extends LineRule {
  /** How many such lines make it a hang. */
  readonly times: number;
}

export interface BenignRule extends LineRule {
  readonly traceback?: boolean;
  /** Its traceback is named as the cause where the log of a crash holds nothing better. */
  readonly mayMatter?: boolean;
  /** Holds users' text: no rule may look into it. */
  readonly opaque?: boolean;
}

export interface ConsequenceRule extends LineRule {
  readonly soft?: boolean;
}

export interface HintRule extends LineRule {
  /** The failure that it explains. */
  readonly category: string;
}

export interface FrameRule {
  readonly pattern: string;
  readonly phase: PhaseId;
}

export interface FailureRule extends LineRule {
  readonly category: string;
  /** `line`: the line itself names the cause, without a Python exception. */
  readonly on: 'exception' | 'line' | 'both';
  /** Only while one of these phases is the current one. */
  readonly during?: readonly PhaseId[];
  readonly model?: PhaseModel;
  /** Where in the start this failure stands, for logs whose lines do not reach that far. */
  readonly phase?: PhaseId;
  readonly remedies: readonly RemedyRule[];
}

/** `{name}` in texts and values stands for a group of the failure's pattern or a computed value. */
export interface RemedyRule {
  readonly id: string;
  readonly title: string;
  readonly why: string;
  readonly change?: RemedyChange;
  readonly url?: string;
  readonly compute?: RemedyCompute;
}

/** Values worked out from the failing line and the printed arguments; a remedy whose value is unknown loses its change. */
export type RemedyCompute =
  | 'lower-mem-fraction'
  | 'raise-mem-fraction'
  | 'lower-gpu-utilization'
  | 'raise-gpu-utilization'
  | 'halve-tp'
  | 'double-tp'
  | 'next-port';

export interface ReadyPath {
  /** True of every version, or of an unknown one. */
  readonly path: string;
  readonly newer?: { readonly since: string; readonly path: string };
}

export interface ArgKeys {
  readonly port?: string;
  readonly speculative?: readonly string[];
  readonly tensorParallel?: string;
  readonly tensorParallelFlag?: string;
  readonly memFraction?: string;
  readonly memFractionDefault?: number;
}
