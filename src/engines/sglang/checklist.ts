import type { PhasePlan } from '../profile.js';

const minutes = 60_000;

export const checklist: readonly PhasePlan[] = [
  { id: 'args', model: null, title: 'Read arguments', quietLimitMs: 3 * minutes },
  { id: 'distributed', model: null, title: 'Join ranks', quietLimitMs: 5 * minutes },
  { id: 'download', model: null, title: 'Download weights', quietLimitMs: 5 * minutes, optional: true },
  // No line comes between two shards; a 5 GB shard from a network file system takes minutes.
  { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 10 * minutes },
  { id: 'kv-cache', model: 'target', title: 'Allocate KV cache', quietLimitMs: 5 * minutes },
  // DeepGEMM and FlashInfer compile inside this phase, up to 20 minutes without a line.
  { id: 'compile', model: null, title: 'Compile kernels', quietLimitMs: 25 * minutes, optional: true },
  {
    id: 'graphs',
    model: 'target',
    title: 'Capture graphs',
    quietLimitMs: 25 * minutes,
    unlessArg: 'disable_cuda_graph',
  },
  { id: 'weights', model: 'draft', title: 'Load draft weights', quietLimitMs: 10 * minutes },
  { id: 'kv-cache', model: 'draft', title: 'Allocate draft KV cache', quietLimitMs: 5 * minutes },
  {
    id: 'graphs',
    model: 'draft',
    title: 'Capture draft graphs',
    quietLimitMs: 25 * minutes,
    unlessArg: 'disable_cuda_graph',
  },
  { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 3 * minutes },
  {
    id: 'warmup',
    model: null,
    title: 'Warm up',
    quietLimitMs: 25 * minutes,
    unlessArg: 'skip_server_warmup',
  },
  { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
];
