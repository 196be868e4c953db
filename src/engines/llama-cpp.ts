import type { EngineProfile } from './profile.js';
import { sharedBenign } from './shared/benign.js';
import { sharedDeath, sharedEnded, stoppedFromOutside } from './shared/consequences.js';
import { environmentFailures } from './shared/environment-failures.js';
import { ggmlConsequences, ggmlDeath, ggmlFailures } from './shared/ggml.js';

const minutes = 60_000;

/** llama.cpp's `llama-server`, wordings of 2024-09 to b10573 (2026-08). */
export const llamaCpp: EngineProfile = {
  id: 'llama.cpp',
  title: 'llama.cpp',
  detect: [
    {
      weight: 40,
      pattern:
        'llama_model_loader: |llama_server: |llama-server|srv +load_model: |main: loading model|llama_context: |llm_load_|common_init_from_params',
      samples: ['main: loading model', 'srv    load_model: loading model /models/demo.gguf'],
    },
    {
      weight: 20,
      pattern: String.raw`ggml_(?:cuda_init|vulkan|metal_\w+|sycl_\w+|cann_\w+|opencl): |build: \d+ \([0-9a-f]{7,}\) with |load_backend: loaded|ggml_backend`,
      samples: ['build: 5662 (fb85a288) with cc (Ubuntu 13.3.0) for x86_64-linux-gnu'],
    },
    {
      weight: 10,
      pattern: String.raw`^system_info: n_threads|^slot +\w+: id `,
      samples: ['system_info: n_threads = 6 (n_threads_batch = 6)'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`(?<stamp>\d+\.\d\d\.\d{3}\.\d{3}) (?<level>[IWED]) `,
      repeats: false,
      depth: 0,
      samples: ['0.01.234.567 I srv  llama_server: model loaded'],
    },
    {
      pattern: String.raw`(?:srv|slot|que|com) +\S+: (?:\S+: )?|main: `,
      repeats: false,
      depth: 0,
      samples: ['srv    load_model: loading model', 'main: loading model'],
    },
  ],
  checklist: [
    { id: 'init', model: null, title: 'Find devices', quietLimitMs: 2 * minutes },
    { id: 'download', model: null, title: 'Download weights', quietLimitMs: 5 * minutes, optional: true },
    // Since May 2026 nothing is printed between "loading model" and "model loaded".
    { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 20 * minutes },
    { id: 'kv-cache', model: null, title: 'Allocate KV cache', quietLimitMs: 5 * minutes, optional: true },
    { id: 'warmup', model: null, title: 'Warm up', quietLimitMs: 10 * minutes, optional: true },
    { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 2 * minutes },
    { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
  ],
  phases: [
    {
      phase: 'init',
      event: 'begin',
      model: null,
      pattern: String.raw`ggml_\w+_init: found|build: \d+ \(|^system[ _]info: `,
      samples: ['build: 5662 (fb85a288) with cc'],
    },
    {
      phase: 'weights',
      event: 'begin',
      model: 'target',
      pattern:
        'main: loading model|load_model: loading model|llama_model_loader: loaded meta data|load_tensors: |llm_load_tensors: ',
      samples: ['srv    load_model: loading model /models/demo.gguf'],
    },
    {
      phase: 'kv-cache',
      event: 'begin',
      model: null,
      pattern: String.raw`llama_(?:context|kv_cache\w*|new_context_with_model): .*(?:n_ctx|KV|size =)|llama_kv_cache_init`,
      samples: ['llama_context: n_ctx         = 131072'],
    },
    {
      phase: 'warmup',
      event: 'begin',
      model: null,
      pattern: 'warming up the model with an empty run',
      samples: ['common_init_from_params: warming up the model with an empty run - please wait ...'],
    },
    {
      phase: 'serving',
      event: 'begin',
      model: null,
      pattern: 'main: model loaded|llama_server: model loaded|initializing(?: slots)?, n_slots',
      samples: ['main: model loaded'],
    },
  ],
  progress: [
    { phase: 'download', unit: '', begins: true, pattern: String.raw`\.gguf`, samples: ['demo.gguf'] },
  ],
  runStart: [
    { pattern: String.raw`build: \d+ \([0-9a-f]{6,}\) with `, samples: ['build: 5662 (fb85a288) with cc'] },
    {
      // Where the build is not told: from 2026 on, in this order, the one or the other of them.
      pattern: String.raw`build_info: b\d+-|system[ _]info: n_threads = |common_params_print_info: verbosity = `,
      samples: [
        'build_info: b8680-15f786e65',
        'system_info: n_threads = 4 (n_threads_batch = 4) / 10 | CPU : NEON = 1',
        '0.00.021.840 I cmn  common_param: common_params_print_info: verbosity = 3 (adjust with the `-lv N` CLI arg)',
      ],
    },
  ],
  args: [],
  version: [
    {
      pattern: String.raw`build: (?<v>\d+) \([0-9a-f]{6,}\) with `,
      samples: ['build: 5662 (fb85a288) with cc'],
    },
  ],
  port: [
    {
      pattern: String.raw`(?:listening on https?://\S*:|port: )(?<port>\d{2,5})`,
      samples: ['main: server is listening on http://127.0.0.1:8080 - starting the main loop'],
    },
  ],
  // `HTTP server is listening` (2024-09 to 2025-11) comes before the model is loaded.
  ready: [
    {
      pattern: '(?<!HTTP )(?:server is )?listening on (?:https?|unix)://',
      samples: [
        'main: server is listening on http://:::31420 - starting the main loop',
        'srv  llama_server: listening on http://127.0.0.1:8080',
      ],
    },
  ],
  death: [
    {
      pattern: "exiting due to (?:model loading|HTTP server) error|couldn't bind HTTP server socket",
      samples: ['main: exiting due to model loading error'],
    },
    ...ggmlDeath,
    ...sharedDeath,
  ],
  ended: sharedEnded,
  stopped: [
    ...stoppedFromOutside('(?<![Oo])[Ll]lama', 'llama-server.service'),
    {
      afterReady: 'only',
      pattern: String.raw`operator\(\): cleaning up before exit|Received second interrupt`,
      samples: ['srv    operator(): operator(): cleaning up before exit...'],
    },
  ],
  hang: [],
  benign: [
    {
      // In router mode the servers of single models are children, whose lines come with their port in front: the router
      // is ready, and outlives them.
      opaque: true,
      pattern: String.raw`^(?:\d+\.\d\d\.\d{3}\.\d{3} [IWED] )?\[ ?\d{4,5}\] .*(?:error|failed|listening|exiting|build|verbosity|system_info|loading|model loaded|initializing|bind HTTP|GGML_ASSERT|ggml_abort|terminate called|cleaning up)`,
      samples: ['0.06.131.840 I [42123] srv  llama_server: listening on http://127.0.0.1:42123'],
    },
    {
      pattern:
        'this warning is normal during memory fitting|failed to get memory usage of mmproj|failed to find free space in the KV cache, retrying|control-looking token|full capacity of the model will not be utilized|Invalid API Key',
      samples: ['failed to find free space in the KV cache, retrying with smaller batch size'],
    },
    {
      pattern: String.raw`chat_template: |example_format|wait4\.c: No such file`,
      samples: ['main: chat template, chat_template: {% for message in messages %}'],
    },
    ...sharedBenign,
  ],
  consequences: ggmlConsequences,
  hints: [],
  failures: [...ggmlFailures, ...environmentFailures],
  frames: [],
  codePath: '^(.*)$',
  readyPath: { path: '/health' },
  argKeys: {},
};
