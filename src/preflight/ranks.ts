import type { Card } from './host-report.js';
import { numberFlag } from './plan.js';
import { type Sight, variable } from './rule.js';

/** How many GPUs of this host the launch takes; null where it cannot be told. */
export function gpusWanted({ plan }: Sight): number | null {
  const { engine, flags } = plan;
  if (engine?.flags.tensorParallel === undefined) return null;
  const tensor = numberFlag(plan, 'tensorParallel', 1);
  const pipeline = numberFlag(plan, 'pipelineParallel', 1);
  const all = numberFlag(plan, 'dataParallel', 1);
  const data = numberFlag(plan, 'dataParallelLocal', all ?? 1);
  const nodes = numberFlag(plan, 'nodes', 1);
  if (tensor === null || pipeline === null || all === null || data === null || nodes === null) return null;
  const replicas = flags.get('dataParallelAttention') === undefined ? data : 1;
  // Local engines of vLLM are this node's already.
  const isLocal = flags.get('dataParallelLocal') !== undefined;
  return isLocal
    ? tensor * pipeline * replicas
    : Math.ceil((tensor * pipeline * replicas) / Math.max(1, nodes));
}

/** Ranks that share one copy of the weights; null where it cannot be told. */
export function ranksOfModel({ plan }: Sight): number | null {
  const tensor = numberFlag(plan, 'tensorParallel', 1);
  const pipeline = numberFlag(plan, 'pipelineParallel', 1);
  return tensor === null || pipeline === null ? null : tensor * pipeline;
}

/** The cards that the launch may see, in its order; null where that cannot be told. */
export function visibleCards(sight: Sight): readonly Card[] | null {
  const { gpus } = sight.report;
  if (gpus.status !== 'ok') return null;
  const shown = variable(sight, 'CUDA_VISIBLE_DEVICES');
  if (shown === undefined) return gpus.cards;
  if (shown === null || /MIG/.test(shown)) return null;
  const cards: Card[] = [];
  for (const word of shown.split(',').map((part) => part.trim())) {
    // CUDA takes what stands before the first one that is not there.
    const card = gpus.cards.find(({ index, uuid }) =>
      /^\d+$/.test(word) ? index === Number(word) : word.startsWith('GPU-') && uuid.startsWith(word),
    );
    if (card === undefined) break;
    cards.push(card);
  }
  return cards;
}

/** Those of them that it will use. */
export function cardsToUse(sight: Sight): readonly Card[] | null {
  const visible = visibleCards(sight);
  const wanted = gpusWanted(sight);
  if (visible === null || wanted === null) return visible;
  const from = numberFlag(sight.plan, 'baseGpu', 0) ?? 0;
  return visible.slice(from, from + wanted);
}

/** Whether the launch needs a GPU of NVIDIA's kind at all. */
export function needsGpu({ plan }: Sight): boolean {
  if (plan.engine === null || !plan.engine.needsGpu) return false;
  const device = plan.flags.get('device');
  return device === undefined || device === 'cuda' || device === 'auto';
}
