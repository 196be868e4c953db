import type { LogLine } from '../ingest/line.js';
import type { GpuReading, HostSample } from '../ingest/telemetry.js';
import type { TimeBox } from '../time-box.js';
import type { Reading } from '../triage/findings.js';
import type { Outcome } from '../triage/report.js';
import type { Dialog } from './dialog-state.js';
import type { ActionStep, Attempt, HealthAnswer, HostFacts, Link, Target } from './events.js';
import type { HistoryEntry } from './history.js';
import type { LogRing } from './log-ring.js';
import type { ProcessFact } from './process-fact.js';
import type { RelaunchForm } from './relaunch-form.js';
import type { Roster } from './roster.js';
import type { ViewState } from './view-state.js';

/** All that firedup knows. Plain readonly data, but for `log.ring`, the searches in it, `timeBox` and `reading` (see there). */
export interface State {
  /** Time of the last event. */
  readonly now: number;
  /** When this view began. */
  readonly beganAt: number;
  readonly target: Target;
  readonly link: Link;
  /** When the connection that stands was made: what is older was seen over another one, and may have changed. */
  readonly upSince: number;
  /** Since when we have been listening without a break (a loss, a sleep): silence before it proves nothing. */
  readonly listeningSince: number;
  readonly host: HostFacts | null;
  readonly log: LogState;
  /** What the user's own patterns are tried in. */
  readonly timeBox: TimeBox;
  readonly reading: Reading;
  readonly process: ProcessState;
  readonly health: HealthState | null;
  readonly gpus: GpuState | null;
  readonly activity: ActivityState;
  readonly quiet: QuietState;
  readonly roster: Roster;
  /** Size of the checkpoint's files; null while nobody has looked. */
  readonly modelBytes: number | null;
  readonly weightsMark: WeightsMark | null;
  /** Null before the target's weights began under our eyes. */
  readonly diskReads: DiskReads | null;
  /** The launch of ours that is being watched. */
  readonly attempt: Attempt | null;
  /** Commands that ran before the start of what is watched; null where that is not known. */
  readonly ranBefore: readonly string[] | null;
  /** Attempts at this server that are over, of earlier views too, oldest first; what is kept of the present one may be among them. */
  readonly history: readonly HistoryEntry[];
  /** The present attempt as it stood when a kill or relaunch began; null before that. */
  readonly sealed: HistoryEntry | null;
  /** When what is watched was first known to be ready; null before that. */
  readonly readySince: number | null;
  /** What the next relaunch changes; filled by remedies and by hand, emptied when it is used. */
  readonly form: RelaunchForm;
  /** A relaunch looks at the host before the start. */
  readonly looksFirst: boolean;
  readonly verdict: Verdict;
  /** Whether it has been said how things stand, be it provisionally. */
  readonly hasJudged: boolean;
  readonly action: ActionState | null;
  readonly dialog: Dialog | null;
  readonly view: ViewState;
  readonly notice: Notice | null;
}

export interface LogState {
  /** The file that is being read; null before the first word of it. */
  readonly path: string | null;
  /** Of a container: the start of the run whose log it is; null for a file, which may hold several. */
  readonly run: string | null;
  readonly status: 'unknown' | 'missing' | 'unreadable' | 'open';
  /** Why it is unreadable, or which file the process writes to while ours is missing. */
  readonly detail: string | null;
  readonly offset: number;
  readonly size: number;
  /** Last change of the file by the host's clock (ms) when it was opened. */
  readonly modifiedAt: number | null;
  /** False while what was there at the opening is still being read: verdicts over it are provisional. */
  readonly caughtUp: boolean;
  /** We watch the place where the next file will come: it is missing, or its predecessor was rotated away. */
  readonly awaited: boolean;
  /** The last word of any kind about the log. */
  readonly heardAt: number | null;
  /**
   * Where an earlier connection had read to the end, and when: lines after `line` were written later than that. Null
   * where that does not hold for this file.
   */
  readonly before: { readonly line: number; readonly at: number } | null;
  /** Bytes known to be lost, and in how many gaps (a gap of unknown size counts without bytes). */
  readonly gapBytes: number;
  readonly gaps: number;
  /** What is shown. */
  readonly ring: LogRing;
  /** Sequence number from which on its lines are of what is watched now; those before are of earlier attempts. */
  readonly runFrom: number;
  /** Set while `ring` (and mostly `reading`) holds the newest lines of a log that is still being read in order. */
  readonly ahead: LogAhead | null;
  /** The unfinished last line. */
  readonly partial: string;
  /** Arrival of the last new bytes. */
  readonly lastAt: number | null;
  /** Host's clock minus the log's own (ms), as a dated line showed when it arrived live; null before that. */
  readonly clockOffsetMs: number | null;
}

/** The two readings of a large log: the one in order takes over when it has come as far as the other. */
export interface LogAhead {
  /** What was read in order. */
  readonly ring: LogRing;
  readonly reading: Reading;
  /** What the newest lines are read by. */
  readonly newest: Reading;
  /** The file's first lines, which `newest` has read before them; null where it stands for no verdict. */
  readonly head: readonly LogLine[] | null;
  /** The shown ring has lines of its own from this sequence number on. */
  readonly from: number;
}

export interface ProcessState {
  readonly fact: ProcessFact | null;
  /** When it was told. */
  readonly at: number;
  /** We saw it alive, or our launch recorded it: only then can it be *gone*. */
  readonly seenAlive: boolean;
  /** As it was when it was last seen alive. */
  readonly lastSeen: Extract<ProcessFact, { readonly status: 'alive' }> | null;
  /** When the process that runs, or ran last, was first seen; and its start by the host's clock (ms). */
  readonly aliveSince: number | null;
  readonly startedAt: number | null;
  readonly changedAt: number | null;
  /** Where another one ran before it: when we were told of that one's end, and its own birth, by our clock (ms). */
  readonly successor: { readonly endAt: number | null; readonly bornAt: number } | null;
  /** What runs, or ran last, is ended by a kill or relaunch of ours: that it goes is no crash. */
  readonly endedByUs: boolean;
}

export interface HealthState {
  readonly answer: HealthAnswer;
  readonly at: number;
  /** When it was first seen to turn from another answer to a 200; null where it said 200 when we came. */
  readonly becameOkAt: number | null;
  /** Since when every answer was a 200 from our own listener; null when the last one was not. */
  readonly okSince: number | null;
  /** The same, where whose listener it is may also be unreadable. */
  readonly openSince: number | null;
}

export interface GpuState {
  readonly lastGood: Extract<GpuReading, { status: 'ok' }> | null;
  readonly goodAt: number | null;
  /** The newest answer where it was no reading. */
  readonly trouble: Exclude<GpuReading, { status: 'ok' }> | null;
  readonly troubleAt: number | null;
  /** Memory share per GPU over time, newest last, 0 to 1; null where unknown. */
  readonly history: readonly (readonly (number | null)[])[];
  /** Growth of the memory in use over all GPUs between the last two readings. */
  readonly growthMiBps: number;
  /** When the first of the two was made; null where there is but one. */
  readonly growthFrom: number | null;
  /** What each GPU does, in the order of `lastGood.gpus`. */
  readonly work: readonly GpuWork[];
  /** Lowest power seen of each GPU, by its UUID (W). */
  readonly idleW: Readonly<Record<string, number>>;
  /** When each was last seen spinning, by uuid, where it has not worked since (ms). */
  readonly spunAt: Readonly<Record<string, number>>;
  /** Memory in use of each at the last change that counted, and when (MiB); null where it is not known. */
  readonly mark: { readonly at: number; readonly usedMiB: readonly (number | null)[] } | null;
}

/**
 * `spinning` is full utilisation at idle-like power: a kernel that only waits for the other ranks. `unclear` is full
 * utilisation of unknown power; null where the tool tells no utilisation.
 */
export type GpuWork = 'idle' | 'working' | 'spinning' | 'unclear' | null;

/** Signs of life besides the log. */
export interface ActivityState {
  readonly sample: HostSample | null;
  readonly at: number | null;
  /** The sample before it, against which the rates are measured; null where there is none. */
  readonly ratesFrom: number | null;
  /** Since when samples have come without a gap; null before the first. */
  readonly coveredSince: number | null;
  /** Processes that wait for I/O in this sample and did in the one before, and where; see `ioWaitsOf`. */
  readonly ioWaits: readonly { readonly wchan: string | null }[];
  /** The sample that the next ones are measured against: small rates show over ten seconds only. */
  readonly mark: { readonly sample: HostSample; readonly at: number } | null;
  /** Last time that something other than the log moved: disk reads, RSS, GPU memory, a compiler at work. */
  readonly movedAt: number | null;
  /** Last time of work that may be progress or not: CPU time that no waiting explains, reads that may not be read. */
  readonly busyAt: number | null;
  readonly readBytesPerSecond: number;
  readonly rssMiBps: number;
  /** Growth of the host's page cache. */
  readonly cachedMiBps: number;
  readonly rxBytesPerSecond: number;
  readonly cores: number;
  readonly isCompiling: boolean;
}

export interface Verdict {
  readonly outcome: Outcome;
  /** Not final: the log's middle is still being read, or the link is down. */
  readonly provisional: boolean;
  /** One short sentence for people. */
  readonly summary: string;
  readonly evidence: readonly Evidence[];
  readonly since: number;
}

export interface Evidence {
  readonly witness: 'log' | 'http' | 'process' | 'gpu' | 'quiet' | 'link';
  readonly text: string;
  readonly lineNumber: number | null;
}

export interface ActionState {
  readonly kind: 'kill' | 'relaunch';
  readonly startedAt: number;
  /** The verdict when it began. */
  readonly before: Verdict;
  /** A process ran then that had not crashed: its end is our doing. */
  readonly ends: boolean;
  readonly steps: readonly StepState[];
  readonly finished: boolean;
}

/** One row of a checklist, and when it began and was over (null: it is not). */
export interface StepState extends ActionStep {
  readonly since: number;
  readonly until: number | null;
}

export interface Notice {
  readonly at: number;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** How long it stays in sight (ms). */
  readonly forMs: number;
}

/** Read from the disk itself since the target's weights began, to be folded after each sample of the host. */
export interface DiskReads {
  /** What the processes had read before, bytes. */
  readonly before: number;
  /** The most that they have read since, bytes: a process that ends takes its count along. */
  readonly since: number;
}

/** How long the launch itself has given no sign: no new words in the log, no new process. */
export interface QuietState {
  /** Time over which the link was up and we ran. */
  readonly silentMs: number;
  /** Of that, what lies between samples of the host. */
  readonly watchedMs: number;
  /** The last few lines without their times: what only comes again and again is no sign. */
  readonly heard: readonly string[];
}

/** What GPUs and processes had when the weights began, so that what came since can be measured. */
export interface WeightsMark {
  readonly usedMiB: number | null;
  readonly readBytes: number | null;
}
