import type { State } from '../state.js';
import type { GpuPaneModel, GpuRow } from '../view-models.js';
import { durationText } from '../words.js';
import { dataAgeMs } from './data-age.js';

/** GPU figures older than this are shown as stale, with their age (ms). */
const staleMs = 15_000;

export function selectGpus(state: State): GpuPaneModel {
  const { gpus, now } = state;
  if (!gpus) return { rows: [], note: 'waiting for GPU data', stale: false };
  const ageMs = gpus.goodAt === null ? null : now - gpus.goodAt;
  const isStale = dataAgeMs(state) !== null || gpus.trouble !== null || (ageMs !== null && ageMs > staleMs);
  return { rows: rows(gpus), note: note(gpus, ageMs, isStale), stale: isStale };
}

type Gpus = NonNullable<State['gpus']>;

function rows({ lastGood, history }: Gpus): readonly GpuRow[] {
  if (!lastGood) return [];
  return lastGood.gpus.map((gpu, index) => ({
    index: gpu.index,
    name: gpu.name,
    memUsedMiB: gpu.memUsedMiB,
    memTotalMiB: gpu.memTotalMiB,
    utilPercent: gpu.utilPercent,
    temperatureC: gpu.temperatureC,
    powerW: gpu.powerW,
    history: history[index] ?? [],
    pid: lastGood.apps.find(({ uuid }) => uuid === gpu.uuid)?.pid ?? null,
    fault: gpu.fault,
  }));
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
