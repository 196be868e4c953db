import type { TreeMember } from '../../core/process-fact.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { seeStatus } from './check-pid.js';
import { type GpuReading, readGpuHolders } from './gpu-holders.js';
import { type ContainerTarget, endOf, type KillTarget, killArguments, killRefused } from './kill-target.js';
import { type Answer, answerCut, runScript } from './run-script.js';
import { commandOf, ownersOf } from './told-process.js';

/** What a kill would do, for its dialog. */
export interface KillPreview {
  readonly host: string;
  /** The server itself; null when it has gone and only others of its tree are left. */
  readonly server: ProcessListing | null;
  /** Every process that will be ended, the server among them. */
  readonly processes: readonly ProcessListing[];
  /** Members of the tree that belong to another user: told, not tried. */
  readonly foreign: readonly ProcessListing[];
  /** No members, but with something in common with the server: told and asked about, never signalled by themselves. */
  readonly near: readonly NearProcess[];
  /** Where its tree listens, for `KillTarget.sockets`. */
  readonly sockets: readonly string[];
}

/** What a process outside the tree has in common with the server. */
export type NearReason = 'log' | 'command' | 'gpu' | 'folder';

export interface NearProcess {
  readonly pid: number;
  readonly startTicks: string;
  readonly owner: string;
  /** Of another user: it is not tried, even when it is asked for. */
  readonly foreign: boolean;
  readonly command: string;
  readonly reasons: readonly NearReason[];
  /** On the GPUs that it shares with the server; null: none, or nvidia-smi does not say. */
  readonly memMiB: number | null;
}

export interface ProcessListing extends TreeMember {
  readonly owner: string;
  readonly ageMs: number;
}

/**
 * Lists what a kill would end; signals nothing. Give its processes as `seen` to the kill. Who is a member is said in
 * `remote/kill.sh`. Rejects with `FiredupError` `not-running` or `kill-refused`, and what `runScript` does.
 */
export async function previewKill(
  host: Host,
  target: KillTarget,
  signal?: AbortSignal,
): Promise<KillPreview> {
  const options = signal === undefined ? {} : { signal };
  const [answers, gpus] = await Promise.all([
    runScript(host, 'kill', killArguments('list', target), options),
    readGpuHolders(host, signal).catch((): GpuReading => ({ kind: 'unknown', reason: 'no answer' })),
  ]);
  const end = endOf(answers);
  if (end === 'forbidden') throw killRefused(target, host);
  if (end === 'absent' || end === 'rebooted') {
    if (target.container && target.pid > 0) return previewUnseen(target.container, target, host);
    throw notRunning(target, host);
  }
  if (end !== 'listed') throw answerCut(host, 'kill');
  const ownerOf = ownersOf(answers);
  const listed = answers
    .filter(({ key }) => key === 'member')
    .map(({ words: [pid, parent, startTicks = '', uid = '', age, command = ''] }) => {
      const { owner, foreign } = ownerOf(uid);
      const process: ProcessListing = {
        pid: Number(pid),
        parent: Number(parent),
        startTicks,
        owner,
        ageMs: Number(age) * 100,
        command: commandOf(command),
      };
      return { foreign, process };
    });
  const isContainer = target.container != null;
  return {
    host: host.label,
    server: listed.find(({ process }) => process.pid === target.pid)?.process ?? null,
    // The engine ends a container whole, whoever its processes run as.
    processes: listed.filter(({ foreign }) => isContainer || !foreign).map(({ process }) => process),
    foreign: listed.filter(({ foreign }) => !isContainer && foreign).map(({ process }) => process),
    near: withGpus(nearOf(answers), gpus, new Set(listed.map(({ process }) => process.pid))),
    sockets: answers.filter(({ key }) => key === 'socket').flatMap(({ words }) => words),
  };
}

/** Of a container whose processes this host does not show: what its engine says is all there is. */
function previewUnseen({ name }: ContainerTarget, { pid, startTicks }: KillTarget, host: Host): KillPreview {
  const command = `container ${name}`;
  const server = { pid, parent: 0, startTicks, owner: '?', ageMs: 0, command };
  return { host: host.label, server, processes: [server], foreign: [], near: [], sockets: [] };
}

function nearOf(answers: readonly Answer[]): readonly NearProcess[] {
  const ownerOf = ownersOf(answers);
  return answers
    .filter(({ key }) => key === 'near')
    .map(({ words: [pid, startTicks = '', uid = '', reasons = '', command = ''] }) => ({
      pid: Number(pid),
      startTicks,
      ...ownerOf(uid),
      command: commandOf(command),
      reasons: nearReasons.filter((reason) => reasons.split(',').includes(reason)),
      memMiB: null,
    }));
}

const nearReasons: readonly NearReason[] = ['log', 'command', 'gpu', 'folder'];

/** With those that have memory on a GPU of the tree. */
function withGpus(
  near: readonly NearProcess[],
  gpus: GpuReading,
  members: ReadonlySet<number>,
): readonly NearProcess[] {
  if (gpus.kind !== 'listed') return near;
  const own = new Set(gpus.holders.filter(({ pid }) => members.has(pid)).map(({ gpu }) => gpu));
  const found = new Map(near.map((process) => [process.pid, process]));
  for (const holder of gpus.holders) {
    const { pid, gpu, startTicks, owner, foreign, command } = holder;
    if (members.has(pid) || !own.has(gpu) || startTicks === null) continue;
    const known = found.get(pid) ?? { pid, startTicks, owner, foreign, command, reasons: [], memMiB: null };
    const memMiB = holder.memMiB === null ? known.memMiB : (known.memMiB ?? 0) + holder.memMiB;
    found.set(pid, { ...known, memMiB, reasons: [...new Set<NearReason>([...known.reasons, 'gpu'])] });
  }
  return [...found.values()];
}

/** What it has in common with the server, for people. */
export function nearText({ reasons, memMiB }: NearProcess): string {
  const words: Readonly<Record<NearReason, string>> = {
    log: 'also writes the log',
    command: 'has the same command line',
    gpu: `uses the same GPU${memMiB === null ? '' : ` (${memMiB} MiB)`}`,
    folder: 'works in the same folder',
  };
  return reasons.map((reason) => words[reason]).join(', ');
}

function notRunning(target: KillTarget, host: Host): FiredupError {
  return new FiredupError(
    'not-running',
    `The server (pid ${target.pid}) is no longer running on ${host.label}.`,
    { exitCode: exitCodes.usage, hint: seeStatus(host) },
  );
}
