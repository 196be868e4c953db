import type { LogLine } from '../ingest/line.js';
import type { GpuReading, HostSample } from '../ingest/telemetry.js';
import type { Reading } from '../triage/findings.js';
import type { EngineId, RemedyChange } from '../triage/report.js';
import type { DialogLook } from './dialog-look.js';
import type { HistoryEntry } from './history.js';
import type { Intent } from './intents.js';
import type { ProcessFact, SeenContainer } from './process-fact.js';
import type { RelaunchForm } from './relaunch-form.js';

/** Everything that can happen. `at` is ms since the epoch and the only clock that the core knows. */
export type Event =
  /** `slept`: the one before was so long ago that this machine must have been asleep, or held up. */
  | { readonly type: 'tick'; readonly at: number; readonly slept?: boolean }
  | { readonly type: 'link'; readonly at: number; readonly link: Link }
  /** The login that is under way asks something; null: it has its answer. */
  | { readonly type: 'question'; readonly at: number; readonly question: LoginQuestion | null }
  | { readonly type: 'host'; readonly at: number; readonly host: HostFacts }
  | LogEvent
  | { readonly type: 'gpus'; readonly at: number; readonly reading: GpuReading }
  | {
      readonly type: 'host-sample';
      readonly at: number;
      readonly sample: HostSample;
    }
  | {
      readonly type: 'process';
      readonly at: number;
      readonly process: ProcessFact;
    }
  | {
      readonly type: 'health';
      readonly at: number;
      readonly answer: HealthAnswer;
    }
  /** A launch by us began: everything that the log says from here on is a new run. */
  | {
      readonly type: 'attempt';
      readonly at: number;
      readonly attempt: Attempt;
      /** Started just now, so that all its log will come under our eyes; false: found, with a log of any age. */
      readonly isNew: boolean;
      /** A fresh reading for its log. */
      readonly reading: Reading;
      /** Commands that ran before its start; absent where that is not known. */
      readonly before?: readonly string[];
    }
  /** What is kept of earlier attempts at this server, oldest first. */
  | { readonly type: 'history'; readonly at: number; readonly entries: readonly HistoryEntry[] }
  | {
      readonly type: 'action';
      readonly at: number;
      readonly action: ActionStep;
    }
  /** Something besides a remedy proposes a change for the next relaunch. */
  | { readonly type: 'proposal'; readonly at: number; readonly change: RemedyChange }
  /** What the host says about what the dialog that was opened then asks. */
  | {
      readonly type: 'dialog-look';
      readonly at: number;
      readonly openedAt: number;
      readonly look: DialogLook;
    }
  /** The relaunch form was edited as a whole; null with a problem: what came back cannot be used. */
  | {
      readonly type: 'form';
      readonly at: number;
      readonly form: RelaunchForm | null;
      readonly problem: string | null;
    }
  | {
      readonly type: 'notice';
      readonly at: number;
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      /** How long it stays (ms), where that is not as long as it takes to be read. */
      readonly forMs?: number;
    }
  /** Size of the checkpoint's files on disk, for the progress of an engine that draws no bar. */
  | { readonly type: 'model-size'; readonly at: number; readonly bytes: number }
  /** There is time to look at so many lines more for the filter. */
  | { readonly type: 'search'; readonly at: number; readonly lines: number }
  | { readonly type: 'intent'; readonly at: number; readonly intent: Intent };

export type Link =
  | { readonly status: 'connecting' }
  | { readonly status: 'up' }
  /** Broken; the next try is at `retryAt`. */
  | {
      readonly status: 'down';
      readonly reason: string;
      readonly retryAt: number;
    }
  /**
   * Broken, and not tried again by itself: the login needs an answer, or it was refused (host key, wrong answer). Only
   * the user goes on; `trying` while that is under way.
   */
  | {
      readonly status: 'waiting';
      readonly reason: string;
      readonly needs: 'answer' | 'retry';
      readonly trying: boolean;
    }
  /** Given up: refused key, failed login, and nobody there who could go on. */
  | { readonly status: 'lost'; readonly reason: string };

/** One line that the login wants typed. The answer is nowhere in the core. */
export interface LoginQuestion {
  readonly heading: readonly string[];
  readonly text: string;
  /** Whether what is typed may be seen. */
  readonly echo: boolean;
}

export interface HostFacts {
  readonly hostname: string;
  readonly user: string;
  readonly os: string;
  readonly bootId: string | null;
  /** Host's clock minus ours, ms: what the host dates is compared with arrivals through it. */
  readonly clockSkewMs: number;
  /** Host's time zone: local time minus UTC, ms. Logs are stamped in it, or in UTC from a container. */
  readonly utcOffsetMs: number;
}

export type LogEvent =
  | {
      readonly type: 'log-file';
      readonly at: number;
      readonly change: LogFileChange;
    }
  | {
      readonly type: 'log-lines';
      readonly at: number;
      readonly lines: readonly LogLine[];
      /** Bytes of this file read so far, and its size when last looked at. */
      readonly offset: number;
      readonly size: number;
    }
  /** The newest lines of a large log, ahead of the order in which it is read. */
  | { readonly type: 'log-ahead'; readonly at: number; readonly change: LogAheadChange }
  /** The unfinished last line, its frames so far; empty when there is none any more. */
  | {
      readonly type: 'log-partial';
      readonly at: number;
      readonly text: string;
    };

export type LogFileChange =
  /** Not there yet; `writesTo` is the file that the server's process has open for writing instead. */
  | { readonly kind: 'missing'; readonly writesTo: string | null }
  | { readonly kind: 'unreadable'; readonly reason: string }
  /** `resumed`: the same bytes go on; otherwise a new file starts at its first line. */
  | {
      readonly kind: 'opened';
      readonly path: string;
      readonly offset: number;
      readonly size: number;
      readonly modifiedAt: number | null;
      readonly resumed: boolean;
      /** Of a container: the start of the run whose log this is, from its first line on and no other's. */
      readonly run?: string;
    }
  /** All that was there at the opening has been read. */
  | { readonly kind: 'caught-up' }
  /** Cut to nothing or less; `lostBytes` could not be read before. */
  | { readonly kind: 'truncated'; readonly lostBytes: number | null }
  /**
   * Renamed away and read to its end; its successor is opened next. `late`: that had happened while nobody looked, or
   * long before its end was read, so what the successor holds then need not be new.
   */
  | { readonly kind: 'rotated'; readonly late: boolean }
  | { readonly kind: 'gap'; readonly bytes: number | null };

export type LogAheadChange =
  /**
   * They begin, or begin anew, `skippedBytes` after what was read in order so far (null: of a container nobody knows how
   * many). `fromStart`: that is the file's beginning, and nothing else.
   */
  | { readonly kind: 'began'; readonly skippedBytes: number | null; readonly fromStart: boolean }
  /** `isLive`: written just now. `partial` is the unfinished last line. */
  | {
      readonly kind: 'lines';
      readonly lines: readonly string[];
      readonly partial: string;
      readonly isLive: boolean;
    }
  /** What was read in order has come as far. */
  | { readonly kind: 'ended' };

export interface HealthAnswer {
  readonly port: number;
  readonly path: string;
  /** `given` (option or config) must answer before READY; the others are shown and never a veto. */
  readonly source: 'given' | 'log' | 'command';
  readonly result:
    | { readonly kind: 'status'; readonly code: number }
    | { readonly kind: 'refused' }
    | { readonly kind: 'timeout' }
    | { readonly kind: 'failed'; readonly reason: string };
  /** Whether the listener belongs to the server's tree; null where that cannot be read. */
  readonly owned: boolean | null;
  /** Of a `status`: where it answered, as the host sees it, without brackets. */
  readonly address?: string;
  /** It answered by TLS. */
  readonly isSecure?: boolean;
}

/** One launch by us, as its state folder on the host describes it. */
export interface Attempt {
  readonly number: number;
  readonly name: string;
  readonly folder: string;
  readonly log: string;
  /** File that its command was seen to send its output to itself, while `log` stayed empty. */
  readonly writesTo?: string;
  /** The log was empty, or not there, when the command was started. */
  readonly logIsFresh: boolean;
  /** It was ended on purpose, by this firedup or another. */
  readonly wasKilled: boolean;
  /** For display: secrets redacted. */
  readonly command: string;
  /** What the launch added to the environment, for display: secrets redacted. Absent where it is not recorded. */
  readonly env?: Readonly<Record<string, string>>;
  /** Folder that was asked for; null: the home folder. Absent where it is not recorded. */
  readonly cwd?: string | null;
  /** Steps that ran before the start, secrets redacted. Absent where they are not recorded. */
  readonly before?: readonly string[];
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
  readonly startedAt: number;
}

/** One line of the checklist of a kill or relaunch. */
export interface ActionStep {
  readonly action: 'kill' | 'relaunch';
  readonly step: 'kill' | 'gpus-free' | 'before' | 'preflight' | 'start' | 'finished';
  /** `asks`: it waits for an answer. */
  readonly status: 'active' | 'done' | 'failed' | 'asks';
  readonly text: string;
  /** Signals have gone out to what is to be ended. */
  readonly isSignal?: boolean;
  /** More lines below it. */
  readonly details?: readonly string[];
}

/** What the user told us to watch. */
export interface Target {
  readonly host: string;
  readonly name: string | null;
  readonly log: string | null;
  readonly pid: number | null;
  readonly port: number | null;
  /** It runs in this container; `ports` maps those in it to the host's. Null in `ports`: they are the same. */
  readonly container?: (SeenContainer & { readonly ports: ReadonlyMap<number, number> | null }) | null;
  readonly engine: EngineId | null;
  readonly readOnly: boolean;
  /** Divides the time limits of the stall rule; 1 but in the demo. */
  readonly timeScale: number;
  /** The command line that comes back to this view, printed on leaving. */
  readonly comeBack: string;
}
