import type { FailureRule } from '../profile.js';

/** vLLM's own start-up failures; the first match counts. */
export const failures: readonly FailureRule[] = [
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
    category: 'max-model-len',
    on: 'exception',
    pattern: String.raw`User-specified max_model_len \((?<asked>\d+)\) is greater than the derived max_model_len \((?:\w+=)?(?<derived>\d+)`,
    samples: [
      'ValueError: User-specified max_model_len (262144) is greater than the derived max_model_len (max_position_embeddings=131072 or model_max_length=None)',
    ],
    remedies: [
      {
        id: 'lower-max-model-len',
        title: 'Serve {derived} tokens',
        why: 'That is what the model was made for.',
        change: { args: ['--max-model-len', '{derived}'] },
      },
      {
        id: 'allow-long-model-len',
        title: 'Allow the longer length',
        why: 'Output beyond {derived} tokens may be wrong.',
        change: { env: { VLLM_ALLOW_LONG_MAX_MODEL_LEN: '1' } },
      },
    ],
  },
  {
    category: 'batched-tokens',
    on: 'exception',
    pattern: String.raw`max_num_batched_tokens \((?<has>\d+)\) (?:is smaller than max_model_len \((?<needs>\d+)\)|must be greater than or equal to max_num_seqs)`,
    samples: ['ValueError: max_num_batched_tokens (2048) is smaller than max_model_len (8192).'],
    remedies: [
      {
        id: 'raise-batched-tokens',
        title: 'Raise the tokens of a batch',
        why: 'A request must fit into one batch.',
        change: { args: ['--max-num-batched-tokens', '{needs}'] },
      },
    ],
  },
  {
    category: 'tp-divisibility',
    on: 'exception',
    pattern: String.raw`Total number of attention heads \((?<heads>\d+)\) must be divisible by tensor parallel size \((?<tp>\d+)\)`,
    samples: [
      'ValueError: Total number of attention heads (28) must be divisible by tensor parallel size (8).',
    ],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: '{heads} heads do not divide by {tp}.',
        change: { args: ['--tensor-parallel-size', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
    ],
  },
  {
    category: 'not-enough-gpus',
    on: 'exception',
    pattern: String.raw`World size \((?<world>\d+)\) is larger than the number of available GPUs \((?<gpus>\d+)\)`,
    samples: ['ValueError: World size (8) is larger than the number of available GPUs (4) in this node.'],
    remedies: [
      {
        id: 'fewer-ranks',
        title: 'Use the {gpus} GPUs that are there',
        why: 'The parallel sizes ask for {world}.',
        change: { args: ['--tensor-parallel-size', '{gpus}'] },
      },
    ],
  },
  {
    category: 'ray-placement',
    phase: 'distributed',
    on: 'both',
    pattern:
      'Ray does not allocate any GPUs on the driver node|The number of required GPUs exceeds the total number of available GPUs in the placement group',
    samples: [
      'ValueError: Ray does not allocate any GPUs on the driver node. Consider adjusting the Ray placement group',
    ],
    remedies: [
      {
        id: 'driver-on-gpu-node',
        title: 'Run the driver on a GPU node',
        why: 'Ray placed every worker elsewhere.',
      },
    ],
  },
  {
    category: 'quant-unsupported',
    on: 'exception',
    pattern: String.raw`Quantization method specified in the model config \((?<model>.+?)\) does not match|Unknown quantization method`,
    samples: [
      'ValueError: Quantization method specified in the model config (awq) does not match the quantization method specified in the `quantization` argument (gptq).',
    ],
    remedies: [
      {
        id: 'drop-quantization',
        title: 'Leave out --quantization',
        why: 'The checkpoint says itself how it is quantised.',
      },
    ],
  },
  {
    category: 'quant-tp-divisibility',
    on: 'exception',
    pattern: String.raw`is not divisible by\s+(?:weight quantization block_|min_thread_)|not aligned with the quantized weight shape`,
    samples: [
      'ValueError: The input size is not aligned with the quantized weight shape. This can be caused by too large tensor parallel size.',
    ],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: 'A quantisation block does not fit into one GPU’s part of the matrix.',
        change: { args: ['--tensor-parallel-size', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
      {
        id: 'expert-parallel',
        title: 'Split experts instead of matrices',
        why: 'Each expert stays whole.',
        change: { args: ['--enable-expert-parallel'] },
      },
    ],
  },
  {
    category: 'unsupported-architecture',
    on: 'exception',
    pattern: String.raw`Model architectures \[.*?\] (?:are not supported for now|failed to be inspected)|was supported in vLLM until v|Config' object has no attribute 'num_attention_heads'`,
    samples: [
      "ValueError: Model architectures ['DemoForCausalLM'] are not supported for now.",
      "AttributeError: 'DemoConfig' object has no attribute 'num_attention_heads'",
    ],
    remedies: [
      {
        id: 'upgrade-vllm',
        title: 'Upgrade vLLM',
        why: 'This version has no class for the model; --model-impl transformers may run it. If it `failed to be inspected`, the traceback above that line names the missing package.',
      },
    ],
  },
  {
    category: 'weight-mismatch',
    on: 'exception',
    pattern: String.raw`There is no module or parameter named|weights were not initialized from checkpoint|KeyError: '(?:model\.|layers\.|language_model\.)`,
    samples: ["ValueError: There is no module or parameter named 'model.vision' in DemoForCausalLM"],
    remedies: [
      {
        id: 'match-version',
        title: 'Match model and version',
        why: 'The checkpoint’s tensors are not those that this class knows.',
      },
    ],
  },
  {
    category: 'dtype-unsupported',
    on: 'exception',
    pattern: String.raw`Bfloat16 is only supported on GPUs\s+with compute capability of at least 8\.0`,
    samples: ['ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0.'],
    remedies: [
      {
        id: 'half-precision',
        title: 'Use half precision',
        why: 'This GPU has no bfloat16.',
        change: { args: ['--dtype', 'half'] },
      },
    ],
  },
  {
    category: 'attention-backend',
    on: 'exception',
    pattern: String.raw`No valid attention backend found for|Selected backend \S+ is not valid for this configuration`,
    samples: ['ValueError: No valid attention backend found for cuda with head_size 80'],
    remedies: [
      {
        id: 'drop-backend',
        title: 'Do not force a backend',
        why: 'Head size, dtype or block size do not go with it.',
      },
    ],
  },
  {
    category: 'handshake-timeout',
    on: 'both',
    pattern: 'Did not receive response from front-end|Timed out waiting for engine',
    samples: ['RuntimeError: Did not receive response from front-end process within 5 minutes'],
    remedies: [
      {
        id: 'longer-handshake',
        title: 'Wait longer for the engine',
        why: 'A slow disk or a dead peer kept it.',
        change: { env: { VLLM_ENGINE_READY_TIMEOUT_S: '3600' } },
      },
    ],
  },
  {
    category: 'speculative-config',
    on: 'exception',
    pattern:
      'should have the same vocabulary size|num_speculative_tokens was provided but without|speculative model was provided, but|must be divisible by n_predict',
    samples: ['ValueError: Target and draft model should have the same vocabulary size.'],
    remedies: [
      {
        id: 'fix-speculative',
        title: 'Correct --speculative-config',
        why: 'Draft and target do not go together.',
      },
    ],
  },
  {
    category: 'bad-arguments',
    on: 'line',
    pattern: String.raw`(?:vllm(?: serve)?|api_server\.py): error: (?<words>.*)`,
    samples: ['vllm serve: error: unrecognized arguments: --tp'],
    remedies: [
      {
        id: 'fix-arguments',
        title: 'Correct the arguments',
        why: '{words}. The flag may be newer, or older, than this version.',
      },
    ],
  },
  {
    category: 'host-memory',
    on: 'line',
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
  {
    category: 'expandable-segments',
    on: 'exception',
    pattern: 'incompatible with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
    samples: [
      'ValueError: KV connector is incompatible with PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True',
    ],
    remedies: [
      {
        id: 'no-expandable-segments',
        title: 'Unset expandable_segments',
        why: 'The KV connector needs plain allocations.',
        change: { env: { PYTORCH_CUDA_ALLOC_CONF: '' } },
      },
    ],
  },
];
