import { isCompiler } from './compilers.js';
import type { Member } from './roster.js';
import { tensorParallelSize } from './server-args.js';
import type { State } from './state.js';

/** A rank of the server that went while who started it lives on. */
export interface DeadRank {
  readonly name: string;
  readonly pid: number;
  readonly parent: number;
  /** When that was known. */
  readonly goneAt: number;
}

/** A dying engine is given this long to say so itself (ms). */
const graceMs = 10_000;
/** Real time that scaled limits do not go below: samples come once a second (ms). */
const leastMs = 2000;
/** Processes that only look alike are taken for ranks when they are not of yesterday and not small. */
const leastAgeMs = 20_000;
const leastRssMiB = 300;

/**
 * The first rank that is gone under a living parent; null where none is. Helpers come and go in every start
 * (compilers, model inspection, pools of processes), so that it was a rank has to be shown: by its name, by its log
 * lines, by GPU memory that it held, or by siblings alike that go on, as many as there are ranks.
 */
export function deadRank(state: State): DeadRank | null {
  const { roster, now, process, target } = state;
  // Where the process probe is blind, the samples may tell of parent and rank.
  if (process.fact?.status === 'gone' || process.fact?.status === 'absent') return null;
  const waitMs = Math.max(leastMs, graceMs / target.timeScale);
  const dead = roster.members.filter(
    (each) => each.goneAt !== null && each.pid !== roster.root?.pid && now - each.goneAt >= waitMs,
  );
  const rank = dead
    .filter((each) => isRank(state, each) && parentLives(state, each))
    .sort((one, other) => (one.goneAt ?? 0) - (other.goneAt ?? 0) || one.pid - other.pid)[0];
  if (rank?.goneAt == null) return null;
  return { name: rankName(state, rank), pid: rank.pid, parent: rank.parent, goneAt: rank.goneAt };
}

/** Ranks that are stopped (state T), with since when. */
export function stoppedRanks(state: State): readonly (Member & { readonly stoppedAt: number })[] {
  return state.roster.members.filter(
    (each): each is Member & { readonly stoppedAt: number } =>
      each.goneAt === null && each.stoppedAt !== null && (isRank(state, each) || isRoot(state, each)),
  );
}

/** Whether living ranks that show themselves are its children: then they work, and it waits for them. */
export function startsRanks(state: State, pid: number): boolean {
  return state.roster.members.some(
    (each) => each.parent === pid && each.goneAt === null && isShown(state, each),
  );
}

/** The living process of a rank by the name that the log gives it (`TP3`); null where it cannot be told. */
export function pidOfRank(state: State, rank: string): number | null {
  const living = state.roster.members.filter((each) => each.goneAt === null && !isRoot(state, each));
  return living.find((each) => sameRank(rankName(state, each), rank))?.pid ?? null;
}

/** What people call it: `TP3`, or the name of the process. */
export function rankName({ roster }: State, member: Member): string {
  const named = roster.named[member.pid];
  if (named !== undefined) return named;
  const title = ownTitle(member);
  const number = /(?:TP|DP|PP|EP)_?\d+(?:[_ ](?:TP|DP|PP|EP)_?\d+)*/.exec(title)?.[0];
  if (number !== undefined) return number;
  const given = rankOption.exec(member.command)?.[1];
  return given === undefined ? title || `pid ${member.pid}` : `rank ${given}`;
}

const sameRank = (one: string, other: string): boolean => one === other || one.endsWith(`_${other}`);

/** `sglang::scheduler_TP3`, `VLLM::Worker_TP3`: engines name their processes; the kernel keeps 15 letters of it. */
function ownTitle({ command, name }: Member): string {
  const title = /^\S+$/.test(command.trim()) ? command.trim() : '';
  return title !== '' && (name === '' || title.startsWith(name)) ? title : name || title;
}

const rankTitle =
  /^(?:\S*::)?\S*(?:schedul|detoken|worker|engine_?cor|rank_?\d|(?:^|_)(?:TP|DP|PP|EP)_?\d+)|^ray::RayWorker/i;
const rankOption = /--(?:local[-_]|tp[-_])?rank[= ](\d+)/;
const helpers =
  /resource_tracker|semaphore_tracker|forkserver|compile_worker|multiprocessing-fork.*semaphore|\bpip\b|\bgit\b|nvidia-smi|py-spy|kworker/;

function isRank(state: State, member: Member): boolean {
  if (isRoot(state, member) || helpers.test(member.command) || isHelperName(member.name)) return false;
  return isShown(state, member) || isOneOfRanks(state, member);
}

const isHelperName = (name: string): boolean => helpers.test(name) || isCompiler(name);

/** By its name, its log lines, or the GPU memory that it held. */
function isShown(state: State, member: Member): boolean {
  if (isRoot(state, member)) return false;
  if (member.heldGpu || state.roster.named[member.pid] !== undefined) return true;
  if (rankTitle.test(ownTitle(member))) return true;
  const root = state.roster.members.find((each) => isRoot(state, each));
  return rankOption.test(member.command) && member.command !== root?.command;
}

const isRoot = ({ roster }: State, { pid }: Member): boolean => roster.root?.pid === pid;

/**
 * Some of its siblings alike go on, and they are as many as there are ranks (SGLang's detokenizer may look the same).
 * Where nobody says how many ranks there are, nothing may have happened since it went. What a rank starts is no rank.
 */
function isOneOfRanks(state: State, member: Member): boolean {
  const { roster, now, quiet, activity } = state;
  const endedAt = member.goneAt ?? now;
  if (endedAt - member.firstAt < leastAgeMs / state.target.timeScale) return false;
  if (member.rssMiB !== null && member.rssMiB < leastRssMiB) return false;
  const kind = kindOf(member);
  const parent = roster.members.find((each) => each.pid === member.parent);
  if (kind === '' || (parent !== undefined && isShown(state, parent))) return false;
  const alike = roster.members.filter((each) => each.parent === member.parent && kindOf(each) === kind);
  const living = alike.filter((each) => each.goneAt === null).length;
  if (living === 0 || living === alike.length) return false;
  const count = rankCount(state);
  // Ranks that show themselves are all there are.
  const shown = roster.members.filter((each) => each.pid !== parent?.pid && isShown(state, each)).length;
  if (shown >= Math.max(2, count ?? 0)) return false;
  if (count !== null) return count > 1 && (alike.length === count || alike.length === count + 1);
  return quiet.silentMs >= now - endedAt - leastMs && (activity.movedAt ?? 0) <= endedAt;
}

/** Commands alike but for their numbers. */
const kindOf = ({ command, name }: Member): string => (command || name).replace(/\d+/g, '#');

function rankCount(state: State): number | null {
  const { ranks, serverArgs } = state.reading.findings();
  const size = tensorParallelSize(serverArgs);
  if (size !== null) return size;
  return ranks.length > 1 ? ranks.length : null;
}

/** Whoever started it, or who leads the tree, goes on. */
function parentLives({ roster }: State, { parent }: Member): boolean {
  const living = (pid: number): boolean =>
    roster.members.some((each) => each.pid === pid && each.goneAt === null);
  return living(parent) || (roster.root !== null && living(roster.root.pid));
}
