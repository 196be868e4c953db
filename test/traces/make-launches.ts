import { dice, Maker, round, type TraceDraft } from './maker.js';
import { begin, cache, graphs, graphsBegin, join, joined, loaded, reading, ready } from './steps.js';

type Past = NonNullable<TraceDraft['header']['past']>;

/**
 * Sound launches with uneven rates, each after three others on the same host: the disk is a third faster or slower
 * than before and changes its rate every few shards, some begin with what the page cache still holds. `barred`: without
 * a bar for the weights, only the size of the checkpoint is known.
 */
export function launchTraces(count: number): readonly TraceDraft[] {
  return Array.from({ length: count }, (_, index) => launch(index));
}

function launch(index: number): TraceDraft {
  const roll = dice(1000 + index);
  const engine = index % 2 === 0 ? 'sglang' : 'vllm';
  const usual = { weights: 150 + 600 * roll(), graphs: 30 + 200 * roll() };
  const past: Past = Array.from({ length: 3 }, () => ({
    cache: 'cold',
    phases: [
      { id: 'args', seconds: uneven(12, roll) },
      ...(engine === 'vllm' ? [{ id: 'init' as const, seconds: uneven(8, roll) }] : []),
      { id: 'distributed', seconds: uneven(7, roll) },
      { id: 'weights', model: 'target', seconds: uneven(usual.weights, roll) },
      { id: 'kv-cache', model: engine === 'sglang' ? 'target' : null, seconds: uneven(6, roll) },
      { id: 'graphs', model: 'target', seconds: uneven(usual.graphs, roll) },
      { id: 'serving', seconds: 4 },
    ],
  }));
  const maker = joined(join(begin(new Maker(engine, 4, 2000 + index))));
  const isBarred = index % 5 === 4;
  const bytes = 120e9;
  loadUnevenly(maker, uneven(usual.weights, roll), bytes, isBarred, roll);
  graphs(graphsBegin(cache(loaded(maker))), 24, uneven(usual.graphs, roll));
  const readyAt = ready(maker);
  return {
    name: `launch-${String(index + 1).padStart(2, '0')}`,
    header: {
      title: `A launch with uneven rates${isBarred ? ', its weights without a bar' : ''} (${index + 1})`,
      engine,
      gpus: 4,
      readyAt,
      ...(isBarred ? { modelBytes: bytes } : {}),
      past,
      truth: [
        { from: 0, state: 'loading' },
        { from: readyAt, state: 'ready' },
      ],
    },
    entries: maker.entries,
  };
}

/** `seconds`, up to a fifth more or less. */
const uneven = (seconds: number, roll: () => number): number => round(seconds * (0.8 + 0.4 * roll()));

/** In stretches of one to eight shards, each at a rate between half and one and a half of the average. */
function loadUnevenly(
  maker: Maker,
  seconds: number,
  bytes: number,
  isBarred: boolean,
  roll: () => number,
): void {
  const total = 48;
  const stretches: { shards: number; weight: number }[] = [];
  for (let left = total; left > 0; ) {
    const shards = Math.min(left, 1 + Math.floor(8 * roll()));
    stretches.push({ shards, weight: shards / (0.5 + roll()) });
    left -= shards;
  }
  const sum = stretches.reduce((all, { weight }) => all + weight, 0);
  let done = 0;
  for (const { shards, weight } of stretches) {
    const took = (seconds * weight) / sum;
    reading(maker, (bytes * shards) / total / took);
    for (let shard = 0; shard < shards; shard += 1) {
      maker.wait(took / shards);
      done += 1;
      if (!isBarred) maker.shards(done, total);
    }
  }
}
