import type { ModelFiles } from './model-files.js';
import { outOfMemory } from './out-of-memory.js';
import { PythonError } from './python-error.js';
import type { Rank } from './rank.js';
import { raised } from './tracebacks.js';

const gib = 1024 ** 3;

/**
 * Sizes the KV pool as SGLang does: of what the fullest card has left, all but the share of `availableGib` (free
 * before the weights, on the fullest card) that `--mem-fraction-static` keeps for the rest. All ranks take the same.
 */
export async function profileTokens(rank: Rank, model: ModelFiles, availableGib: number): Promise<number> {
  const free = Math.min(...(await rank.gather('free after weights', rank.gpu.freeGib)));
  const forKv = free - availableGib * (1 - rank.args.mem_fraction_static);
  const tokens = Math.floor((forKv * gib) / model.kvBytesPerToken);
  if (tokens < 1) {
    const text = `Not enough memory. Please try to increase --mem-fraction-static. Current value: self.server_args.mem_fraction_static=${rank.args.mem_fraction_static}`;
    throw raised.memoryPool(new PythonError('RuntimeError', text, []));
  }
  return tokens;
}

/** Allocates the pool for `tokens` tokens. */
export async function allocateKv(rank: Rank, model: ModelFiles, tokens: number): Promise<void> {
  const size = (tokens * model.kvBytesPerToken) / gib;
  if (rank.index === 0) rank.log.say('Using KV cache dtype: torch.bfloat16');
  await rank.pace.pause(120 + ((rank.index * 3) % 8) * 25);
  if (!rank.gpu.allocate(size)) throw raised.memoryPool(outOfMemory(rank.gpu, size));
  const half = (size / 2).toFixed(2);
  const sizes = model.latentKv ? `KV size: ${size.toFixed(2)} GB` : `K size: ${half} GB, V size: ${half} GB`;
  rank.log.say(`KV Cache is allocated. #tokens: ${tokens}, ${sizes}`);
  rank.log.say(`Memory pool end. avail mem=${rank.gpu.freeGib.toFixed(2)} GB`);
}
