import type { KillSignal } from '../../core/dialog-look.js';
import type { ContainerPlace, TreeMember } from '../../core/process-fact.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import type { AttemptRecord } from './attempts.js';
import type { GpuUse } from './gpu-holders.js';
import type { Answer } from './run-script.js';

/** Which server is meant: never a pid alone. */
export interface KillTarget {
  readonly pid: number;
  readonly startTicks: string;
  readonly bootId: string;
  /** Of a launch by us: its id, and when its command ended (ms), if it has. */
  readonly launch?: { readonly id: string; readonly endedAt: number | null };
  /** The container that it runs in: then its engine ends it, this run of it and no other. */
  readonly container?: ContainerTarget | null;
  /** Its log, so that others who still write it can be told; without it, what its output goes to is looked at. */
  readonly log?: string | null;
  /** Processes that were seen in its tree while it lived, by a live view or a preview. */
  readonly seen?: readonly ProcessId[];
  /** Processes outside its tree that the user wants ended as well: each of them alone, whatever hangs on it. */
  readonly also?: readonly ProcessId[];
  /** Where its tree listened, as a preview gave it: these ports are to be free afterwards. */
  readonly sockets?: readonly string[];
  /** MiB in use on each GPU (by uuid) before it was launched. */
  readonly gpusBefore?: GpuUse | null;
}

export interface ContainerTarget extends ContainerPlace {
  readonly id: string;
  /** As the engine writes it. */
  readonly started: string;
  /** `no`, or what would start it again. */
  readonly restartPolicy: string;
}

export type ProcessId = Pick<TreeMember, 'pid' | 'startTicks'>;

/** The target of a kill that an attempt's record describes. */
export function killTargetOf(record: AttemptRecord, seen: KillTarget['seen'] = []): KillTarget {
  const { pid, startTicks, bootId, log } = record.attempt;
  const endedAt = record.life.kind === 'ended' ? record.life.exit.at : null;
  const launch = { id: record.id, endedAt };
  return { pid, startTicks, bootId, launch, log, seen, gpusBefore: record.gpusBefore };
}

/** Who has gone, for people: `pid 4711 and its tree are`. */
export const victimText = ({ pid, container }: KillTarget): string =>
  container ? `container ${container.name} is` : `pid ${pid} and its tree are`;

/** The arguments of `kill.sh`. */
export function killArguments(
  mode: 'list' | 'kill',
  target: KillTarget,
  options: { readonly graceMs?: number; readonly signal?: KillSignal } = {},
): string[] {
  const endedAt = target.launch?.endedAt ?? null;
  return [
    mode,
    String(target.pid),
    target.startTicks,
    target.bootId,
    options.signal ?? 'TERM',
    String(Math.max(0, Math.round((options.graceMs ?? 10_000) / 100))),
    target.launch?.id ?? '-',
    endedAt === null ? '-' : String(Math.floor(endedAt / 1000)),
    target.log || '-',
    ...(target.seen ?? []).map(({ pid, startTicks }) => `${pid}:${startTicks}`),
    ...(target.also ?? []).map(({ pid, startTicks }) => `+${pid}:${startTicks}`),
    ...(target.sockets ?? []).map((address) => `@${address}`),
  ];
}

/** What the script's last line says. */
export function endOf(answers: readonly Answer[]): string | undefined {
  return answers.find(({ key }) => key === 'end')?.words[0];
}

export function killRefused(target: KillTarget, host: Host): FiredupError {
  return new FiredupError('kill-refused', `Process ${target.pid} on ${host.label} carries firedup itself.`, {
    exitCode: exitCodes.usage,
    hint: 'It is the first process of the system, or this connection runs inside it.',
  });
}
