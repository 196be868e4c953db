import type { GpuReading, HostSample } from '../ingest/telemetry.js';
import { kernelEvent } from '../ingest/telemetry-kernel.js';
import type { ProcessFact } from './process-fact.js';
import { isMereLine } from './programs.js';

/** Who has belonged to the server's tree: those that went are kept, for a rank that went is never replaced. */
export interface Roster {
  readonly root: { readonly pid: number; readonly startTicks: string } | null;
  readonly members: readonly Member[];
  /** Name of a rank by the pid that its log lines carry: `(Worker_TP3 pid=4714)`. */
  readonly named: Readonly<Record<number, string>>;
  /** OOM kills in the tree's cgroup when first seen, and now; null where it is not read. */
  readonly oomKills: { readonly first: number; readonly last: number } | null;
  /** The kernel's last words on kills for memory within this tree and on errors of the GPUs. */
  readonly kernelLines: readonly string[];
  /** The tree that has ended, to which the kernel's words still belong; null while one lives, or before any. */
  readonly ended: {
    readonly pid: number;
    readonly startTicks: string;
    readonly pids: readonly number[];
    /** Besides shells and what their lines have around a server. */
    readonly hadProgram: boolean;
  } | null;
}

export interface Member {
  readonly pid: number;
  readonly startTicks: string;
  readonly parent: number;
  /** Full command where the process probe told it, else the short name. */
  readonly command: string;
  readonly name: string;
  readonly firstAt: number;
  readonly rssMiB: number | null;
  /** It held memory on a GPU: only ranks do. */
  readonly heldGpu: boolean;
  readonly inTree: boolean | null;
  readonly inSample: boolean | null;
  /** In a row it was missing from, or dead in, the samples. */
  readonly missed: number;
  /** Since when it has been known to be gone, and since when it has been stopped (state T). */
  readonly goneAt: number | null;
  readonly stoppedAt: number | null;
}

export const emptyRoster: Roster = {
  root: null,
  members: [],
  named: {},
  oomKills: null,
  kernelLines: [],
  ended: null,
};

/** The sampler sends no more processes than this: one that is missing from a full sample may live. */
const fullSample = 60;

/** As many samples in a row without it make a process gone, where the process probe has not said so. */
const missedSamples = 3;

/** Lines of the kernel that are remembered. */
const mostKernelLines = 16;

/** What a shell's line or profile runs besides a server is over sooner (ms). */
export const programMs = 2000;

/** Folds what the process probe says of the tree. Another root is another server. */
export function enrolTree(roster: Roster, fact: ProcessFact, at: number): Roster {
  if (fact.status !== 'alive') return fact.status === 'gone' ? ended(roster, at) : roster;
  const { pid, startTicks, tree } = fact;
  const isSame = roster.root?.pid === pid && roster.root.startTicks === startTicks;
  const last = roster.root ?? roster.ended;
  const isOther = last !== null && (last.pid !== pid || last.startTicks !== startTicks);
  const members = new Map(
    isSame || roster.root === null ? roster.members.map((each) => [each.pid, each]) : [],
  );
  const present = new Set(tree.map((each) => each.pid));
  for (const each of tree) {
    const known = members.get(each.pid);
    const isOld = known !== undefined && (known.inTree === null || known.startTicks === each.startTicks);
    const base = isOld ? known : born(each.pid, at);
    members.set(each.pid, {
      ...base,
      startTicks: each.startTicks,
      parent: each.parent,
      command: each.command || base.command,
      inTree: true,
    });
  }
  for (const each of members.values()) {
    if (!present.has(each.pid) && each.inTree === true) members.set(each.pid, { ...each, inTree: false });
  }
  const kernel = isOther ? { oomKills: null, kernelLines: [] } : {};
  return settle(
    { ...roster, ...kernel, root: { pid, startTicks }, ended: null, members: [...members.values()] },
    at,
  );
}

/** Why it ended the kernel may tell some seconds later. */
function ended({ root, members, oomKills, kernelLines, ended: before }: Roster, at: number): Roster {
  const hadProgram = members.some(
    ({ inTree, command, firstAt, goneAt }) =>
      inTree !== null && !isMereLine(command) && (goneAt ?? at) - firstAt >= programMs,
  );
  const now = root === null ? before : { ...root, pids: members.map(({ pid }) => pid), hadProgram };
  return { ...emptyRoster, oomKills, kernelLines, ended: now };
}

/** Folds a sample: who is there, who is stopped, and what the kernel says. */
export function enrolSample(roster: Roster, sample: HostSample, at: number): Roster {
  const { processes } = sample;
  const members = new Map(roster.members.map((each) => [each.pid, each]));
  const isFull = processes.length >= fullSample;
  const present = new Set<number>();
  for (const { pid, parent, startTicks, name, state, rssMiB } of processes) {
    const isDead = state === 'Z' || state === 'X';
    const known = members.get(pid);
    if (isDead && known === undefined) continue;
    present.add(pid);
    const isOld =
      known !== undefined &&
      (known.inSample === null || known.startTicks === startTicks || known.inTree === true);
    const base = isOld ? known : { ...born(pid, at), startTicks, parent };
    members.set(pid, {
      ...base,
      name: isDead ? base.name : name,
      rssMiB: rssMiB === null || isDead ? base.rssMiB : Math.max(rssMiB, base.rssMiB ?? 0),
      inSample: !isDead,
      missed: isDead ? base.missed + 1 : 0,
      stoppedAt: state === 'T' ? (base.stoppedAt ?? at) : null,
    });
  }
  for (const each of members.values()) {
    if (present.has(each.pid) || each.inSample === null || processes.length === 0 || isFull) continue;
    members.set(each.pid, { ...each, inSample: false, stoppedAt: null, missed: each.missed + 1 });
  }
  const kills = sample.oomKills ?? null;
  return settle(
    {
      ...roster,
      members: [...members.values()],
      oomKills: kills === null ? roster.oomKills : { first: roster.oomKills?.first ?? kills, last: kills },
      kernelLines: sample.kernelLines ? withKernelLines(roster, sample.kernelLines) : roster.kernelLines,
    },
    at,
  );
}

/** Kills for memory of processes that are none of ours say nothing about them. The sampler may repeat itself. */
function withKernelLines(
  { kernelLines, members, ended }: Roster,
  lines: readonly string[],
): readonly string[] {
  const isOurs = (pid: number): boolean =>
    members.some((each) => each.pid === pid) || (ended?.pids.includes(pid) ?? false);
  const fresh = lines.filter((line) => {
    const event = kernelEvent(line);
    return !kernelLines.includes(line) && event !== null && (event.kind !== 'oom' || isOurs(event.pid));
  });
  return [...kernelLines, ...fresh].slice(-mostKernelLines);
}

/** Marks who holds memory on a GPU. */
export function enrolGpus(roster: Roster, reading: GpuReading): Roster {
  if (reading.status !== 'ok' || reading.apps.length === 0) return roster;
  const pids = new Set(reading.apps.map(({ pid }) => pid));
  if (!roster.members.some((each) => !each.heldGpu && pids.has(each.pid))) return roster;
  return {
    ...roster,
    members: roster.members.map((each) => (pids.has(each.pid) ? { ...each, heldGpu: true } : each)),
  };
}

/** Learns from vLLM's prefix (`(Worker_TP3 pid=4714) …`) which process is which rank. */
export function enrolLines(roster: Roster, lines: readonly { readonly text: string }[]): Roster {
  let { named } = roster;
  for (const { text } of lines) {
    if (text.charCodeAt(0) !== openBracket) continue;
    const match = /^\((\w+) pid=(\d+)\)/.exec(text);
    const pid = Number(match?.[2]);
    if (match?.[1] !== undefined && named[pid] !== match[1]) named = { ...named, [pid]: match[1] };
  }
  return named === roster.named ? roster : { ...roster, named };
}

const openBracket = 40;

const born = (pid: number, at: number): Member => ({
  pid,
  startTicks: '',
  parent: 0,
  command: '',
  name: '',
  firstAt: at,
  rssMiB: null,
  heldGpu: false,
  inTree: null,
  inSample: null,
  missed: 0,
  goneAt: null,
  stoppedAt: null,
});

/** The most that are remembered: compilers come and go by the thousand. */
const mostMembers = 300;

function settle(roster: Roster, at: number): Roster {
  const members = roster.members.map((each) => {
    const isGone =
      (each.inTree === false && each.inSample !== true) ||
      (each.inSample === false && each.missed >= missedSamples);
    if (isGone === (each.goneAt !== null)) return each;
    return { ...each, goneAt: isGone ? at : null };
  });
  if (members.length <= mostMembers) return { ...roster, members };
  return { ...roster, members: members.filter((each) => each.goneAt === null || each.heldGpu) };
}
