import type { PhasePlan, PhaseRule, ProgressRule } from '../profile.js';
import { uvicornSays } from '../shared/uvicorn.js';

const minutes = 60_000;

export const checklist: readonly PhasePlan[] = [
  { id: 'args', model: null, title: 'Read arguments', quietLimitMs: 3 * minutes },
  { id: 'init', model: null, title: 'Start engine', quietLimitMs: 4 * minutes },
  { id: 'distributed', model: null, title: 'Join ranks', quietLimitMs: 5 * minutes, optional: true },
  { id: 'download', model: null, title: 'Download weights', quietLimitMs: 5 * minutes, optional: true },
  { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 15 * minutes },
  { id: 'weights', model: 'draft', title: 'Load draft weights', quietLimitMs: 15 * minutes },
  // Silence of 30–300 s between two lines is usual; FlashInfer and DeepGEMM compile here on a first run.
  { id: 'compile', model: null, title: 'Compile', quietLimitMs: 20 * minutes, unlessArg: 'enforce_eager' },
  { id: 'profile', model: null, title: 'Profile memory', quietLimitMs: 10 * minutes, optional: true },
  { id: 'kv-cache', model: null, title: 'Allocate KV cache', quietLimitMs: 10 * minutes },
  {
    id: 'graphs',
    model: 'target',
    title: 'Capture graphs',
    quietLimitMs: 20 * minutes,
    unlessArg: 'enforce_eager',
  },
  { id: 'graphs', model: 'draft', title: 'Capture draft graphs', quietLimitMs: 20 * minutes, optional: true },
  { id: 'warmup', model: null, title: 'Warm up', quietLimitMs: 20 * minutes, optional: true },
  { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 3 * minutes },
  { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
];

/** Wordings of v0.5 to 0.28. */
export const phases: readonly PhaseRule[] = [
  {
    phase: 'args',
    event: 'begin',
    model: null,
    pattern: String.raw`vLLM (?:API )?server version |█\s+version\s+\d|non-default args: \{|args: Namespace\(`,
    samples: [
      'INFO 06-18 18:43:50 [api_server.py:1034] vLLM API server version 0.8.3',
      "(APIServer pid=1) INFO 10-01 08:42:29 [utils.py:233] non-default args: {'model': '/models/demo'}",
    ],
  },
  {
    phase: 'args',
    event: 'mark',
    model: null,
    pattern:
      'Resolved architecture: |Using max model len |This model supports multiple tasks|Chunked prefill is enabled with',
    samples: ['(APIServer pid=1) INFO 10-01 08:42:29 [model.py:547] Resolved architecture: DemoForCausalLM'],
  },
  {
    phase: 'init',
    event: 'begin',
    model: null,
    pattern: String.raw`Initializing an? (?:V[01] )?LLM engine \(v|Started engine process with PID|Waiting for init message from front-end`,
    samples: [
      '(EngineCore_DP0 pid=9) INFO 10-01 08:42:35 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model=x',
    ],
  },
  {
    phase: 'distributed',
    event: 'begin',
    model: null,
    pattern: String.raw`world_size=\d+ rank=\d+ local_rank=\d+ distributed_init_method=|vLLM is using nccl==|Found nccl from library`,
    samples: ['(Worker_TP0 pid=9) INFO 10-01 08:42:36 [pynccl.py:103] vLLM is using nccl==2.27.3'],
  },
  {
    phase: 'distributed',
    event: 'end',
    model: null,
    pattern: String.raw`rank \d+ in world size \d+ is assigned as|Worker ready; awaiting tasks`,
    samples: [
      'INFO 06-18 18:44:07 [parallel_state.py:957] rank 0 in world size 1 is assigned as DP rank 0, PP rank 0, TP rank 0',
    ],
  },
  {
    phase: 'weights',
    event: 'begin',
    model: 'target',
    pattern: String.raw`Starting to load model |Loading model from scratch\.\.\.`,
    samples: ['INFO 06-18 18:44:07 [gpu_model_runner.py:1258] Starting to load model acme/demo-a...'],
  },
  {
    phase: 'weights',
    event: 'begin',
    model: 'draft',
    pattern: String.raw`Loading drafter model\.\.\.|Configuring SpecDecodeWorker`,
    samples: ['(Worker_TP0 pid=9) INFO 10-01 08:43:36 [gpu_model_runner.py:2700] Loading drafter model...'],
  },
  {
    phase: 'weights',
    event: 'mark',
    model: 'target',
    pattern: 'Time spent downloading weights for |Prefetching checkpoint files',
    samples: [
      'INFO 07-06 23:55:05 [weight_utils.py:487] Time spent downloading weights for acme/demo-a: 877.58 seconds',
    ],
  },
  {
    phase: 'weights',
    event: 'end',
    model: 'target',
    pattern: String.raw`Model loading took [\d.]+ G|Loading model weights took [\d.]+ GB`,
    samples: [
      'INFO 06-18 18:44:08 [gpu_model_runner.py:1273] Model loading took 0.4315 GiB and 0.825929 seconds',
      'INFO 04-29 09:57:35 model_runner.py:917] Loading model weights took 51.4723 GB',
    ],
  },
  {
    phase: 'compile',
    event: 'begin',
    model: null,
    pattern: String.raw`for vLLM's torch\.compile|Dynamo bytecode transform time|Compiling a graph for |Cache the graph |Directly load (?:the compiled graph|AOT compilation)`,
    samples: ['INFO 06-18 18:44:15 [backends.py:426] Dynamo bytecode transform time: 6.93 s'],
  },
  {
    phase: 'compile',
    event: 'end',
    model: null,
    pattern: String.raw`torch\.compile (?:takes|took) [\d.]+ s in total|torch\.compile and initial profiling`,
    samples: ['INFO 06-18 18:44:21 [monitor.py:33] torch.compile takes 6.93 s in total'],
  },
  {
    phase: 'profile',
    event: 'begin',
    model: null,
    // `Encoder cache will be initialized …` is no beginning: it is the last word on the model.
    pattern: 'Initial profiling/warmup run took|Profiling CUDA graph memory|Memory profiling takes',
    samples: ['INFO 04-05 23:35:20 [worker.py:267] Memory profiling takes 6.21 seconds'],
  },
  {
    phase: 'kv-cache',
    event: 'begin',
    model: null,
    pattern: String.raw`Available KV cache memory: |GPU KV cache size: |# (?:GPU|cuda) blocks: \d+|Maximum concurrency for `,
    samples: [
      '(EngineCore_DP0 pid=9) INFO 10-01 08:43:00 [gpu_worker.py:298] Available KV cache memory: 11.20 GiB',
      'INFO 04-29 09:57:42 gpu_executor.py:121] # GPU blocks: 112557, # CPU blocks: 32768',
    ],
  },
  {
    phase: 'graphs',
    event: 'begin',
    model: 'target',
    pattern: 'Capturing (?:the model for CUDA graphs|cudagraphs for decoding)',
    samples: [
      'INFO 08-07 09:37:40 model_runner.py:1402] Capturing the model for CUDA graphs. This may lead to unexpected consequences',
    ],
  },
  {
    phase: 'graphs',
    event: 'end',
    model: 'target',
    pattern: 'Graph capturing finished in ',
    samples: [
      'INFO 06-18 18:44:40 [gpu_model_runner.py:1600] Graph capturing finished in 18 secs, took 0.45 GiB',
    ],
  },
  {
    phase: 'graphs',
    event: 'begin',
    model: 'draft',
    pattern: 'Capturing model for speculator',
    samples: [
      '(Worker_TP0 pid=9) INFO 10-01 08:43:36 [model_runner.py:270] Capturing model for speculator...',
    ],
  },
  {
    phase: 'serving',
    event: 'begin',
    model: null,
    pattern: String.raw`init engine \(profile, create kv cache, warmup model\) took|Starting vLLM (?:API )?server |Available routes are:`,
    samples: [
      'INFO 06-18 18:44:41 [core.py:159] init engine (profile, create kv cache, warmup model) took 32.1 seconds',
    ],
  },
  {
    phase: 'serving',
    event: 'mark',
    model: null,
    pattern: uvicornSays(String.raw`Started server process \[|Waiting for application startup`),
    samples: ['(APIServer pid=1) INFO:     Started server process [1]'],
  },
  {
    phase: 'warmup',
    event: 'begin',
    model: null,
    pattern: 'Multi-modal warmup completed|Warming up FlashInfer attention|Autotuning process starts',
    samples: [
      '2026-07-10 18:58:11,123 - INFO - autotuner.py:256 - flashinfer.jit: [Autotuner]: Autotuning process starts ...',
    ],
  },
];

export const progress: readonly ProgressRule[] = [
  {
    phase: 'weights',
    unit: 'shards',
    begins: true,
    pattern:
      'Loading (?:safetensors|pt|np_cache) checkpoint shards|Multi-thread loading|Loading safetensors using',
    samples: ['Loading safetensors checkpoint shards'],
  },
  {
    phase: 'graphs',
    unit: 'graphs',
    begins: true,
    pattern: 'Capturing CUDA graph',
    samples: ['Capturing CUDA graphs (mixed prefill-decode, PIECEWISE)', 'Capturing CUDA graph shapes'],
  },
  {
    phase: 'compile',
    unit: 'kernels',
    begins: true,
    pattern: 'DeepGEMM warmup|Compiling CuTeDSL kernels',
    samples: ['DeepGEMM warmup'],
  },
  {
    phase: 'download',
    unit: 'files',
    begins: true,
    pattern: String.raw`Fetching \d+ files$`,
    samples: ['Fetching 37 files'],
  },
  {
    phase: 'download',
    unit: '',
    begins: true,
    pattern: String.raw`\.(?:safetensors|bin|gguf|pt)$`,
    samples: ['model-00001-of-00030.safetensors'],
  },
];
