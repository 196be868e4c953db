import type { ConsequenceRule, EndedRule, FrameRule, HangRule, LineRule, ReadyRule } from '../profile.js';
import { served } from '../shared/served.js';
import { uvicornSays } from '../shared/uvicorn.js';

/** uvicorn's word: since 0.7.3 vLLM binds its port itself, and `Uvicorn running on` never comes. */
export const ready: readonly ReadyRule[] = [
  {
    pattern: `${uvicornSays(String.raw`Application startup complete\.`)}|OpenAI server is ready to accept requests`,
    countArg: 'api_server_count',
    samples: [
      '(APIServer pid=1) INFO:     Application startup complete.',
      '2026-03-01 10:01:00,003 - uvicorn.error - INFO - Application startup complete.',
      'INFO:uvicorn.error:Application startup complete.',
      'INFO 03-01 10:01:00 [on.py:62] Application startup complete.',
    ],
  },
  served,
];

export const death: readonly LineRule[] = [
  {
    pattern:
      'EngineCore (?:failed to start|encountered a fatal error|hit an exception)|Engine core initialization failed',
    samples: [
      'ERROR 10-21 10:42:00 [core.py:396] EngineCore failed to start.',
      'RuntimeError: Engine core initialization failed. See root cause above.',
    ],
  },
  {
    pattern: String.raw`WorkerProc (?:failed to start|initialization failed)|Worker proc \S+ died unexpectedly|Worker \w+ pid \d+ died, exit code`,
    samples: [
      '(Worker_TP3 pid=12) ERROR 11-29 12:00:00 [multiproc_executor.py:783] WorkerProc failed to start.',
    ],
  },
  {
    pattern:
      'Got fatal signal from worker processes|Engine process failed to start|process died before responding to readiness probe',
    samples: [
      'CRITICAL 06-18 18:44:22 [core_client.py:361] Got fatal signal from worker processes, shutting down.',
    ],
  },
  {
    pattern: String.raw`EngineDeadError|AsyncEngineDeadError|MQLLMEngine is already dead|Engine process \(pid \d+\) died|Background loop (?:has errored already|is stopped)|Engine core process \S+ died unexpectedly|Frontend process failed during`,
    samples: [
      'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.',
    ],
  },
  {
    pattern: 'error while attempting to bind on address',
    samples: [
      "ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 8000): address already in use",
    ],
  },
];

export const ended: readonly EndedRule[] = [
  {
    pattern: String.raw`(?:vllm(?: serve)?|api_server\.py): error: `,
    samples: ['vllm serve: error: unrecognized arguments: --tp'],
  },
];

export const stopped: readonly EndedRule[] = [
  {
    afterReady: 'never',
    pattern: String.raw`^\*\*\* Stopped by signal`,
    samples: ['*** Stopped by signal 15'],
  },
  {
    // Of the handler of SIGINT and SIGTERM alone, up to 0.17 and since. Ctrl-C reaches the engine's processes as well, and
    // what is said of them then (EngineDeadError, a worker that died) is said of that end.
    bySignal: true,
    pattern: String.raw`Shutting down FastAPI HTTP server\.|\[shutdown\] API server: shutdown triggered`,
    samples: [
      'INFO 03-01 12:00:00 [launcher.py:80] Shutting down FastAPI HTTP server.',
      '(APIServer pid=7) INFO 03-01 12:00:00 [launcher.py:100] [shutdown] API server: shutdown triggered',
    ],
  },
  {
    // The engine core's handler of SIGTERM: a batch job is done, somebody stopped it, or a front end failed.
    orderly: true,
    pattern: String.raw`\[?core\.py:\d+\] (?:Shutdown complete|\[shutdown\] EngineCore: exiting busy loop)`,
    samples: [
      '(EngineCore pid=9) INFO 05-12 09:40:52 [core.py:1551] Shutdown complete',
      '(EngineCore pid=9) INFO 07-18 01:35:22 [core.py:1326] [shutdown] EngineCore: exiting busy loop',
    ],
  },
];

export const hang: readonly HangRule[] = [
  {
    // One or two during load and compilation are usual.
    times: 3,
    pattern: String.raw`No available (?:shared memory broadcast )?block found in \d+ second`,
    samples: [
      'INFO 11-29 12:00:00 [shm_broadcast.py:466] No available shared memory broadcast block found in 60 seconds.',
    ],
  },
];

export const consequences: readonly ConsequenceRule[] = [
  {
    pattern: String.raw`Engine core initialization failed(?!.*: -9[,}])|WorkerProc initialization failed|WorkerProc failed to start\.?$|EngineCore (?:failed to start\.|encountered a fatal error\.|hit an exception: ?$)`,
    samples: [
      'RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}',
    ],
  },
  {
    pattern: String.raw`EngineDeadError|EngineCore encountered an issue|AsyncLLM output_handler failed|Executor failed\.|EngineGenerateError`,
    samples: ['vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.'],
  },
  {
    pattern:
      'Got fatal signal from worker processes|Engine process failed to start|(?<!actor )died unexpectedly(?! (exit code: -9))|process died before responding',
    samples: ['RuntimeError: Engine process failed to start. See stack trace for the root cause.'],
  },
  {
    pattern:
      'Background loop (?:has errored already|is stopped)|Engine loop is not running|MQLLMEngine is already dead|Killing local vLLM worker|Frontend process failed during|died with exit code',
    samples: ['vllm.engine.async_llm_engine.AsyncEngineDeadError: Background loop has errored already.'],
  },
  {
    // The worker's own traceback stands above, unless that went into another file (stderr alone).
    soft: true,
    pattern: "Worker failed with error '",
    samples: ["RuntimeError: Worker failed with error 'CUDA error', please check the stack trace above"],
  },
  {
    // What the actor said itself is a worker's traceback, unless it was killed.
    soft: true,
    pattern:
      'Actor(?:Died|Unavailable)Error|The actor died unexpectedly|A worker died or was killed while executing',
    samples: ['ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.'],
  },
  {
    soft: true,
    pattern: String.raw`RPC call to \w+ timed out`,
    samples: ['TimeoutError: RPC call to execute_model timed out.'],
  },
  {
    // The last words of a subprocess stand below, with a traceback of their own.
    soft: true,
    pattern: String.raw`Error raised in subprocess:|failed to be inspected\. Please check the logs|CalledProcessError: Command '\[[^\]]*'vllm\.model_executor`,
    samples: [
      "ValueError: Model architectures ['Demo'] failed to be inspected. Please check the logs for more details",
    ],
  },
  {
    pattern: 'Parent process exited, terminating worker|WorkerProc was terminated',
    samples: [
      '(Worker_TP1 pid=12) INFO 11-29 12:00:00 [multiproc_executor.py:700] Parent process exited, terminating worker',
    ],
  },
];

export const frames: readonly FrameRule[] = [
  // The engine's loop runs after the start.
  {
    pattern: 'run_busy_loop|_process_engine_step|run_engine_loop|engine_step',
    phase: 'serving',
  },
  { pattern: 'capture_model|cudagraph_utils|:capture_graph', phase: 'graphs' },
  { pattern: ':kernel_warmup', phase: 'warmup' },
  {
    pattern: 'initialize_cache|_allocate_kv_cache|get_kv_cache_configs?|check_enough_kv_cache_memory',
    phase: 'kv-cache',
  },
  { pattern: 'torch/_inductor/(?:compile_fx|codegen)', phase: 'compile' },
  {
    pattern: 'determine_available_memory|profile_run|determine_num_available_blocks',
    phase: 'profile',
  },
  { pattern: String.raw`(?:gpu_worker|worker_base)\.py:execute_model`, phase: 'serving' },
  { pattern: 'load_model|load_weights|get_model', phase: 'weights' },
  {
    pattern:
      '_init_workers_ray|init_distributed_environment|init_worker_distributed|initialize_model_parallel|init_device',
    phase: 'distributed',
  },
  { pattern: String.raw`:bind\b|create_server_socket`, phase: 'serving' },
];
