import type { BenignRule } from '../profile.js';

/** Harmless lines with alarming words, by the versions 0.3.0–0.5.18. */
export const benign: readonly BenignRule[] = [
  {
    // Holds what users wrote, which may be any word.
    opaque: true,
    pattern: String.raw`(?:^|\] )(?:Receive|Finish): obj=`,
    samples: ["[2026-02-22 23:50:00] Receive: obj=GenerateReqInput(text='RuntimeError: CUDA error')"],
  },
  {
    pattern: String.raw`server_args=(?:ServerArgs\(|\{)`,
    samples: ['server_args=ServerArgs(crash_dump_folder=None, watchdog_timeout=300)'],
  },
  {
    pattern: 'Ignore import error when loading |reports ImportError with:',
    samples: [
      "[2026-02-22 23:29:10] Ignore import error when loading sglang.srt.models.demo: No module named 'transformers.models.demo'",
    ],
  },
  {
    traceback: true,
    pattern: 'Can not initialize OpenAIServingResponses, error:|OpenAI Responses API .* disabled:',
    samples: [
      '[2025-09-01 10:00:00] Can not initialize OpenAIServingResponses, error: Traceback (most recent call last):',
    ],
  },
  {
    traceback: true,
    mayMatter: true,
    pattern: String.raw`\] Error in request: `,
    samples: ['[2025-07-16 14:47:06] Error in request: '],
  },
  {
    traceback: true,
    pattern:
      "Detection rule '[^']*' raised an exception|post-warmup freeze_gc failed|Failed to prefetch checkpoint file",
    samples: ['[2026-04-05 10:00:00] post-warmup freeze_gc failed'],
  },
  {
    pattern: String.raw`context_length \(\d+\) is greater than the derived context_length \(\d+\)\.(?!.*To allow overriding)`,
    samples: [
      "[2025-07-01 10:00:00] Warning: Target model's context_length (131072) is greater than the derived context_length (32768). This may lead to incorrect model outputs or CUDA errors.",
    ],
  },
  {
    pattern: 'Failed to import (?:deep_gemm|from custom_ar|pynvml|amdsmi)|Skipping import of cpp extensions',
    samples: ['[2025-07-01 10:00:00] Failed to import deep_gemm, disable ENABLE_JIT_DEEPGEMM.'],
  },
  {
    pattern: String.raw`Failed to (?:load hf_quant_config\.json|load dynamic modules|find local snapshot|load multimodal processor|get GPU memory capacity|load generation config|infer DFLASH|create global TCPStore|initialize QuickAllReduce|initialize FlashInfer workspace|decode JPEG)`,
    samples: [
      '[2026-08-26 21:40:27] Failed to get GPU memory capacity from nvidia-smi. Falling back to torch.cuda.mem_get_info().',
    ],
  },
  {
    pattern: String.raw`Error getting chat template|No HuggingFace chat template found|Error ignored in is_in_the_same_node|Error getting compute capability|retry\(\) failed once`,
    samples: ['[2026-08-26 21:40:27] Error getting chat template: not found'],
  },
  {
    pattern: String.raw`Fail to set RLIMIT_|is below the recommended .* version\. Errors may occur|Signal handler is not added because|Using custom SIGQUIT handler|cleanup_stale_shm`,
    samples: ['[2025-10-03 08:01:20] Fail to set RLIMIT_NOFILE: current limit exceeds maximum limit'],
  },
  {
    pattern:
      'Setup Custom allreduce failed with|is disabled because|Disable (?:piecewise|prefill) CUDA graph|DFLASH .* failed; falling back|communicator is not available',
    samples: [
      '[2026-02-22 23:29:26 TP0] Setup Custom allreduce failed with no P2P. To silence this warning, specify --disable-custom-all-reduce explicitly.',
    ],
  },
  {
    pattern:
      'Workspace is insufficient for problem size|FlashInfer workspace preflight|reducing max_m to .* avoid out of memory|Model does not fit',
    samples: [
      'Workspace is insufficient for problem size. Workspace validation failed. This may cause Illegal Memory Access.',
    ],
  },
  {
    pattern: 'operation scheduled before its operands',
    samples: [
      "[2025-08-04 20:33:21 TP0] The following error message 'operation scheduled before its operands' can be ignored.",
    ],
  },
  {
    pattern: String.raw`Performance might be sub-optimal! Config file not found|not found in params_dict|Prefill register attempt \d+/\d+ failed`,
    samples: [
      '[2025-07-04 06:24:51 TP7] Parameter model.layers.78.mlp.down_proj.weight_scale not found in params_dict',
    ],
  },
  {
    pattern: String.raw`The memory capacity is unbalanced\. Some GPUs may be occupied(?!.*Error)`,
    samples: [
      '[2026-02-22 23:29:26 TP0] The memory capacity is unbalanced. Some GPUs may be occupied by other processes.',
    ],
  },
  {
    pattern: String.raw`KV cache pool is full\. Retract requests|Decode out of memory happened|aborted last request .* due to OOM`,
    samples: [
      '[2026-02-22 23:59:26 TP0] Decode out of memory happened. #retracted_reqs: 2, #new_token_ratio: 0.6',
    ],
  },
  {
    pattern: String.raw`crash dump already performed, skipping|kill_process_tree called|Watchdog \S+ initialized|Dumping requests before crash|PP Dynamic Chunk\] Failed`,
    samples: ['[2026-06-10 10:00:00] kill_process_tree called: parent_pid=1, include_parent=True, pid=1'],
  },
];
