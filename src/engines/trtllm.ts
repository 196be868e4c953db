import type { EngineProfile } from './profile.js';
import { sharedBenign } from './shared/benign.js';
import {
  sharedConsequences,
  sharedDeath,
  sharedEnded,
  stoppedFromOutside,
  uvicornStopped,
} from './shared/consequences.js';
import { sharedFailures } from './shared/failures.js';
import { sharedHints } from './shared/hints.js';
import { programEnds } from './shared/orderly-ends.js';

const minutes = 60_000;

/** TensorRT-LLM's `trtllm-serve`, PyTorch backend, wordings of 1.0 to 1.3. */
export const trtllm: EngineProfile = {
  id: 'trtllm',
  title: 'TensorRT-LLM',
  detect: [
    { weight: 12, pattern: String.raw`^\[TensorRT-LLM\]`, samples: ['[TensorRT-LLM][INFO] x'] },
    {
      weight: 60,
      pattern: String.raw`\[TRT-LLM\]|\[TensorRT-LLM\] TensorRT`,
      samples: ['[03/01/2026-03:12:41] [TRT-LLM] [I] Starting LLM server...'],
    },
    {
      weight: 20,
      pattern: 'tensorrt_llm/|trtllm-serve',
      samples: ['  File "/opt/tensorrt_llm/executor/proxy.py", line 1, in f'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`\[(?<stamp>\d\d/\d\d/\d{4}-\d\d:\d\d:\d\d)\] \[TRT-LLM\](?: \[(?<rank>(?:RANK|MPI_Rank) \d+)\])? \[(?<level>[FEWIVD])\] `,
      repeats: false,
      depth: 0,
      samples: ['[12/20/2025-04:20:04] [TRT-LLM] [RANK 0] [I] x'],
    },
    {
      pattern: String.raw`\[TensorRT-LLM\]\[(?<level>\w+)\] `,
      repeats: false,
      depth: 0,
      samples: ['[TensorRT-LLM][INFO] x'],
    },
    {
      pattern: String.raw`(?<level>INFO|WARNING|ERROR): {2,5}(?=\S)`,
      repeats: false,
      depth: 0,
      samples: ['INFO:     Application startup complete.'],
    },
  ],
  checklist: [
    { id: 'init', model: null, title: 'Start engine', quietLimitMs: 5 * minutes },
    { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 15 * minutes },
    { id: 'kv-cache', model: null, title: 'Allocate KV cache', quietLimitMs: 10 * minutes },
    { id: 'compile', model: null, title: 'Tune kernels', quietLimitMs: 20 * minutes, optional: true },
    { id: 'graphs', model: 'target', title: 'Capture graphs', quietLimitMs: 20 * minutes },
    { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 3 * minutes },
    { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
  ],
  phases: [
    {
      phase: 'init',
      event: 'begin',
      model: null,
      pattern:
        'Starting LLM server|Using LLM with PyTorch backend|TensorRT[- ]LLM version: |start MpiSession with|to spawn MPI processes|LLM create Mpi',
      samples: ['[TensorRT-LLM] TensorRT-LLM version: 1.3.0rc0'],
    },
    {
      phase: 'weights',
      event: 'begin',
      model: 'target',
      pattern: String.raw`Use [\d.]+ GB for model weights|Prefetching `,
      samples: ['[12/20/2025-04:20:04] [TRT-LLM] [I] Use 14.20 GB for model weights.'],
    },
    {
      phase: 'weights',
      event: 'end',
      model: 'target',
      pattern: 'Model init total -- ',
      samples: ['Model init total -- 49.14s'],
    },
    {
      phase: 'kv-cache',
      event: 'begin',
      model: null,
      pattern: 'Using Sampler: |max tokens in paged KV cache|memory in KV cache',
      samples: ['[MemUsageChange] Allocated 5.95 GiB for max tokens in paged KV cache (86720).'],
    },
    {
      phase: 'compile',
      event: 'begin',
      model: null,
      pattern: String.raw`\[Autotuner\] Autotuning process starts`,
      samples: ['[Autotuner] Autotuning process starts ...'],
    },
    {
      phase: 'graphs',
      event: 'begin',
      model: 'target',
      pattern: 'Creating CUDA graph instances for|CUDA graph warmup for batch size',
      samples: ['Creating CUDA graph instances for 11 batch sizes.'],
    },
    {
      phase: 'serving',
      event: 'begin',
      model: null,
      pattern: 'INFO: {5}(?:Started server process|Waiting for application startup)',
      samples: ['INFO:     Started server process [1]'],
    },
  ],
  progress: [
    {
      phase: 'weights',
      unit: 'tensors',
      begins: true,
      pattern: 'Loading (?:safetensors )?weights',
      samples: ['Loading weights', 'Loading safetensors weights in parallel'],
    },
  ],
  runStart: [
    {
      pattern: 'Starting LLM server|Using LLM with PyTorch backend',
      samples: ['[03/01/2026-03:12:41] [TRT-LLM] [I] Starting LLM server...'],
    },
  ],
  args: [],
  version: [
    {
      pattern: String.raw`TensorRT[- ]LLM version: (?<v>\d[\w.]*)`,
      samples: ['[TensorRT-LLM] TensorRT-LLM version: 1.3.0rc0'],
    },
  ],
  port: [
    {
      pattern: String.raw`Uvicorn running on https?://\S+:(?<port>\d+)`,
      samples: ['INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)'],
    },
  ],
  ready: [
    {
      pattern: String.raw`Application startup complete\.|Server is ready to accept requests|gRPC server started on`,
      samples: ['INFO:     Application startup complete.'],
    },
  ],
  death: [
    {
      pattern:
        'Failed to initialize executor|Executor creation failed|Executor worker died|Executor worker returned error|MPI_ABORT was invoked|Executor loop crashed on this rank',
      samples: ['RuntimeError: Executor worker returned error'],
    },
    ...sharedDeath,
  ],
  ended: sharedEnded,
  stopped: [
    ...uvicornStopped,
    ...programEnds,
    ...stoppedFromOutside('trt-?llm|TensorRT-LLM', 'trtllm.service'),
  ],
  hang: [],
  benign: [
    {
      pattern:
        'CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED not supported|Attention workspace size is not enough|CUDA Graph is empty|Can not find sequence for request|exceeds upper bound|is incompatible with nvidia-modelopt',
      samples: ['[TensorRT-LLM][ERROR] CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED not supported on GPU0.'],
    },
    ...sharedBenign,
  ],
  consequences: [
    {
      // The rank's own traceback stands above, where it has one.
      soft: true,
      pattern: 'Executor loop crashed on this rank|Executor worker died',
      samples: [
        '[TRT-LLM] [E] [_torch][RANK 7] Executor loop crashed on this rank; hard-killing all 8 ranks in 9.9s',
      ],
    },
    {
      pattern: String.raw`Executor worker (?:died during initialization|returned error)|RequestError|MPI_ABORT was invoked|mpi4py\.MPI\.Exception`,
      samples: ['RuntimeError: Executor worker returned error'],
    },
    ...sharedConsequences,
  ],
  hints: sharedHints,
  failures: [
    {
      category: 'oom-kv-cache',
      phase: 'kv-cache',
      on: 'both',
      pattern: 'Executor creation failed due to insufficient GPU memory',
      samples: ['RuntimeError: Executor creation failed due to insufficient GPU memory.'],
      remedies: [
        {
          id: 'smaller-kv-fraction',
          title: 'Take a smaller share for the cache',
          why: 'Lower kv_cache_config.free_gpu_memory_fraction, max_batch_size or max_num_tokens.',
        },
      ],
    },
    {
      category: 'native-assertion',
      on: 'line',
      pattern: String.raw`\[TensorRT-LLM\]\[ERROR\] Assertion failed: (?<words>.*)`,
      samples: [
        '  what():  [TensorRT-LLM][ERROR] Assertion failed: mpiSize == tp * pp (/src/worldConfig.cpp:99)',
      ],
      remedies: [
        { id: 'native-assertion', title: 'Read the assertion', why: 'TensorRT-LLM demands: {words}' },
      ],
    },
    ...sharedFailures,
    {
      category: 'executor-crash',
      on: 'line',
      pattern: String.raw`(?<rank>RANK \d+)\] Executor loop crashed on this rank`,
      samples: [
        '[TRT-LLM] [E] [_torch][RANK 7] Executor loop crashed on this rank; hard-killing all 8 ranks in 9.9s',
      ],
      remedies: [
        {
          id: 'restart-server',
          title: 'Start the server anew',
          why: 'All ranks are killed with {rank}, and the HTTP server stays: it answers 503 and never comes back.',
        },
      ],
    },
    {
      category: 'executor-init',
      on: 'line',
      pattern: String.raw`Failed to initialize executor on rank \d+: (?<words>.+)`,
      samples: ['[TRT-LLM] [E] Failed to initialize executor on rank 0: model type `demo` is not known'],
      remedies: [{ id: 'executor-init', title: 'Read what the worker said', why: '{words}' }],
    },
  ],
  frames: [
    { pattern: 'kv_cache_creator|create_kv_cache|estimate_max_tokens', phase: 'kv-cache' },
    { pattern: 'load_weights|model_loader', phase: 'weights' },
  ],
  codePath: '(?:^|/)tensorrt_llm/(.*)$',
  readyPath: { path: '/health' },
  argKeys: {},
};
