import type { GpuSample } from '../ingest/telemetry.js';
import type { GpuWork, State } from './state.js';

/** Utilisation of a kernel that never ends, and of a GPU on which nothing runs (percent). */
const fullPercent = 90;
const idlePercent = 10;

/** Share of the way from idle to the limit up to which power is idle-like: an H100 that spins takes 120–200 of 700 W. */
const idleLikeShare = 0.25;

/**
 * What a GPU does. Full utilisation proves no work: a collective that waits for a rank keeps its GPU at 100 %, at the
 * power of an idle one. `idleW` is the lowest power seen of it.
 */
export function gpuWork(gpu: GpuSample, idleW: number | null): GpuWork {
  const { utilPercent, powerW, powerLimitW } = gpu;
  if (utilPercent === null) return null;
  if (utilPercent < idlePercent) return 'idle';
  if (powerW === null) return utilPercent >= fullPercent ? 'unclear' : 'working';
  // Without a limit it cannot be told what much power is to this GPU.
  if (powerLimitW === null) return utilPercent >= fullPercent ? 'unclear' : 'working';
  // A GPU may have been busy for as long as we look: what it idles at is then a guess from its limit.
  const idle = Math.min(idleW ?? powerW, powerLimitW * 0.3);
  if (powerW > idle + idleLikeShare * (powerLimitW - idle)) return 'working';
  // Some percent at idle power are a glimpse of a kernel that waits, or of somebody who looks: nothing is computed.
  return utilPercent >= fullPercent ? 'spinning' : 'idle';
}

/** Readings older than this say nothing about the present (ms): a slow tool is asked less often. */
const staleMs = 60_000;

/** What the GPUs do now; empty where that is not known. */
export function freshWork({ gpus, now }: State): readonly GpuWork[] {
  return gpus?.goodAt == null || now - gpus.goodAt > staleMs ? [] : gpus.work;
}

/**
 * Whether the CPU time of `busy` (pids) is nothing but waiting: of a rank whose GPU spins. Where it cannot be told
 * whose GPU is whose (a container has pids of its own), no more processes may be busy than GPUs spin.
 */
export function isFallow(state: State, busy: readonly number[]): boolean {
  const work = freshWork(state);
  const spinning = work.filter((word) => word === 'spinning').length;
  if (busy.length === 0 || spinning === 0) return false;
  const { gpus = [], apps = [] } = state.gpus?.lastGood ?? {};
  const owners = new Map<number, boolean>();
  for (const { uuid, pid } of apps) {
    const index = gpus.findIndex((gpu) => gpu.uuid === uuid);
    if (index >= 0) owners.set(pid, work[index] === 'spinning' && owners.get(pid) !== false);
  }
  const isKnown = busy.some((pid) => owners.has(pid));
  return isKnown ? busy.every((pid) => owners.get(pid) === true) : busy.length <= spinning;
}
