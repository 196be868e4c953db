import type { FailureRule } from '../profile.js';

/** SGLang's own start-up failures; the first match counts, so the more special stand first. */
export const failures: readonly FailureRule[] = [
  {
    category: 'missing-method-eagle3',
    on: 'exception',
    pattern: String.raw`AttributeError: '(?<class>\w+)' object has no attribute 'set_eagle3_layers_to_capture'`,
    samples: [
      "AttributeError: 'KimiK25ForConditionalGeneration' object has no attribute 'set_eagle3_layers_to_capture'",
    ],
    remedies: [
      {
        id: 'upgrade-sglang-eagle3',
        title: 'Upgrade SGLang to 0.5.10 or later',
        why: '{class} got set_eagle3_layers_to_capture in 0.5.10; without it EAGLE-3 cannot tap the hidden states of the target.',
        url: 'https://github.com/sgl-project/sglang/pull/19689',
      },
      {
        id: 'delegate-eagle3',
        title: 'Delegate the method to the inner language model',
        why: 'The wrapper class only has to hand the call on: def set_eagle3_layers_to_capture(self, layer_ids=None): self.language_model.set_eagle3_layers_to_capture(layer_ids).',
      },
      {
        id: 'clear-stale-bytecode',
        title: 'Clear stale .pyc files and old processes',
        why: 'If the method is already in the source, an old __pycache__ or a server left running still holds the class without it.',
      },
      {
        id: 'drop-eagle3',
        title: 'Start without speculative decoding',
        why: 'The server works without the draft model, only slower: leave out --speculative-algorithm EAGLE3.',
      },
    ],
  },
  {
    category: 'missing-method-eagle3',
    on: 'exception',
    pattern: String.raw`language_model does not support EAGLE3 speculative decoding|implements neither\s+set_dspark_layers_to_capture`,
    samples: ['AttributeError: language_model does not support EAGLE3 speculative decoding.'],
    remedies: [
      {
        id: 'drop-eagle3',
        title: 'Choose another draft algorithm, or none',
        why: 'The inner language model has no hook for EAGLE-3 in this version.',
      },
    ],
  },
  {
    category: 'context-length-mismatch',
    on: 'exception',
    pattern: String.raw`context_length \((?<asked>\d+)\) is greater than the derived context_length \((?<derived>\d+)\).*SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1`,
    samples: [
      "ValueError: Warning: Target model's context_length (262144) is greater than the derived context_length (131072). This may lead to incorrect model outputs or CUDA errors. To allow overriding this maximum, set the env var SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1",
    ],
    remedies: [
      {
        id: 'allow-longer-context',
        title: 'Allow the longer context length',
        why: 'The draft (or the model) was trained for {derived} tokens and {asked} are asked for; the variable turns the refusal into a warning. Drafts beyond {derived} tokens are accepted less often.',
        change: { env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' } },
        url: 'https://github.com/sgl-project/sglang/pull/9388',
      },
      {
        id: 'lower-context-length',
        title: 'Serve {derived} tokens of context',
        why: 'Keeps target and draft within what the shorter of them was trained for.',
        change: { args: ['--context-length', '{derived}'] },
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    phase: 'kv-cache',
    on: 'exception',
    pattern: String.raw`Not enough memory\. Please try to increase --mem-fraction-static|Loaded weights leave no GPU memory for the KV cache`,
    samples: ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.'],
    remedies: [
      {
        id: 'raise-mem-fraction',
        title: 'Give weights and KV cache a larger share',
        why: 'The weights alone fill the share that --mem-fraction-static sets aside.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'raise-mem-fraction',
      },
      {
        id: 'more-gpus',
        title: 'Spread the model over more GPUs',
        why: 'Half of the weights a GPU leaves room for the cache.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'double-tp',
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    phase: 'kv-cache',
    on: 'exception',
    pattern:
      'SWA pool .*cannot hold even one request|state cache is too small|Memory pool size is too small|max_running_request is zero',
    samples: ['RuntimeError: Memory pool size is too small'],
    remedies: [
      {
        id: 'raise-mem-fraction',
        title: 'Give weights and KV cache a larger share',
        why: 'The pool that is left does not hold one request.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'raise-mem-fraction',
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    on: 'exception',
    during: ['kv-cache'],
    pattern: 'out of memory|OutOfMemoryError',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB.'],
    remedies: [
      {
        id: 'lower-mem-fraction',
        title: 'Take a smaller share for the cache',
        why: 'The share that --mem-fraction-static asks for is not free.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'lower-mem-fraction',
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
    on: 'exception',
    during: ['graphs', 'warmup'],
    pattern: 'out of memory|OutOfMemoryError',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.'],
    remedies: [
      {
        id: 'lower-mem-fraction',
        title: 'Leave more memory for the graphs',
        why: 'Capture runs in what --mem-fraction-static leaves over.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'lower-mem-fraction',
      },
      {
        id: 'smaller-graph-batch',
        title: 'Capture smaller batches',
        why: 'Each captured batch size holds memory of its own.',
        change: { args: ['--cuda-graph-max-bs', '16'] },
      },
    ],
  },
  {
    category: 'graph-prefill',
    on: 'exception',
    pattern: 'Piecewise CUDA Graph failed with error: |Capture prefill CUDA graph failed: ',
    samples: ['RuntimeError: Piecewise CUDA Graph failed with error: unsupported'],
    remedies: [
      {
        id: 'no-piecewise',
        title: 'Start without prefill graphs',
        why: 'Only prefill graphs fail; decode graphs stay on.',
        change: { args: ['--disable-piecewise-cuda-graph'] },
      },
    ],
  },
  {
    category: 'unsupported-architecture',
    on: 'exception',
    pattern: String.raw`Model architectures \[(?<class>.*?)\] are not supported for now|has no SGlang implementation and the Transformers implementation is not compatible`,
    samples: [
      "ValueError: Model architectures ['DemoForCausalLM'] are not supported for now. Supported architectures: dict_keys",
    ],
    remedies: [
      {
        id: 'upgrade-sglang',
        title: 'Upgrade SGLang',
        why: 'This version has no class for the model. Look above for `Ignore import error when loading`: a missing package hides the class too.',
      },
    ],
  },
  {
    category: 'quant-tp-divisibility',
    on: 'exception',
    pattern: String.raw`is not divisible by (?:weight quantization block_[nk]|min_thread_)|(?:out|in)put_size of gate's and up's weight = \d+ is not divisible`,
    samples: [
      'ValueError: Weight output_partition_size = 192 is not divisible by weight quantization block_n = 128.',
    ],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: 'A quantisation block does not fit into one GPU’s part of the matrix.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
      {
        id: 'expert-parallel',
        title: 'Split experts instead of matrices',
        why: 'With expert parallelism each expert stays whole.',
        change: { args: ['--ep', '{tensorParallelNow}'] },
      },
    ],
  },
  {
    category: 'tp-divisibility',
    on: 'exception',
    pattern: String.raw`AssertionError: \d+ is not divisible by \d+|tp_size must be divisible by|world_size .* is not equal to tensor_model_parallel_size`,
    samples: ['AssertionError: 28 is not divisible by 8'],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: 'Heads or layers do not divide evenly over the ranks.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
    ],
  },
  {
    category: 'draft-weight-mismatch',
    on: 'exception',
    model: 'draft',
    pattern:
      "^KeyError: '|mat1 and mat2 shapes cannot be multiplied|size of tensor a .* must match|has no attribute 'weight_loader'",
    samples: ["KeyError: 'model.layers.0.mlp.gate_up_proj.weight'"],
    remedies: [
      {
        id: 'matching-draft',
        title: 'Use the draft that was trained for this target',
        why: 'The draft’s tensors do not fit the class that the server loads them into.',
      },
    ],
  },
  {
    category: 'weight-mismatch',
    on: 'exception',
    pattern: String.raw`^KeyError: '(?:model\.|layers\.|lm_head\.|language_model\.|visual\.)|mat1 and mat2 shapes cannot be multiplied|size of tensor a .* must match|has no attribute 'weight_loader'`,
    samples: ["KeyError: 'model.layers.78.mlp.gate_up_proj.input_scale'"],
    remedies: [
      {
        id: 'fix-quantization',
        title: 'Check --quantization and the version',
        why: 'The checkpoint holds tensors that this class does not know: a wrong quantisation flag or a version too old for the model.',
      },
    ],
  },
  {
    category: 'memory-unbalanced',
    on: 'exception',
    pattern: '(?:ValueError|RuntimeError): The memory capacity is unbalanced',
    samples: ['ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes.'],
    remedies: [
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'An old server or a neighbour has memory on some of them; look at the GPU pane.',
      },
      {
        id: 'skip-balance-check',
        title: 'Skip the check',
        why: 'Works where the neighbour is meant to stay (0.4.6–0.5.6).',
        change: { env: { SGL_DISABLE_TP_MEMORY_INBALANCE_CHECK: '1' } },
      },
    ],
  },
  {
    category: 'deepgemm-jit',
    on: 'both',
    pattern: String.raw`NVCC version should be >= 12\.3|nvcc fatal\s*:|NVCC compilation failed|Unknown cases: sf\.dtype`,
    samples: ["nvcc fatal   : Unsupported gpu architecture 'compute_100f'"],
    remedies: [
      {
        id: 'no-deepgemm',
        title: 'Start without DeepGEMM’s compiler',
        why: 'The CUDA toolkit on the host is too old for its kernels.',
        change: { env: { SGLANG_ENABLE_JIT_DEEPGEMM: '0' } },
      },
    ],
  },
  {
    category: 'internal-port-in-use',
    on: 'exception',
    pattern: String.raw`\w+_port at \d+ is not available in \d+ seconds|Port is already in use\. dist_init_port=|engine_info_bootstrap_port \d+ is already in use`,
    samples: ['ValueError: nccl_port at 20123 is not available in 30 seconds.'],
    remedies: [
      {
        id: 'free-port',
        title: 'Stop the server that still holds the port',
        why: 'A rank of an earlier attempt is often still alive.',
      },
    ],
  },
  {
    category: 'watchdog-timeout',
    on: 'line',
    pattern: String.raw`Watchdog timeout \(self\.watchdog_timeout=(?<seconds>\d+)\)|Scheduler watchdog timeout \(self\.watchdog_timeout=\d+, self\.soft=False\)`,
    samples: ['[2025-11-09 16:29:01 TP0] Watchdog timeout (self.watchdog_timeout=300)'],
    remedies: [
      {
        id: 'no-custom-all-reduce',
        title: 'Start without the custom all-reduce',
        why: 'A batch hung for the whole watchdog time; peer access between the GPUs is the usual reason.',
        change: { args: ['--disable-custom-all-reduce'] },
      },
      {
        id: 'longer-watchdog',
        title: 'Raise the watchdog',
        why: 'If kernels were still compiling, the batch was slow and not stuck.',
        change: { args: ['--watchdog-timeout', '1800'] },
      },
    ],
  },
  {
    category: 'warmup-failed',
    on: 'both',
    pattern: String.raw`Initialization failed\. warmup error|Read timed out\. \(read timeout=600\)`,
    samples: [
      '[2025-05-01 12:00:00] Initialization failed. warmup error: Traceback (most recent call last):',
    ],
    remedies: [
      {
        id: 'bypass-proxy',
        title: 'Do not send the warm-up through a proxy',
        why: 'The warm-up calls the server on this host; http_proxy diverts it.',
        change: { env: { no_proxy: '127.0.0.1,localhost' } },
      },
      {
        id: 'skip-warmup',
        title: 'Skip the warm-up',
        why: 'Kernels may still be compiling when the request times out.',
        change: { args: ['--skip-server-warmup'] },
      },
    ],
  },
  {
    category: 'bad-chat-template',
    on: 'exception',
    pattern: 'Chat template .* is not a built-in template name or a valid chat template file path',
    samples: [
      'RuntimeError: Chat template demo is not a built-in template name or a valid chat template file path.',
    ],
    remedies: [
      {
        id: 'fix-chat-template',
        title: 'Correct --chat-template',
        why: 'It is neither a built-in name nor a file on the host.',
      },
    ],
  },
  {
    category: 'bad-arguments',
    on: 'line',
    pattern: String.raw`(?:launch_server\.py|sglang serve|sglang): error: (?<words>.*)`,
    samples: ['launch_server.py: error: unrecognized arguments: --tpp 8'],
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
    pattern: String.raw`(?:died during initialization \(exit code: -9\)|Exit code: -9\b|crashed with exit code -9\b|failed with (?:an exit code 9|exitcode=9)\b)`,
    samples: [
      '[2026-01-01 10:00:00] Exit code: -9',
      'RuntimeError: Rank 0 scheduler died during initialization (exit code: -9).',
    ],
    remedies: [
      {
        id: 'host-memory',
        title: 'Look for the OOM killer',
        why: 'A rank was killed with SIGKILL and no word of its own: dmesg -T | grep -i oom. More host RAM, a larger cgroup limit or fewer loader threads help.',
      },
    ],
  },
  {
    category: 'prefill-registration',
    on: 'both',
    pattern:
      'Prefill instance failed to register to bootstrap server|Mooncake Transfer Engine initialization failed|NIXL_ERR_',
    samples: ['Prefill instance failed to register to bootstrap server after 5 retries'],
    remedies: [
      {
        id: 'bootstrap-address',
        title: 'Check bootstrap address and IB device',
        why: 'Prefill and decode nodes did not find each other.',
      },
    ],
  },
];
