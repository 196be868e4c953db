import { isCompiler } from '../compilers.js';
import type { ActivityState, State } from '../state.js';
import { durationText, rateText } from '../words.js';
import { dataAgeMs } from './data-age.js';

/** What was measured longer ago than this is shown with its age, and longer ago than that not at all (ms). */
const freshMs = { host: 5000, gpu: 10_000 } as const;
const lastMs = 60_000;

/** Below these nobody would call it moving (bytes per second). */
const least = { disk: 1e6, memory: 2e6, network: 1e6 } as const;

/**
 * What moves now: `disk 1.2 GB/s · GPU memory +2.1 GB/s over 8 · CPU 7.8 cores`, each with its age where it is not of this moment;
 * empty when nothing does, or nobody sees it. What cannot be read says so rather than nothing.
 */
export function selectActivity(state: State): string {
  if (dataAgeMs(state) !== null) return '';
  const { activity, gpus, now } = state;
  const isOfNow = (from: number | null): boolean => from !== null && from > settledAt(state);
  const host = isOfNow(activity.ratesFrom) ? aged(activity.at, now, freshMs.host) : null;
  const gpuFreshMs = Math.max(freshMs.gpu, 6 * (gpus?.lastGood?.tookMs ?? 0));
  const gpu = gpus && isOfNow(gpus.growthFrom) ? aged(gpus.goodAt, now, gpuFreshMs) : null;
  const words: string[] = [];
  if (host !== null) words.push(...diskWords(activity).map((each) => each + host));
  if (gpus && gpu !== null && gpus.growthMiBps > 1)
    words.push(`GPU memory +${rateText(gpus.growthMiBps * 1024 * 1024)}${overText(gpus)}${gpu}`);
  if (host !== null) words.push(...otherWords(activity).map((each) => each + host));
  return words.join(' · ');
}

/** It is the sum over all of them. */
function overText({ lastGood }: NonNullable<State['gpus']>): string {
  const count = lastGood?.gpus.length ?? 0;
  return count > 1 ? ` over ${count}` : '';
}

/** What was measured before it was ready, or over, is not what moves now. */
function settledAt({ verdict: { outcome, since } }: State): number {
  const isSettled = outcome === 'ready' || outcome === 'crashed' || outcome === 'stopped';
  return isSettled ? since : 0;
}

/** ` (12 s ago)`, nothing for what is fresh; null for what says nothing about the present. */
function aged(at: number | null, now: number, fresh: number): string | null {
  if (at === null || now - at > Math.max(lastMs, 2 * fresh)) return null;
  return now - at <= fresh ? '' : ` (${durationText(now - at)} ago)`;
}

function diskWords({ sample, readBytesPerSecond, rssMiBps, cachedMiBps }: ActivityState): readonly string[] {
  const processes = sample?.processes ?? [];
  if (readBytesPerSecond > least.disk) return [`disk ${rateText(readBytesPerSecond)}`];
  // Pages of a mapped file that are in the page cache already are no reads; they show as memory.
  const memory = rssMiBps * 1024 * 1024 > least.memory ? [`RAM +${rateText(rssMiBps * 1024 * 1024)}`] : [];
  const isHidden =
    processes.length > 0 && processes.every((each) => each.readBytes === null && each.readChars === null);
  if (!isHidden) return memory;
  // Of another user's process; what the host reads fills the page cache.
  const cache = cachedMiBps * 1024 * 1024;
  return [cache > least.memory ? `page cache +${rateText(cache)}` : 'disk not readable', ...memory];
}

function otherWords({
  sample,
  rxBytesPerSecond,
  isCompiling,
  cores,
  ioWaits,
}: ActivityState): readonly string[] {
  const processes = sample?.processes ?? [];
  const words: string[] = [];
  if (rxBytesPerSecond > least.network) words.push(`net ${rateText(rxBytesPerSecond)}`);
  const compilers = processes.filter(({ name, state }) => isCompiler(name) && state !== 'T');
  if (isCompiling && compilers.length > 0) words.push(`compiling (${namesOf(compilers)})`);
  if (cores >= 0.1) words.push(`CPU ${cores.toFixed(1)} cores`);
  const place = ioWaits.find(({ wchan }) => wchan)?.wchan;
  if (ioWaits.length > 0) words.push(`${ioWaits.length} in I/O wait${place ? ` (${place})` : ''}`);
  const stopped = processes.filter(({ state }) => state === 'T').length;
  if (stopped > 0) words.push(`${stopped} stopped`);
  return words;
}

/** `nvcc, 3 cicc` */
function namesOf(processes: readonly { readonly name: string }[]): string {
  const counts = new Map<string, number>();
  for (const { name } of processes) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .slice(0, 3)
    .map(([name, count]) => (count === 1 ? name : `${count} ${name}`))
    .join(', ');
}
