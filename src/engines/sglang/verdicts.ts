import type { ConsequenceRule, EndedRule, FrameRule, HangRule, LineRule, ReadyRule } from '../profile.js';
import { served } from '../shared/served.js';

/**
 * Ready: the line that every version prints, and uvicorn's where its start was logged. uvicorn starts the warm-up
 * before it binds the port, so on a taken port the warm-up talks to the other server and the line comes all the same.
 */
export const ready: readonly ReadyRule[] = [
  {
    pattern: 'The server is fired up and ready to roll!',
    needs: { after: 'Application startup complete', line: 'Uvicorn running on ' },
    samples: ['[2025-08-04 20:33:34] The server is fired up and ready to roll!'],
  },
  {
    // Nodes behind the first have neither uvicorn nor the line above.
    pattern:
      '(?:Dummy health check server (?:started in background thread at|scheduled on existing loop at)|Starting dummy health check server at) ',
    ifArg: 'node_rank',
    samples: [
      '[2026-01-02 10:00:00] Dummy health check server started in background thread at 0.0.0.0:30000',
    ],
  },
  // In its warm-up the server asks itself, and is not ready before it has said so.
  { ...served, onlyHeadless: true },
];

export const death: readonly LineRule[] = [
  {
    pattern:
      '(?:Scheduler|DataParallelController|DetokenizerManager|TokenizerManager|TpModelWorkerClient|Multi(?:De)?[Tt]okenizerRouter|GrpcRequestManager) hit an exception:',
    samples: ['[2026-02-22 23:33:00 TP3] Scheduler hit an exception: Traceback (most recent call last):'],
  },
  {
    // v0.1 to v0.2; the loop that prints it ends.
    pattern: 'Exception in (?:ModelTpServer|ModelRpc(?:Server|Client|Service)|Controller(?:Single|Multi)):',
    samples: ['Exception in ModelTpServer:', 'Exception in ModelRpcClient:'],
  },
  {
    pattern: String.raw`Received sigquit from a child proces|SIGQUIT received\. signum`,
    samples: [
      '[2025-11-09 16:29:06] Received sigquit from a child process. It usually means the child failed.',
    ],
  },
  {
    pattern: String.raw`scheduler is dead\. Please check|scheduler died during initialization|Child process unexpectedly failed with`,
    samples: ['[2025-10-03 08:01:31] Rank 0 scheduler is dead. Please check if there are relevant logs.'],
  },
  {
    pattern: String.raw`crashed with exit code -?\d+\. Triggering SIGQUIT|Scheduler or DataParallelController \d+ terminated with -?\d+`,
    samples: [
      '[2026-04-05 10:00:00] Subprocess scheduler_0 (pid=811) crashed with exit code -9. Triggering SIGQUIT for cleanup...',
    ],
  },
  {
    pattern: String.raw`Initialization failed\. (?:warmup error|Please see|controller_init_state|router_init_state)`,
    samples: [
      '[2025-05-01 12:00:00] Initialization failed. warmup error: Traceback (most recent call last):',
    ],
  },
  {
    pattern: String.raw`(?:ERROR: {4}|^)\[Errno 98\] error while attempting to bind on address`,
    samples: [
      "[2026-02-22 23:40:00] ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 30000): address already in use",
    ],
  },
];

export const ended: readonly EndedRule[] = [
  {
    pattern: String.raw`(?:launch_server\.py|sglang serve|sglang): error: `,
    samples: ['launch_server.py: error: unrecognized arguments: --tpp 8'],
  },
];

export const stopped: readonly EndedRule[] = [
  {
    pattern: String.raw`SIGTERM received\. signum=|Gracefully exiting\.\.\. Remaining number of requests`,
    samples: [
      '[2026-02-22 23:50:00] SIGTERM received. signum=15 frame=None. Draining requests and shutting down...',
    ],
  },
];

export const hang: readonly HangRule[] = [
  {
    times: 1,
    pattern: String.raw`Watchdog timeout \(self\.watchdog_timeout=\d+\)|watchdog timeout \(self\.watchdog_timeout=\d+, self\.soft=(?:True|False)\)`,
    samples: ['[2025-11-09 16:29:01 TP0] Watchdog timeout (self.watchdog_timeout=300)'],
  },
  {
    times: 1,
    pattern: String.raw`Health check failed\. Server couldn't get a response from detokenizer for last`,
    samples: [
      "[2026-02-22 23:50:00] Health check failed. Server couldn't get a response from detokenizer for last 20 seconds.",
    ],
  },
];

export const consequences: readonly ConsequenceRule[] = [
  {
    pattern: String.raw`sigquit from a child|SIGQUIT received|scheduler is dead\. Please check|died during initialization \(exit code: (?!-9\))`,
    samples: [
      '[2025-11-09 16:29:06] Received sigquit from a child process. It usually means the child failed.',
    ],
  },
  {
    pattern: String.raw`Initialization failed\. Please see the error messages above|Server process exited with code|terminated with -?\d+`,
    samples: ['RuntimeError: Initialization failed. Please see the error messages above.'],
  },
  {
    pattern: String.raw`Child process unexpectedly failed with|Exit code: \d`,
    samples: ['[2025-10-03 08:01:31] Child process unexpectedly failed with an exit code 256. pid=1692'],
  },
  {
    soft: true,
    pattern: String.raw`TP rank \d+ could finish the model loading`,
    samples: [
      "ValueError: TP rank 0 could finish the model loading, but there are other ranks that didn't finish loading.",
    ],
  },
];

/** Innermost functions first tell where in the start a process was, for logs that begin with the traceback. */
export const frames: readonly FrameRule[] = [
  {
    pattern:
      'event_loop_|forward_thread_func|process_batch_result|run_batch|exposed_step|forward_step|forward_(?:fill|prefill|decode)_batch',
    phase: 'warmup',
  },
  {
    pattern: 'init_cuda_graphs|CudaGraphRunner|capture_one_batch_size|init_device_graphs|cuda_graph_runner',
    phase: 'graphs',
  },
  { pattern: 'init_memory_pool|profile_max_num_token', phase: 'kv-cache' },
  { pattern: 'load_model|load_weights|get_model', phase: 'weights' },
  {
    pattern: 'init_torch_distributed|init_distributed_environment|initialize_model_parallel',
    phase: 'distributed',
  },
];
