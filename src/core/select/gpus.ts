import { gpuTenants } from '../gpu-ranks.js';
import { kernelWordsOn } from '../kernel-evidence.js';
import { memoryFraction } from '../server-args.js';
import type { State } from '../state.js';
import type { GpuPaneModel, GpuRow } from '../view-models/gpus.js';
import { durationText } from '../words.js';
import { dataAgeMs } from './data-age.js';

/** GPU figures older than this are shown as stale, with their age (ms); a slow tool is asked less often. */
const staleMs = 15_000;

export function selectGpus(state: State): GpuPaneModel {
  const { gpus, now } = state;
  if (!gpus) return { rows: [], note: 'waiting for GPU data', stale: false };
  const ageMs = gpus.goodAt === null ? null : now - gpus.goodAt;
  // It pauses four times as long as a call takes.
  const lateMs = Math.max(staleMs, 6 * (gpus.lastGood?.tookMs ?? 0));
  const isStale = dataAgeMs(state) !== null || gpus.trouble !== null || (ageMs !== null && ageMs > lateMs);
  return { rows: rows(state, gpus), note: note(gpus, ageMs, isStale), stale: isStale };
}

type Gpus = NonNullable<State['gpus']>;

function rows(state: State, { lastGood, history }: Gpus): readonly GpuRow[] {
  if (!lastGood) return [];
  const tenants = gpuTenants(state);
  const expected = memoryFraction(state.reading.findings().serverArgs);
  return lastGood.gpus.map((gpu, place) => {
    const { pid = null, rank = null, isGuess = false } = tenants[place] ?? {};
    return {
      index: gpu.index,
      name: gpu.name,
      memUsedMiB: gpu.memUsedMiB,
      memTotalMiB: gpu.memTotalMiB,
      expectedShare: rank === null ? null : expected,
      utilPercent: gpu.utilPercent,
      temperatureC: gpu.temperatureC,
      powerW: gpu.powerW,
      history: history[place] ?? [],
      pid,
      rank: rank === null ? null : `${rank}${isGuess ? '?' : ''}`,
      fault: gpu.fault,
      kernel: kernelWordsOn(state, gpu.busId ?? null),
      mig: gpu.migInstances ? migText(gpu.migInstances) : null,
    };
  });
}

/** `MIG 2×3g.71gb`, `MIG` where the instances are not known. */
function migText(instances: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of instances) counts.set(name, (counts.get(name) ?? 0) + 1);
  const parts = [...counts].map(([name, count]) => (count === 1 ? name : `${count}x${name}`));
  return ['MIG', ...parts].join(' ');
}

function note({ trouble, lastGood }: Gpus, ageMs: number | null, isStale: boolean): string | null {
  const age = lastGood && isStale && ageMs !== null ? ` · data ${durationText(ageMs)} old` : '';
  switch (trouble?.status) {
    case 'absent':
      return 'no GPU tool on this host';
    case 'failed':
      return `${trouble.reason}${age}`;
    case 'stuck':
      return `GPU tool hangs: ${trouble.reason}${age}`;
    case undefined:
      return age === '' ? (lastGood?.gpus.length === 0 ? 'no GPU found' : null) : age.slice(3);
  }
}
