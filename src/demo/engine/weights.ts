import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { idleLoad } from './gpu.js';
import type { ModelFiles } from './model-files.js';
import { outOfMemory } from './out-of-memory.js';
import { shardFrame } from './progress-bar.js';
import type { Rank } from './rank.js';
import { raised } from './tracebacks.js';

const shardMs = 250;
const draftShardMs = 1800;
const gib = 1024 ** 3;

/** Reads all shards, rank 0 with the bar, and puts this rank's share of them on its card. */
export async function loadWeights(rank: Rank, model: ModelFiles, which: 'target' | 'draft'): Promise<void> {
  const { gpu, log, pace } = rank;
  const begin = pace.seconds();
  const before = gpu.freeGib;
  log.say(`Load weight begin. avail mem=${before.toFixed(2)} GB`);
  await pace.pause(which === 'target' ? 600 : 200);
  const total = model.shards.length;
  const opened = pace.seconds();
  const bar = (done: number): void => {
    if (rank.index === 0) log.raw(shardFrame({ done, total, seconds: pace.seconds() - opened }));
  };
  bar(0);
  for (const [index, shard] of model.shards.entries()) {
    readFileSync(shard);
    const share = model.totalBytes / gib / rank.count / total;
    if (!gpu.allocate(share)) throw raised.weights(outOfMemory(gpu, share));
    // Copies come in bursts and differ a little from card to card, like those of a real load.
    gpu.setLoad({
      utilPercent: (index * 7 + rank.index * 5) % 13,
      powerW: 131 + ((index * 3 + rank.index) % 9),
      temperatureC: 36,
    });
    await pace.pause(which === 'target' ? shardMs : draftShardMs);
    bar(index + 1);
    await spareHostMemory(rank, ((index + 1) * model.totalBytes) / gib / total);
  }
  if (rank.index === 0) log.raw('\n');
  await pace.pause(150 + ((rank.index * 5) % 8) * 40);
  gpu.setLoad(idleLoad);
  const elapsed = (pace.seconds() - begin).toFixed(2);
  const type = `type=${model.architecture}, dtype=torch.bfloat16`;
  const memory = `avail mem=${gpu.freeGib.toFixed(2)} GB, mem usage=${(before - gpu.freeGib).toFixed(2)} GB.`;
  log.say(`Load weight end. elapsed=${elapsed} s, ${type}, ${memory}`);
  await rank.gather(`${which} loaded`, 0);
}

/**
 * The kernel's OOM killer. Without mmap the shards that were read stay in anonymous memory of the host, and past
 * `host/memory-max-gib` the main process, the biggest, is killed without a word.
 */
async function spareHostMemory(rank: Rank, readGib: number): Promise<void> {
  if (rank.index !== 0 || !rank.args.weight_loader_disable_mmap) return;
  const limit = Number(readFileSync(join(rank.folder, 'host', 'memory-max-gib'), 'utf8'));
  if (readGib <= limit) return;
  process.kill(process.ppid, 'SIGKILL');
  // This process follows as soon as it learns of it; until then it must not get further.
  await new Promise(() => {});
}
