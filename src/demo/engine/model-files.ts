import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What the simulation needs of a model folder: `config.json`, the shard files, the index. */
export interface ModelFiles {
  readonly path: string;
  readonly architecture: string;
  readonly maxPositions: number;
  readonly layers: number;
  /** Bytes of KV cache that one token takes on one rank. */
  readonly kvBytesPerToken: number;
  /** One latent for K and V (MLA), which the log prints as one size. */
  readonly latentKv: boolean;
  readonly shards: readonly string[];
  /** Size that the index states for the weights; the demo's own files are far smaller. */
  readonly totalBytes: number;
}

const configSchema = z.object({
  architectures: z.array(z.string()).min(1),
  max_position_embeddings: z.number(),
  num_hidden_layers: z.number(),
  head_dim: z.number().optional(),
  num_key_value_heads: z.number().optional(),
  kv_lora_rank: z.number().optional(),
  qk_rope_head_dim: z.number().optional(),
});

const indexSchema = z.object({ metadata: z.object({ total_size: z.number() }) });

/** Reads a model folder for `ranks` ranks, or null when there is no `config.json`. */
export function readModelFiles(path: string, ranks: number): ModelFiles | null {
  const file = join(path, 'config.json');
  if (!existsSync(file)) return null;
  const config = configSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  const latent = (config.kv_lora_rank ?? 0) + (config.qk_rope_head_dim ?? 0);
  const heads = Math.max(1, (config.num_key_value_heads ?? 8) / ranks);
  const perLayer = latent > 0 ? latent : 2 * heads * (config.head_dim ?? 128);
  const index = join(path, 'model.safetensors.index.json');
  const names = readdirSync(path).filter((name) => name.endsWith('.safetensors'));
  return {
    path,
    architecture: config.architectures[0] ?? '',
    maxPositions: config.max_position_embeddings,
    layers: config.num_hidden_layers,
    kvBytesPerToken: perLayer * config.num_hidden_layers * 2,
    latentKv: latent > 0,
    shards: names.sort().map((name) => join(path, name)),
    totalBytes: indexSchema.parse(JSON.parse(readFileSync(index, 'utf8'))).metadata.total_size,
  };
}
