import { freshWork } from './gpu-work.js';
import { kernelEvidence, oomKillsSeen } from './kernel-evidence.js';
import { staleSampleMs } from './quiet.js';
import { deadRank, rankName, stoppedRanks } from './ranks.js';
import { phaseName } from './ruling.js';
import type { Evidence, State } from './state.js';
import { durationText } from './words.js';

/** How long nothing may have moved, besides the quiet log, before it is called a stall (ms). */
const stillMs = 60_000;

/**
 * A share or a hub may pause for minutes between two bytes: how long nothing at all may have moved, at least (ms) and
 * as a share of what is normal for the phase, before the quiet log is called a stall.
 */
const pause = { ms: 240_000, share: 0.5 };

/** The same where the engine itself says that it waits (ms). */
const saidSoMs = 200_000;

/** Samples come once a second: scaled limits do not go below some of them (ms). */
const leastStillMs = 4000;

/** A rank that somebody stopped needs no more proof than this (ms). */
const stoppedMs = 120_000;

/** Work that may be waiting, or nothing to be seen at all: so many times the phase's normal, and at least (ms). */
const unclear = { times: 3, leastMs: 60 * 60_000 };

export type Quiet =
  /** Something happened within this phase's own normal. */
  | { readonly kind: 'normal' }
  /** Quiet for longer than normal, but something moves, or nothing can be seen of it. */
  | { readonly kind: 'slow'; readonly text: string }
  | { readonly kind: 'stalled'; readonly summary: string; readonly evidence: readonly Evidence[] };

/**
 * Tells a slow launch from a hung one (contract, rule 5). Hung is, besides a dead rank: the log quiet for longer
 * than this phase's normal **and** nothing else moves; or the engine's own word for it, while nothing
 * moves. What cannot be seen is no stillness: then only time tells, much later.
 */
export function judgeQuiet(state: State): Quiet {
  const findings = state.reading.findings();
  const { quiet } = state;
  const scale = state.target.timeScale;
  const limitMs = findings.quietLimitMs / scale;
  const seen = lookAround(state);
  const isStill = seen.kind === 'still' && seen.forMs >= stillFor(scale);
  const stopped = judgeStopped(state, limitMs, isStill);
  if (stopped) return stopped;
  const stalled = (evidence: readonly Evidence[]): Quiet => ({
    kind: 'stalled',
    summary: `nothing moves in ${phaseName(findings)}`,
    evidence: [...evidence, ...lagging(state)],
  });
  if (findings.hang && saysSo(state, seen, isStill, limitMs)) {
    const { line, lineNumber } = findings.hang;
    return stalled([{ witness: 'log', text: line, lineNumber }, ...around(state, seen)]);
  }
  if (quiet.silentMs <= limitMs) return { kind: 'normal' };
  const lateMs = Math.max(unclear.times * limitMs, unclear.leastMs / scale);
  // Totals that stand tell of the time in which nobody looked as well.
  const movedMs = state.now - (state.activity.movedAt ?? Number.NEGATIVE_INFINITY);
  const isLate = seen.kind !== 'moving' && Math.min(quiet.silentMs, movedMs) > lateMs;
  const quietFor = `log quiet for ${durationText(quiet.silentMs)}, normal in this phase is up to ${durationText(limitMs)}`;
  const isHung = isStill && movedMs >= pauseFor(limitMs, scale) && quiet.watchedMs > limitMs;
  if (!isLate && !isHung && !stays(state, seen)) {
    return { kind: 'slow', text: `${quietFor}${seenText(seen)}` };
  }
  return stalled([{ witness: 'quiet', text: quietFor, lineNumber: null }, ...around(state, seen)]);
}

const pauseFor = (limitMs: number, scale: number): number =>
  Math.max(stillFor(scale), Math.min(limitMs, pause.ms / scale), limitMs * pause.share);

const stillFor = (scale: number): number => Math.max(leastStillMs, stillMs / scale);

type Surroundings =
  | { readonly kind: 'moving' }
  /** Somebody computes; whether that is work cannot be told. */
  | { readonly kind: 'busy' }
  /** Nothing moves, and has not for so long under our eyes. */
  | { readonly kind: 'still'; readonly forMs: number; readonly isSpinning: boolean }
  | { readonly kind: 'unseen' };

/** What else moves, besides the log. */
function lookAround(state: State): Surroundings {
  const { activity, now } = state;
  const { at, coveredSince, sample } = activity;
  const scale = state.target.timeScale;
  const isSeen = at !== null && now - at <= staleSampleMs && (sample?.processes.length ?? 0) > 0;
  const movedMs = now - (activity.movedAt ?? Number.NEGATIVE_INFINITY);
  if (movedMs < stillFor(scale)) return { kind: 'moving' };
  if (!isSeen || coveredSince === null) return { kind: 'unseen' };
  if (now - (activity.busyAt ?? Number.NEGATIVE_INFINITY) < stillFor(scale)) return { kind: 'busy' };
  const forMs = Math.min(movedMs, now - coveredSince, now - state.listeningSince);
  return { kind: 'still', forMs, isSpinning: freshWork(state).includes('spinning') };
}

function seenText(seen: Surroundings): string {
  switch (seen.kind) {
    case 'moving':
      return ', but something moves';
    case 'busy':
      return ', but the CPU works';
    case 'still':
      return '; nothing else moves either';
    case 'unseen':
      return '; nothing is known of disk, GPU and CPU';
  }
}

/**
 * The engine's word counts while nothing moves: vLLM's warning comes every minute of a long compilation as well. Where
 * nothing can be seen it shortens the wait.
 */
function saysSo(state: State, seen: Surroundings, isStill: boolean, limitMs: number): boolean {
  const { quiet, target, activity, now } = state;
  const scale = target.timeScale;
  const movedMs = now - (activity.movedAt ?? Number.NEGATIVE_INFINITY);
  const leastMs = Math.min(limitMs, Math.max(leastStillMs, saidSoMs / scale));
  if (isStill) return movedMs >= leastMs && quiet.watchedMs > Math.min(limitMs, stillFor(scale));
  return seen.kind === 'unseen' && quiet.silentMs > 2 * limitMs;
}

/** A rank is gone under a living parent: no time need pass but for the engine to say so itself. */
export function judgeDeadRank(state: State): Quiet | null {
  const dead = deadRank(state);
  if (!dead) return null;
  const evidence: Evidence[] = [
    {
      witness: 'process',
      text: `${dead.name} (pid ${dead.pid}) went, its parent (pid ${dead.parent}) lives and says nothing of it`,
      lineNumber: null,
    },
  ];
  evidence.push(...kernelEvidence(state));
  const suspicion = state.reading.findings().suspicions.at(-1);
  if (suspicion) evidence.push({ witness: 'log', text: suspicion.line, lineNumber: suspicion.lineNumber });
  const why = oomKillsSeen(state) > 0 ? ', killed for memory' : '';
  return {
    kind: 'stalled',
    summary: `rank ${dead.name} (pid ${dead.pid}) is gone${why}; its parent waits`,
    evidence,
  };
}

/** Somebody stopped a rank (SIGSTOP, a debugger): the others wait for it, sooner or later. */
function judgeStopped(state: State, limitMs: number, isStill: boolean): Quiet | null {
  const scale = state.target.timeScale;
  const stopped = stoppedRanks(state);
  const [first] = stopped;
  if (!first) return null;
  const sinceMs = state.now - Math.min(...stopped.map(({ stoppedAt }) => stoppedAt));
  const isQuiet = isStill && state.quiet.watchedMs > Math.min(limitMs, stoppedMs / scale);
  if (!isQuiet && sinceMs <= limitMs) return null;
  const names = stopped.map((each) => `${rankName(state, each)} (pid ${each.pid})`);
  return {
    kind: 'stalled',
    summary: `${names.length === 1 ? names[0] : `${names.length} processes`} stopped: nothing goes on without it`,
    evidence: [
      {
        witness: 'process',
        text: `state T (stopped) for ${durationText(sinceMs)}: ${names.slice(0, 8).join(', ')}`,
        lineNumber: null,
      },
      ...lagging(state),
    ],
  };
}

/** Said already, and no life has returned since: that the samples stop coming is no life. */
function stays({ verdict, quiet, now }: State, seen: Surroundings): boolean {
  const isOfQuiet = verdict.evidence[0]?.witness === 'quiet';
  const isBlind = seen.kind === 'unseen' || seen.kind === 'still';
  return verdict.outcome === 'stalled' && isOfQuiet && isBlind && quiet.silentMs >= now - verdict.since;
}

/** What the host shows of it, as evidence. */
function around(state: State, seen: Surroundings): readonly Evidence[] {
  const { cores } = state.activity;
  if (seen.kind === 'unseen') {
    const text = 'nothing is known of disk, GPU and CPU: only the time tells';
    return [{ witness: 'quiet', text, lineNumber: null }];
  }
  if (seen.kind === 'busy') {
    const text = `CPU ${cores.toFixed(1)} cores, but no disk reads and no memory growth for all that time`;
    return [{ witness: 'process', text, lineNumber: null }];
  }
  if (seen.kind !== 'still') return [];
  const text = `nothing moved for ${durationText(seen.forMs)}: no disk reads, no memory growth, CPU ${cores.toFixed(1)} cores`;
  const evidence: Evidence[] = [{ witness: 'process', text, lineNumber: null }];
  if (seen.isSpinning) evidence.push({ witness: 'gpu', text: spinText(state), lineNumber: null });
  return evidence;
}

function spinText(state: State): string {
  const work = freshWork(state);
  const indices = (wanted: boolean): string =>
    (state.gpus?.lastGood?.gpus ?? [])
      .filter((_, place) => (work[place] === 'spinning') === wanted)
      .map(({ index }) => index)
      .join(', ');
  const others = indices(false);
  return `GPU ${indices(true)} at full utilisation and idle power: they wait for another rank${others === '' ? '' : `; GPU ${others} does not`}`;
}

/** The ranks that have not printed what the others have. */
function lagging(state: State): readonly Evidence[] {
  const behind = laggingRanks(state);
  if (behind.length === 0) return [];
  return [{ witness: 'log', text: `behind the others: ${behind.join(', ')}`, lineNumber: null }];
}

/** Ranks that printed fewer of the phase lines than the furthest has; none where they all stand at the same. */
export function laggingRanks(state: State): readonly string[] {
  const { ranks } = state.reading.findings();
  const furthest = Math.max(0, ...ranks.map((rank) => rank.step));
  const behind = ranks.filter((rank) => rank.step < furthest).map((rank) => rank.rank);
  return behind.length === ranks.length ? [] : behind;
}
