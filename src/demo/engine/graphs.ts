import { idleLoad } from './gpu.js';
import { importModelClass } from './model-class.js';
import type { ModelFiles } from './model-files.js';
import { outOfMemory } from './out-of-memory.js';
import { captureFrame } from './progress-bar.js';
import { PythonError } from './python-error.js';
import type { Rank } from './rank.js';
import { raised } from './tracebacks.js';

/** One capture: its words, its pace, and what each graph takes (the first also the shared workspace). */
interface Capture {
  readonly title: string;
  readonly batchMs: number;
  readonly workspaceGib: number;
  readonly gibPerSequence: number;
}

const targetCapture: Capture = {
  title: 'cuda graph',
  batchMs: 200,
  workspaceGib: 1.9,
  gibPerSequence: 0.0014,
};
const draftCapture: Capture = {
  title: 'draft cuda graph',
  batchMs: 55,
  workspaceGib: 0.25,
  gibPerSequence: 0.0001,
};
const extendCapture: Capture = { ...draftCapture, title: 'draft extend cuda graph' };

/** Captures the target's graphs; with EAGLE-3 its class must let layers be captured, which is asked only here. */
export async function captureTarget(rank: Rank, model: ModelFiles): Promise<void> {
  if (rank.args.disable_cuda_graph) return;
  begin(rank, targetCapture);
  const sizes = batchSizes(rank.args.cuda_graph_max_bs);
  if (rank.index === 0) rank.log.say(`Capture cuda graph bs [${sizes.join(', ')}]`);
  // TP0 has more to print, but here it is first: it says what all are about to do.
  await rank.pace.pause(60 + 25 * rank.index);
  const method = 'set_eagle3_layers_to_capture';
  const known = importModelClass(rank.sitePackages, model.architecture);
  if (rank.args.speculative_algorithm === 'EAGLE3' && !known?.methods.has(method)) {
    const text = `'${model.architecture}' object has no attribute '${method}'`;
    throw raised.captureSetup(new PythonError('AttributeError', text, []));
  }
  await capture(rank, targetCapture, sizes);
}

/** Captures the two kinds of draft graphs. */
export async function captureDraft(rank: Rank): Promise<void> {
  if (rank.args.disable_cuda_graph) return;
  for (const kind of [draftCapture, extendCapture]) {
    begin(rank, kind);
    await capture(rank, kind, batchSizes(rank.args.cuda_graph_max_bs));
  }
}

/** 1, 2, 4, 8, then each eighth up to `max`. */
export function batchSizes(max: number): number[] {
  const sizes = [1, 2, 4, 8];
  for (let size = 16; size <= max; size += 8) sizes.push(size);
  return sizes.filter((size) => size <= max);
}

const begin = (rank: Rank, { title }: Capture): void =>
  rank.log.say(
    `Capture ${title} begin. This can take up to several minutes. avail mem=${rank.gpu.freeGib.toFixed(2)} GB`,
  );

async function capture(rank: Rank, kind: Capture, sizes: readonly number[]): Promise<void> {
  const { gpu, log, pace } = rank;
  const opened = pace.seconds();
  const before = gpu.freeGib;
  const bar = (size: number | null, done: number): void => {
    if (rank.index !== 0) return;
    const description =
      size === null ? null : `Capturing batches (bs=${size} avail_mem=${gpu.freeGib.toFixed(2)} GB)`;
    log.raw(captureFrame(description, { done, total: sizes.length, seconds: pace.seconds() - opened }));
  };
  bar(null, 0);
  // The largest first, so that the smaller ones reuse its memory; falling avail_mem announces an OOM.
  for (const [index, size] of [...sizes].reverse().entries()) {
    bar(size, index);
    await together(rank, `${kind.title} bs=${size}`);
    const wanted = (index === 0 ? kind.workspaceGib : 0.02) + size * kind.gibPerSequence;
    if (!gpu.allocate(wanted)) throw raised.capture(outOfMemory(gpu, wanted));
    gpu.setLoad({
      utilPercent: 38 + ((index * 11 + rank.index * 3) % 47),
      powerW: 246 + ((index * 17) % 90),
      temperatureC: 43,
    });
    await pace.pause(kind.batchMs);
    bar(size, index + 1);
  }
  if (rank.index === 0) log.raw('\n');
  await pace.pause(((rank.index * 3) % 8) * 15);
  if (!rank.args.disable_custom_all_reduce && kind === targetCapture)
    log.say('Registering 2231 cuda graph addresses');
  gpu.setLoad(idleLoad);
  const elapsed = (pace.seconds() - opened).toFixed(2);
  const memory = `mem usage=${(before - gpu.freeGib).toFixed(2)} GB. avail mem=${gpu.freeGib.toFixed(2)} GB.`;
  log.say(`Capture ${kind.title} end. Time elapsed: ${elapsed} s. ${memory}`);
}

/** The barrier before each capture; a peer that died meanwhile is an error of this capture, as in SGLang. */
async function together(rank: Rank, name: string): Promise<void> {
  try {
    await rank.gather(name, 0);
  } catch (error) {
    throw error instanceof PythonError ? raised.captureBarrier(error) : error;
  }
}
