import type { FailureRule } from '../profile.js';

/** What does not fit into the GPUs, or into the host. */
export const memoryFailures: readonly FailureRule[] = [
  {
    category: 'gpu-busy',
    phase: 'distributed',
    on: 'exception',
    pattern: String.raw`Free memory on device .*\((?<free>[\d.]+)/(?<total>[\d.]+) GiB\) on startup is less than desired GPU memory utilization`,
    samples: [
      'ValueError: Free memory on device cuda:0 (13.58/15.99 GiB) on startup is less than desired GPU memory utilization (0.9, 14.39 GiB).',
    ],
    remedies: [
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'Only {free} of {total} GiB are free; look for VLLM::* processes of an earlier attempt.',
      },
      {
        id: 'lower-gpu-utilization',
        title: 'Ask for what is free',
        why: 'Leaves the neighbour its memory.',
        change: { args: ['--gpu-memory-utilization', '{utilization}'] },
        compute: 'lower-gpu-utilization',
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    phase: 'kv-cache',
    on: 'exception',
    pattern: 'No available memory for the cache blocks',
    samples: [
      'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
    ],
    remedies: [
      {
        id: 'raise-gpu-utilization',
        title: 'Give vLLM a larger share of the GPU',
        why: 'Weights and activations fill the share that it has.',
        change: { args: ['--gpu-memory-utilization', '{utilization}'] },
        compute: 'raise-gpu-utilization',
      },
      {
        id: 'enforce-eager',
        title: 'Do without graphs',
        why: 'Saves their memory, costs speed.',
        change: { args: ['--enforce-eager'] },
      },
    ],
  },
  {
    category: 'kv-cache-too-short',
    phase: 'kv-cache',
    on: 'exception',
    pattern: String.raw`max seq len \((?<asked>\d+)\).*KV cache is needed, which is larger than the available KV cache memory \((?<have>[\d.]+) Gi?B\)(?:.*estimated maximum model length is (?<fits>\d+))?`,
    samples: [
      "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (9.12 GiB). Based on the available memory, the estimated maximum model length is 74704.",
    ],
    remedies: [
      {
        id: 'lower-max-model-len',
        title: 'Serve the length that fits',
        why: '{have} GiB of cache do not hold one request of {asked} tokens.',
        change: { args: ['--max-model-len', '{fits}'] },
      },
      {
        id: 'fp8-kv-cache',
        title: 'Store the cache in FP8',
        why: 'Halves what a token takes.',
        change: { args: ['--kv-cache-dtype', 'fp8'] },
      },
    ],
  },
  {
    category: 'kv-cache-too-short',
    phase: 'kv-cache',
    on: 'exception',
    pattern: String.raw`max seq len \((?<asked>\d+)\) is larger than the maximum number of tokens that can be stored in KV cache \((?<fits>\d+)\)`,
    samples: [
      "ValueError: The model's max seq len (32768) is larger than the maximum number of tokens that can be stored in KV cache (20000).",
    ],
    remedies: [
      {
        id: 'lower-max-model-len',
        title: 'Serve the length that fits',
        why: 'The cache holds {fits} tokens.',
        change: { args: ['--max-model-len', '{fits}'] },
      },
    ],
  },
  {
    category: 'oom-warmup',
    on: 'exception',
    pattern: String.raw`out of memory occurred when warming up (?<what>sampler|pooler) with (?<seqs>\d+)`,
    samples: ['RuntimeError: CUDA out of memory occurred when warming up sampler with 1024 dummy requests.'],
    remedies: [
      {
        id: 'fewer-sequences',
        title: 'Fewer requests at once',
        why: 'The {what} is warmed up with {seqs} of them.',
        change: { args: ['--max-num-seqs', '128'] },
      },
    ],
  },
  {
    category: 'memory-race',
    on: 'exception',
    pattern: String.raw`Error in memory profiling\. Initial free memory`,
    samples: [
      'AssertionError: Error in memory profiling. Initial free memory 70.1 GiB, current free memory 75.0 GiB.',
    ],
    remedies: [
      {
        id: 'one-at-a-time',
        title: 'Start servers one after the other',
        why: 'Another process changed its memory while this one measured.',
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    on: 'exception',
    during: ['kv-cache', 'profile'],
    pattern: 'out of memory|OutOfMemoryError',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB.'],
    remedies: [
      {
        id: 'lower-gpu-utilization',
        title: 'Take a smaller share of the GPU',
        why: 'The share that --gpu-memory-utilization asks for is not free.',
        change: { args: ['--gpu-memory-utilization', '{utilization}'] },
        compute: 'lower-gpu-utilization',
      },
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'The message lists what each process has in use.',
      },
    ],
  },
  {
    category: 'oom-graph-capture',
    phase: 'graphs',
    on: 'exception',
    during: ['graphs'],
    pattern: 'out of memory|OutOfMemoryError',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.'],
    remedies: [
      {
        id: 'lower-gpu-utilization',
        title: 'Leave more memory for the graphs',
        why: 'Capture runs in what --gpu-memory-utilization leaves over.',
        change: { args: ['--gpu-memory-utilization', '{utilization}'] },
        compute: 'lower-gpu-utilization',
      },
      {
        id: 'enforce-eager',
        title: 'Do without graphs',
        why: 'Saves their memory, costs speed.',
        change: { args: ['--enforce-eager'] },
      },
    ],
  },
  {
    category: 'host-memory',
    on: 'both',
    pattern: String.raw`Failed core proc\(s\): \{[^}]*: -9[,}]|died unexpectedly \(exit code: -9\)|died, exit code: -9`,
    samples: [
      "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': -9}",
    ],
    remedies: [
      {
        id: 'host-memory',
        title: 'Look for the OOM killer',
        why: 'The engine was killed with SIGKILL: dmesg -T | grep -i oom. Lower --cpu-offload-gb and --swap-space, or give the host more RAM.',
      },
    ],
  },
];
