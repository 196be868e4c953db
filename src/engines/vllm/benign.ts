import type { BenignRule } from '../profile.js';

/** Harmless lines with alarming words, by the versions 0.5–0.28. */
export const benign: readonly BenignRule[] = [
  {
    pattern: String.raw`args: Namespace\(|non-default args: \{|Initializing an? (?:V[01] )?LLM engine|Dumping input data for V1|Route: /|Received request `,
    samples: [
      "INFO 06-18 18:43:50 [api_server.py:1035] args: Namespace(host=None, port=8000, uvicorn_log_level='info')",
    ],
  },
  {
    traceback: true,
    pattern:
      'NVLink detection failed|Error saving model info cache|Failed to load plugin|[Cc]hat template warmup failed|warmup failed|Could not write compile cache metadata',
    samples: [
      'ERROR 10-01 08:42:29 [cuda.py:300] NVLink detection failed. This is normal if your machine has no NVLink equipped.',
    ],
  },
  {
    traceback: true,
    pattern:
      'Failed to prefetch checkpoint file|unable to save AOT compiled function|Compiling model again due to a load failure',
    samples: [
      'WARNING 10-01 08:42:29 [weight_utils.py:300] Failed to prefetch checkpoint file model-1.safetensors',
    ],
  },
  {
    traceback: true,
    pattern: String.raw`\[?(?:serving_\w+|\w+_parser)\.py:\d+\] |HTTPException caught|RequestValidationError caught|Error in preprocessing prompt inputs`,
    samples: [
      '(APIServer pid=1) ERROR 10-01 09:42:29 [serving_chat.py:257] Error in preprocessing prompt inputs',
    ],
  },
  {
    pattern: String.raw`Error retrieving (?:file list|safetensors)|Disabling Triton to prevent|Triton not installed or not compatible|Failed to import from vllm\._|Import error msg`,
    samples: [
      "WARNING 02-28 18:28:59 [_ipex_ops.py:16] Import error msg: No module named 'intel_extension_for_pytorch'",
    ],
  },
  {
    pattern:
      '[Cc]ustom allreduce is disabled|communicator is not available|Failed to initialize FlashInfer All Reduce|Performance might be sub-optimal|Cannot use FlashAttention|not implemented in <',
    samples: [
      'WARNING 10-01 08:42:36 [custom_all_reduce.py:150] Custom allreduce is disabled because your platform lacks GPU P2P capability',
    ],
  },
  {
    pattern: String.raw`Free memory on device .* on startup\. Desired|If out-of-memory error occurs during cudagraph capture|If OOM'ed, check|If you are running out of memory`,
    samples: [
      'INFO 10-01 08:42:36 [gpu_worker.py:200] Free memory on device (78.9/79.2 GiB) on startup. Desired GPU memory utilization is (0.9, 71.2 GiB).',
    ],
  },
  {
    // A call from outside (wake up, load an adapter) is answered 500; in the start its message returns with who made it.
    traceback: true,
    mayMatter: true,
    pattern: String.raw`Invocation of \w+ method failed`,
    samples: ['(EngineCore pid=9) ERROR 06-02 14:31:01 [core.py:1365] Invocation of wake_up method failed'],
  },
  {
    // Words of an engine that goes down are no sign of life.
    pattern: String.raw`Shutting down Ray distributed executor|\[shutdown\] |\[core\.py:\d+\] Shutdown (?:initiated|complete)|WorkerProc shutting down`,
    samples: ['INFO 03-02 03:24:45 ray_distributed_executor.py:104] Shutting down Ray distributed executor.'],
  },
  {
    pattern: 'No available (?:shared memory broadcast )?block found in',
    samples: [
      'INFO 11-29 12:00:00 [shm_broadcast.py:466] No available shared memory broadcast block found in 60 seconds.',
    ],
  },
  {
    pattern:
      'This container was built for NVIDIA Driver Release|Minor Version Compatibility mode ENABLED|NIXL is not available',
    samples: ['WARNING: CUDA Minor Version Compatibility mode ENABLED.'],
  },
];
