import type { LineRule } from '../profile.js';

/**
 * What an engine says of work that it does for a script of its own process (`LLM(…).generate`), which no server does.
 * With group `percent` it is a bar, and done at 100.
 */
export const workRules: readonly LineRule[] = [
  {
    // vLLM's and TensorRT-LLM's `LLM`, and vLLM's benchmarks of latency.
    pattern: String.raw`(?:Processed (?:prompts|requests)|Profiling iterations): +(?<percent>\d+)%\|`,
    samples: [
      'Processed prompts: 100%|██████████| 500/500 [14:29<00:00,  1.16it/s]',
      'Processed requests:  12%|█▏        | 1/8 [00:01<00:07,  1.00s/it]',
      'Profiling iterations: 100%|██████████| 30/30 [00:41<00:00,  1.37s/it]',
    ],
  },
  {
    // `vllm bench throughput`.
    pattern: String.raw`^Throughput: [\d.]+ requests/s, [\d.]+ total tokens/s`,
    samples: ['Throughput: 13.22 requests/s, 6079.89 total tokens/s, 2807.15 output tokens/s'],
  },
];

/**
 * How much of it is done, as `text` says in the end, which `pattern` matches: bars come one behind the other in one line
 * where their carriage returns were lost.
 */
export function isWorkDone(pattern: RegExp, text: string): boolean {
  const percent = [...text.matchAll(new RegExp(pattern, 'g'))].at(-1)?.groups?.percent;
  return percent === undefined || percent === '100';
}
