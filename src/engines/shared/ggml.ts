import type { ConsequenceRule, FailureRule, LineRule } from '../profile.js';

/** What ggml and llama.cpp print at their end, in their own server and under Ollama. */
export const ggmlDeath: readonly LineRule[] = [
  {
    pattern: String.raw`GGML_ASSERT(?:\(.*\) failed|: \S+:\d+: )|(?:CUDA|ROCm|SYCL|Vulkan|MUSA|CANN) error(?:: |$)|CUDA error \d+ at |ggml_abort|(?:ggml|llama)[\w-]*\.(?:c|cpp|cu|m):\d+: (?:fatal error|\S.* error$|pre-allocated tensor)`,
    samples: [
      'ggml.c:1921: GGML_ASSERT(ggml_can_repeat(b, a)) failed',
      'CUDA error 400 at ggml-cuda.cu:3343: invalid resource handle',
      '/src/llama-model.cpp:11885: fatal error',
    ],
  },
  {
    pattern:
      'unable to load model|main: error: (?:unable to create context|failed to)|(?:llama_new_context_with_model|llama_init_from_model): failed to (?:initialize|allocate)',
    samples: ['main: error: unable to load model', 'llama_init_from_model: failed to initialize the context'],
  },
  { pattern: 'error: invalid argument: ', samples: ['error: invalid argument: --foo'] },
];

export const ggmlConsequences: readonly ConsequenceRule[] = [
  {
    pattern: '(?<!error: )failed to load model|exiting due to|cleaning up before exit',
    samples: ['main: exiting due to model loading error'],
  },
  {
    // The back end has said before how much it wanted; not every one does.
    soft: true,
    pattern:
      'error loading model: unable to allocate|alloc_tensor_range: failed to allocate|failed to (?:allocate compute buffers|create context|initialize the context)|llama_new_context_with_model: failed|error: (?:unable to create context|failed to load model)|aborting with error : HSA_STATUS_ERROR',
    samples: ['llama_model_load: error loading model: unable to allocate Vulkan0 buffer'],
  },
];

export const ggmlFailures: readonly FailureRule[] = [
  {
    category: 'oom-weights',
    on: 'line',
    pattern: String.raw`allocating (?<mib>[\d.]+) MiB on device (?<device>\d+): cudaMalloc failed: out of memory`,
    samples: [
      'ggml_backend_cuda_buffer_type_alloc_buffer: allocating 16722.37 MiB on device 0: cudaMalloc failed: out of memory',
    ],
    remedies: [
      {
        id: 'fewer-layers',
        title: 'Put fewer layers on the GPU',
        why: '{mib} MiB did not fit on device {device}: lower --n-gpu-layers.',
      },
      {
        id: 'shorter-context',
        title: 'Shorten the context',
        why: 'The cache grows with it.',
        change: { args: ['-c', '8192'] },
      },
    ],
  },
  {
    category: 'oom-weights',
    on: 'line',
    pattern:
      "(?:Device memory allocation of size|Requested buffer size).*(?:failed|ErrorOutOfDeviceMemory)|ErrorOutOfDeviceMemory|can't malloc \\d+ Bytes memory on device|failed to allocate \\S+ buffer of size",
    samples: [
      'ggml_vulkan: Requested buffer size exceeds device memory allocation limit: ErrorOutOfDeviceMemory',
      "ggml_backend_sycl_buffer_type_alloc_buffer: can't malloc 3278637056 Bytes memory on device",
    ],
    remedies: [
      {
        id: 'fewer-layers',
        title: 'Put fewer layers on the GPU',
        why: 'A buffer did not fit: lower --n-gpu-layers or the context.',
      },
    ],
  },
  {
    category: 'model-graph-assert',
    on: 'line',
    pattern: String.raw`GGML_ASSERT(?:\(.*\) failed|: \S+:\d+: )`,
    samples: ['ggml.c:1921: GGML_ASSERT(ggml_can_repeat(b, a)) failed'],
    remedies: [
      {
        id: 'update-llama-cpp',
        title: 'Update, or use another conversion',
        why: 'The model’s graph is not what this version expects.',
      },
    ],
  },
  {
    category: 'gpu-launch-failure',
    on: 'line',
    pattern: String.raw`(?:CUDA|ROCm|SYCL|Vulkan|MUSA|CANN) error: (?<words>.+)|CUDA error \d+ at \S+: (?<old>.+)`,
    samples: [
      ' ROCm error: unspecified launch failure',
      'CUDA error 400 at ggml-cuda.cu:3343: invalid resource handle',
    ],
    remedies: [{ id: 'gpu-error', title: 'Match driver and build', why: 'The GPU said: {words}.' }],
  },
  {
    category: 'unsupported-architecture',
    on: 'line',
    pattern: String.raw`unknown model architecture: '(?<arch>\S+)'|unknown pre-tokenizer type`,
    samples: ["llama_model_load: error loading model: unknown model architecture: 'demo'"],
    remedies: [
      {
        id: 'update-llama-cpp',
        title: 'Update llama.cpp',
        why: 'This build does not know the architecture.',
      },
    ],
  },
  {
    category: 'corrupt-model-file',
    on: 'line',
    pattern: String.raw`invalid magic characters|data is not within the file bounds|wrong number of tensors|error loading model: missing tensor|gguf_init_from_file\w*: failed|failed to open GGUF file`,
    samples: [
      "llama_model_load: error loading model: tensor 'x' data is not within the file bounds, model is corrupted or incomplete",
    ],
    remedies: [
      {
        id: 'download-again',
        title: 'Download the file again',
        why: 'The GGUF is cut off, missing or of another version.',
      },
    ],
  },
  {
    category: 'port-in-use',
    on: 'line',
    pattern: String.raw`couldn't bind HTTP server socket.*port: (?<port>\d+)|bind: (?:address already in use|Only one usage of each socket address)`,
    samples: ["start: couldn't bind HTTP server socket, hostname: 127.0.0.1, port: 8080"],
    remedies: [
      {
        id: 'stop-old-server',
        title: 'Stop the server that holds the port',
        why: 'Or choose another --port.',
      },
    ],
  },
  {
    category: 'bad-arguments',
    on: 'line',
    pattern: String.raw`error: invalid argument: (?<words>\S+)`,
    samples: ['error: invalid argument: --foo'],
    remedies: [
      { id: 'fix-arguments', title: 'Correct the arguments', why: '{words} is not known to this build.' },
    ],
  },
  {
    category: 'ggml-abort',
    on: 'line',
    pattern: String.raw`(?:ggml|llama)[\w-]*\.(?:c|cpp|cu|m):\d+: (?<words>fatal error|pre-allocated tensor.*)`,
    samples: ['/src/llama-model.cpp:11885: fatal error'],
    remedies: [
      {
        id: 'update-llama-cpp',
        title: 'Update, or use another conversion',
        why: 'llama.cpp gave up: {words}.',
      },
    ],
  },
  {
    category: 'model-load',
    on: 'line',
    pattern:
      'error loading model: (?<words>.+)|failed to (?:apply lora adapter|load (?:draft|multimodal) model)|error: (?:unable to (?:load model|create context)|failed to (?:initialize|load model))|failed to open GGUF|(?:llama_new_context_with_model|llama_init_from_model): failed to (?:initialize|allocate)',
    samples: [
      'llama_model_load: error loading model: something new',
      "main: error: failed to load model '/models/demo.gguf'",
      "common_init_from_params: failed to apply lora adapter '/models/lora.gguf'",
    ],
    remedies: [{ id: 'check-model-file', title: 'Check the model file', why: 'llama.cpp said: {words}.' }],
  },
];
