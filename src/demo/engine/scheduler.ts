import { checkContextLength } from './context-length.js';
import { initDistributed } from './distributed.js';
import { idleLoad } from './gpu.js';
import { captureDraft, captureTarget } from './graphs.js';
import { allocateKv, profileTokens } from './kv-cache.js';
import { type ModelFiles, readModelFiles } from './model-files.js';
import type { Rank } from './rank.js';
import { raised } from './tracebacks.js';
import { loadWeights } from './weights.js';

/** What a scheduler does until it can serve, in the order of SGLang 0.5.9: the target whole, then the draft. */
export async function startScheduler(rank: Rank): Promise<{ readonly maxTotalTokens: number }> {
  const { args, log, pace } = rank;
  await pace.pause(1800 + ((rank.index * 5) % 8) * 90);
  const target = folder(args.model_path, rank);
  await initDistributed(rank, 'target');
  const available = Math.min(...(await rank.gather('free before weights', rank.gpu.freeGib)));
  await loadWeights(rank, target, 'target');
  const tokens = await profileTokens(rank, target, available);
  await allocateKv(rank, target, tokens);
  await rank.gather('pool allocated', 0);
  await pace.pause(300);
  await captureTarget(rank, target);
  if (args.speculative_algorithm !== null && args.speculative_draft_model_path !== null)
    await startDraft(
      rank,
      folder(args.speculative_draft_model_path, rank),
      contextLength(rank, target),
      tokens,
    );
  await rank.gather('all captured', 0);
  if (rank.index === 0) {
    const running = args.max_running_requests ?? 48;
    log.say(
      `max_total_num_tokens=${tokens}, chunked_prefill_size=${args.chunked_prefill_size}, ` +
        `max_prefill_tokens=${args.max_prefill_tokens}, max_running_requests=${running}, ` +
        `context_len=${contextLength(rank, target)}, available_gpu_mem=${rank.gpu.freeGib.toFixed(2)} GB`,
    );
  }
  return { maxTotalTokens: tokens };
}

/** One small batch through all ranks: the card is busy, rank 0 says what it was. */
export async function generate(rank: Rank, tokens: number, warmup: boolean): Promise<void> {
  if (!warmup) {
    await rank.pace.pause(30);
    return;
  }
  rank.gpu.setLoad({ utilPercent: 97, powerW: 412 + rank.index, temperatureC: 47 });
  if (rank.index === 0)
    rank.log.say(
      `Prefill batch, #new-seq: 1, #new-token: ${tokens}, #cached-token: 0, token usage: 0.00, #running-req: 0, ` +
        '#queue-req: 0, input throughput (token/s): 0.00, cuda graph: False',
    );
  await rank.pace.pause(1700);
  rank.gpu.setLoad(idleLoad);
}

async function startDraft(
  rank: Rank,
  draft: ModelFiles,
  contextLength: number,
  tokens: number,
): Promise<void> {
  await rank.pace.pause(300);
  const check = checkContextLength("Target model's", contextLength, draft.maxPositions, process.env);
  if (check.kind === 'refused') throw raised.draftConfig(check.error);
  if (check.kind === 'overridden') {
    rank.log.say(check.warning);
    rank.log.say(`Overriding the draft model's max_position_embeddings to ${contextLength}.`);
  }
  await initDistributed(rank, 'draft');
  await loadWeights(rank, draft, 'draft');
  await allocateKv(rank, draft, tokens);
  await captureDraft(rank);
}

const contextLength = (rank: Rank, target: ModelFiles): number =>
  rank.args.context_length ?? target.maxPositions;

function folder(path: string, rank: Rank): ModelFiles {
  const files = readModelFiles(path, rank.count);
  if (files === null) throw new Error(`no model in ${path}`);
  return files;
}
