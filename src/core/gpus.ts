import type { GpuReading, GpuSample } from '../ingest/telemetry.js';
import { faultWords, isAbout } from '../ingest/telemetry-nvidia.js';
import { gpuWork } from './gpu-work.js';
import type { Roster } from './roster.js';
import type { GpuState, GpuWork, State } from './state.js';

/** Samples kept per GPU for the spark line. */
const historyLength = 120;

/** Memory of one GPU that came or went and counts as a sign of life (MiB), within this time (ms). */
const growthMiB = 8;
const windowMs = 10_000;

/** The tool's utilisation flickers: a GPU that has spun and has not worked since still spins for this long (ms). */
const spinMs = 30_000;

/** Folds one answer of the GPU tool; a failed one keeps the last good rows, with their age. */
export function reduceGpus(state: State, answer: GpuReading, at: number): State {
  const before = state.gpus ?? nothing;
  if (answer.status !== 'ok') return { ...state, gpus: { ...before, trouble: answer, troubleAt: at } };
  const reading = { ...answer, gpus: withLost(answer, before.lastGood?.gpus ?? []) };
  const history = reading.gpus.map((gpu, index) => {
    const share = gpu.memUsedMiB === null || !gpu.memTotalMiB ? null : gpu.memUsedMiB / gpu.memTotalMiB;
    return [...(before.history[index] ?? []).slice(1 - historyLength), share];
  });
  const seconds = before.goodAt ? Math.max(0.001, (at - before.goodAt) / 1000) : 1;
  const idleW = { ...before.idleW };
  for (const { uuid, powerW } of reading.gpus) {
    if (powerW !== null) idleW[uuid] = Math.min(powerW, idleW[uuid] ?? powerW);
  }
  const spunAt = { ...before.spunAt };
  const work = reading.gpus.map((gpu): GpuWork => {
    const word = gpuWork(gpu, idleW[gpu.uuid] ?? null);
    if (word === 'spinning') spunAt[gpu.uuid] = at;
    else if (word !== 'idle') delete spunAt[gpu.uuid];
    return word === 'idle' && at - (spunAt[gpu.uuid] ?? Number.NEGATIVE_INFINITY) <= spinMs
      ? 'spinning'
      : word;
  });
  const { mark } = before;
  const used = reading.gpus.map(({ memUsedMiB }) => memUsedMiB);
  // A GPU that is lost takes its memory along: that is no sign of life.
  const others = gpusOfOthers(state.roster, reading);
  const isGrown =
    mark !== null &&
    used.some((each, place) => {
      const earlier = mark.usedMiB[place];
      return !others[place] && each !== null && earlier != null && Math.abs(each - earlier) >= growthMiB;
    });
  const gpus: GpuState = {
    lastGood: reading,
    goodAt: at,
    trouble: null,
    troubleAt: null,
    history,
    growthMiBps: Math.max(0, growthOf(before.lastGood?.gpus ?? [], reading.gpus) / seconds),
    growthFrom: before.goodAt,
    work,
    idleW,
    spunAt,
    mark: mark === null || isGrown || at - mark.at >= windowMs ? { at, usedMiB: used } : mark,
  };
  const { activity } = state;
  // One reading alone is a blip; but what has been called stalled is withdrawn at the first.
  const isHasty = state.verdict.outcome === 'stalled';
  const works = work.some(
    (word, place) => word === 'working' && !others[place] && (isHasty || before.work[place] === word),
  );
  const moved = isGrown || works;
  const isUnclear = work.some((word, place) => word === 'unclear' && !others[place]);
  if (!moved && !isUnclear) return { ...state, gpus };
  return {
    ...state,
    gpus,
    activity: {
      ...activity,
      movedAt: moved ? at : activity.movedAt,
      busyAt: isUnclear ? at : activity.busyAt,
    },
  };
}

/**
 * Which GPUs are in other people's use only: what happens there is no life of this server. Nobody's where the tool names
 * none of our processes, for then its pids may be those of another namespace.
 */
function gpusOfOthers(
  { members }: Roster,
  { gpus, apps }: Extract<GpuReading, { status: 'ok' }>,
): readonly boolean[] {
  const ours = new Set(members.map(({ pid }) => pid));
  if (!apps.some(({ pid }) => ours.has(pid))) return gpus.map(() => false);
  return gpus.map(({ uuid }) => {
    const there = apps.filter((app) => app.uuid === uuid);
    return there.length > 0 && !there.some(({ pid }) => ours.has(pid));
  });
}

/** The rows of an answer, and a row without figures for each GPU that was there before and is not any more. */
function withLost(
  { gpus, warnings = [] }: Extract<GpuReading, { status: 'ok' }>,
  before: readonly GpuSample[],
): readonly GpuSample[] {
  const present = new Set(gpus.map(({ uuid }) => uuid));
  const lost = before.filter(({ uuid }) => !present.has(uuid));
  // A whole other set of GPUs (another MIG layout, another host) has lost none.
  if (lost.length === 0 || lost.length === before.length) return gpus;
  const rows = lost.map((gpu) => {
    const words = warnings.find((line) => isAbout(line, gpu.busId ?? null));
    return { ...gpu, ...noFigures, fault: words ? faultWords(words) : 'not listed any more' };
  });
  return [...gpus, ...rows].sort((one, other) => one.index - other.index);
}

const noFigures = { memUsedMiB: null, utilPercent: null, temperatureC: null, powerW: null } as const;

/** Growth of the GPUs that both readings know (MiB). */
function growthOf(before: readonly GpuSample[], after: readonly GpuSample[]): number {
  const known = new Map(before.map((gpu) => [gpu.uuid, gpu.memUsedMiB]));
  return after.reduce((sum, { uuid, memUsedMiB }) => {
    const earlier = known.get(uuid);
    return memUsedMiB === null || earlier == null ? sum : sum + memUsedMiB - earlier;
  }, 0);
}

const nothing: GpuState = {
  lastGood: null,
  goodAt: null,
  trouble: null,
  troubleAt: null,
  history: [],
  growthMiBps: 0,
  growthFrom: null,
  work: [],
  idleW: {},
  spunAt: {},
  mark: null,
};
