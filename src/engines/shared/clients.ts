import type { LineRule } from '../profile.js';

/** A program that asks a server, by its own words. */
export interface ClientRule extends LineRule {
  readonly client: string;
}

/** Programs that measure servers. They import the engine, and so print some of its lines, but serve nothing. */
export const clientRules: readonly ClientRule[] = [
  {
    client: 'vllm bench serve',
    pattern: String.raw`^Starting (?:initial single prompt test run|main benchmark run)\.\.\.|^Initial test run completed\. Starting main benchmark run`,
    samples: [
      'Starting initial single prompt test run...',
      'Starting main benchmark run...',
      'Initial test run completed. Starting main benchmark run...',
    ],
  },
  {
    client: 'sglang.bench_serving',
    pattern: String.raw`^benchmark_args=Namespace\(|^#Output tokens: \d+\s*$|^Starting warmup with \d+ sequences|^Warmup completed with \d+ sequences`,
    samples: [
      "benchmark_args=Namespace(backend='sglang', base_url=None)",
      '#Output tokens: 2048',
      'Starting warmup with 1 sequences...',
      'Warmup completed with 1 sequences. Starting main benchmark run...',
    ],
  },
  {
    client: 'a serving benchmark',
    pattern: String.raw`^=+ +Serving Benchmark Result +=+|^Traffic request rate: (?:inf|[\d.]+)`,
    samples: [
      '============ Serving Benchmark Result ============',
      'Traffic request rate: inf',
      'Traffic request rate: 2.0 RPS.',
    ],
  },
  {
    client: 'sglang.bench_one_batch_server',
    pattern: String.raw`^(?:input_len|batch size): \d+.*\b(?:latency|output throughput): [\d.]+|^last_ttft: [\d.]+ s`,
    samples: ['last_ttft: 0.08 s'],
  },
  {
    client: 'genai-perf',
    pattern: String.raw`NVIDIA (?:GenAI-Perf|AIPerf) \||\[INFO\] genai_perf\.|Running Perf Analyzer : `,
    samples: [
      '                       NVIDIA GenAI-Perf | LLM Metrics',
      "2025-03-01 10:00:00 [INFO] genai_perf.wrapper:147 - Running Perf Analyzer : 'perf_analyzer -m demo'",
    ],
  },
  {
    client: 'evalscope',
    pattern: String.raw` - evalscope - (?:INFO|WARNING|ERROR) - |\bevalscope - \w+\.py - |^Benchmarking summary:`,
    samples: ['2025-03-01 10:00:00,001 - evalscope - INFO - Starting benchmark with args: '],
  },
  {
    client: 'guidellm',
    pattern: String.raw`^Benchmarks (?:Metadata|Info|Stats):|^\s*✔ OpenAIHTTPBackend backend|^Backend openai_http connected to `,
    samples: [
      'Benchmarks Metadata:',
      'Backend openai_http connected to http://localhost:8000 for model demo.',
    ],
  },
  {
    client: 'llmperf',
    pattern: String.raw`\bResults for token benchmark for \S+ queried with the `,
    samples: ['\\Results for token benchmark for demo queried with the openai api.'],
  },
];
