import type { EngineId, Outcome, PhaseId, PhaseModel, RemedyChange } from '../triage/report.js';

/** How an attempt ended, or stands: `gone` went after it was ready, and nobody knows how. */
export type HistoryOutcome = Outcome | 'gone';

/** One attempt as the history keeps it: a launch of ours, or a server that was watched. Times in ms by our clock. */
export interface HistoryEntry {
  readonly schema: 2;
  /** Boot id, pid and start ticks: which process it was. A later entry of the same id is the later word on it. */
  readonly id: string;
  readonly host: string;
  /** Name of the server; for one without a name its log, else its port (`serverKey`). */
  readonly name: string;
  /** Number of the launch by us; null for a server that someone else started. */
  readonly attempt: number | null;
  readonly outcome: HistoryOutcome;
  /** Why it crashed: the cause's line, and the category of the rule that knows it. */
  readonly cause: { readonly text: string; readonly category: string | null } | null;
  /** The last phase that was reached. */
  readonly reached: HistoryPhaseId | null;
  readonly startedAt: number | null;
  /** When it became ready, whatever became of it later. */
  readonly readyAt: number | null;
  /** When its outcome was known. */
  readonly endedAt: number | null;
  readonly engine: EngineId;
  readonly engineVersion: string | null;
  readonly model: string | null;
  /** GPUs by the tensor parallel size of the server arguments. */
  readonly tensorParallel: number | null;
  /** One line, secrets redacted. */
  readonly command: string;
  /** What the launch added to the environment, secrets redacted; null where that is not known. */
  readonly env: Readonly<Record<string, string>> | null;
  /** Folder in which it was launched, `~` for the home folder; null where that is not known. */
  readonly cwd: string | null;
  /** Commands that ran before the start; null where that is not known. */
  readonly before: readonly string[] | null;
  readonly log: string | null;
  /** What differs from the attempt before, in words. */
  readonly change: string | null;
  /** The remedy of the attempt before that was applied. */
  readonly remedy: { readonly id: string; readonly title: string } | null;
  /** Whether the change did away with the crash before it; null where there was none, or it cannot be told yet. */
  readonly helped: boolean | null;
  /** What could have been changed against its crash, so that the next attempt can tell what was taken. */
  readonly remedies: readonly {
    readonly id: string;
    readonly title: string;
    readonly change: RemedyChange | null;
  }[];
  /** In the order in which they came. */
  readonly phases: readonly HistoryPhase[];
  readonly serverArgs: Readonly<Record<string, unknown>> | null;
  /** Versions that the log names: `torch` → `2.8.0`. */
  readonly packages: Readonly<Record<string, string>>;
  /** Whether the weights came from the page cache; null where that cannot be told. */
  readonly cache: 'cold' | 'warm' | null;
  /** At most 40, as they stood when the outcome was known. */
  readonly lastLines: readonly string[];
}

export interface HistoryPhaseId {
  readonly id: PhaseId;
  readonly model: PhaseModel | null;
}

export interface HistoryPhase extends HistoryPhaseId {
  /** Null where neither clock tells. */
  readonly seconds: number | null;
  readonly isDone: boolean;
}

/** Under what a server's attempts are kept: its name, else its log, else its port. */
export function serverKey(server: {
  readonly name: string | null;
  readonly log: string | null;
  readonly port: number | null;
}): string {
  if (server.name !== null) return server.name;
  if (server.log !== null) return server.log;
  return server.port === null ? 'without a log' : `port ${server.port}`;
}

/** `entries` with `entry` in the place of the one with its id, else at the end. */
export function withEntry(entries: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const at = entries.findIndex(({ id }) => id === entry.id);
  return at < 0 ? [...entries, entry] : entries.with(at, laterWord(entries[at] ?? entry, entry));
}

/** What two looks at one attempt know together: the later one counts, but forgets nothing that only the earlier knew. */
export function laterWord(earlier: HistoryEntry, later: HistoryEntry): HistoryEntry {
  // A look that came late sees less of it: a crash that was seen stays one, whoever tidied up after it.
  const isCrash = earlier.outcome === 'crashed' && later.outcome !== 'ready' && later.outcome !== 'loading';
  const base = isCrash && later.outcome !== 'crashed' ? earlier : later;
  return {
    ...base,
    attempt: later.attempt ?? earlier.attempt,
    cause: base.cause ?? (base.outcome === 'crashed' ? earlier.cause : null),
    startedAt: later.startedAt ?? earlier.startedAt,
    readyAt: earlier.readyAt ?? later.readyAt,
    model: later.model ?? earlier.model,
    tensorParallel: later.tensorParallel ?? earlier.tensorParallel,
    engineVersion: later.engineVersion ?? earlier.engineVersion,
    env: later.env ?? earlier.env,
    cwd: later.cwd ?? earlier.cwd,
    before: later.before ?? earlier.before,
    change: later.change ?? earlier.change,
    remedy: later.remedy ?? earlier.remedy,
    helped: later.helped ?? earlier.helped,
    remedies: base.remedies.length > 0 ? base.remedies : earlier.remedies,
    phases: phasesOf(earlier, later),
    serverArgs: later.serverArgs ?? earlier.serverArgs,
    packages: { ...earlier.packages, ...later.packages },
    cache: later.cache ?? earlier.cache,
  };
}

/** The fuller list; times that were seen live are better than those of a log that was read afterwards. */
function phasesOf(earlier: HistoryEntry, later: HistoryEntry): readonly HistoryPhase[] {
  const timed = ({ phases }: HistoryEntry): number => phases.filter(({ seconds }) => seconds !== null).length;
  return timed(earlier) > timed(later) ? earlier.phases : later.phases;
}

/** Seconds from start to ready; null where it never was, or the start is not known. */
export function secondsToReady({ startedAt, readyAt }: HistoryEntry): number | null {
  return startedAt === null || readyAt === null ? null : Math.max(0, (readyAt - startedAt) / 1000);
}

/** The newest entry before the one with `id` that was ready and did not crash; null where there is none. */
export function lastGood(entries: readonly HistoryEntry[], id: string): HistoryEntry | null {
  return earlierThan(entries, id).findLast(({ readyAt, outcome }) => wasGood(readyAt, outcome)) ?? null;
}

const wasGood = (readyAt: number | null, outcome: HistoryOutcome): boolean =>
  outcome === 'ready' || (readyAt !== null && outcome !== 'crashed');

/** The entry before the one with `id`; null for the first. */
export function previousOf(entries: readonly HistoryEntry[], id: string): HistoryEntry | null {
  return earlierThan(entries, id).at(-1) ?? null;
}

function earlierThan(entries: readonly HistoryEntry[], id: string): readonly HistoryEntry[] {
  const at = entries.findIndex((entry) => entry.id === id);
  return at < 0 ? entries : entries.slice(0, at);
}
