import type { GpuSample } from '../ingest/telemetry.js';
import { rankName } from './ranks.js';
import type { State } from './state.js';

/** Who is on a GPU. */
export interface GpuTenant {
  /** Process that holds the most memory there, ours before others; null where the tool names none. */
  readonly pid: number | null;
  /** `TP0`; null where it cannot be told. */
  readonly rank: string | null;
  /** Told by the order of ranks and GPUs only: in a container the tool names no pid that is known here. */
  readonly isGuess: boolean;
}

/** Of its memory has to be in use before anybody may be thought to be on a GPU. */
const leastShare = 0.01;

/** Who is on each GPU of the last reading, in its order. */
export function gpuTenants(state: State): readonly GpuTenant[] {
  const { gpus = [], apps = [] } = state.gpus?.lastGood ?? {};
  const members = new Map(state.roster.members.map((each) => [each.pid, each]));
  const isMapped = apps.some(({ pid }) => members.has(pid));
  const isRunning = state.process.fact?.status === 'alive';
  const byOrder = isMapped || !isRunning ? new Map<number, string>() : ranksByOrder(state, gpus);
  return gpus.map(({ uuid, index, memUsedMiB, memTotalMiB }) => {
    const there = apps
      .filter((app) => app.uuid === uuid && isThere(app.memUsedMiB, memUsedMiB))
      .sort((one, other) => (other.memUsedMiB ?? 0) - (one.memUsedMiB ?? 0));
    const app = there.find(({ pid }) => members.has(pid)) ?? there[0];
    const member = app && members.get(app.pid);
    const title = member ? rankName(state, member) : null;
    const rank = (title !== null && /(?:TP|DP|PP|EP|rank)[_ ]?\d+.*$/i.exec(title)?.[0]) || null;
    const isUsed = memUsedMiB !== null && memTotalMiB !== null && memUsedMiB >= memTotalMiB * leastShare;
    const guess = isUsed ? (byOrder.get(index) ?? null) : null;
    return { pid: app?.pid ?? null, rank: rank ?? guess, isGuess: rank === null && guess !== null };
  });
}

/** The list of processes is asked for less often than the memory: who holds more than is in use has gone since. */
const isThere = (heldMiB: number | null, usedMiB: number | null): boolean =>
  heldMiB === null || usedMiB === null || heldMiB <= usedMiB * 1.1 + 64;

/**
 * Rank N is on the Nth GPU that the launch may see (`CUDA_VISIBLE_DEVICES`, else all): how SGLang and vLLM share them
 * out by default. Only where the log names ranks TP0 … without a gap, and there are as many GPUs.
 */
function ranksByOrder(state: State, gpus: readonly GpuSample[]): ReadonlyMap<number, string> {
  const { ranks } = state.reading.findings();
  const isTold = ranks.length > 1 && ranks.every(({ rank }) => /^TP_?\d+$/.test(rank));
  const numbers = ranks.map(({ rank }) => Number(/\d+$/.exec(rank)?.[0]));
  const visible = visibleDevices(state) ?? gpus.map(({ index }) => index);
  if (!isTold || Math.max(...numbers) !== ranks.length - 1 || visible.length < ranks.length) return new Map();
  return new Map(numbers.map((number, place) => [visible[number] ?? -1, ranks[place]?.rank ?? '']));
}

/** Null where it is not set, or names GPUs by their UUIDs. */
function visibleDevices({ attempt }: State): readonly number[] | null {
  const value = attempt?.env?.CUDA_VISIBLE_DEVICES ?? attempt?.env?.HIP_VISIBLE_DEVICES;
  return value !== undefined && /^\d+(,\d+)*$/.test(value) ? value.split(',').map(Number) : null;
}
