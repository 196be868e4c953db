import { describe, expect, it } from 'vitest';
import { judge, traceback } from '../support/judge-lines.js';

const core = (text: string, level = 'INFO'): string => `(EngineCore pid=9) ${level} 05-12 09:40:52 ${text}`;
const worker = (text: string): string => `(Worker_TP1 pid=12) ${text}`;
const batchJob = [
  'INFO 05-12 09:20:00 [llm.py:300] Initializing a V1 LLM engine (v0.19.0) with config: model="/models/demo"',
  worker('INFO 05-12 09:21:00 [gpu_model_runner.py:6305] Graph capturing finished in 15 secs, took 0.95 GiB'),
  core('[core.py:299] init engine (profile, create kv cache, warmup model) took 85.02 s'),
  'Processed prompts: 100%|██████████| 500/500 [14:29<00:00,  1.16it/s]',
];
const shutdown = [
  core('[core.py:1528] Shutdown initiated (timeout=0)'),
  core('[core.py:1551] Shutdown complete'),
  worker('INFO 05-12 09:40:52 [multiproc_executor.py:784] Parent process exited, terminating worker queues'),
  worker('INFO 05-12 09:40:52 [multiproc_executor.py:887] WorkerProc shutting down.'),
];
const leaked =
  '/usr/lib/python3.12/multiprocessing/resource_tracker.py:279: UserWarning: resource_tracker: There appear to be 1 leaked shared_memory objects to clean up at shutdown';

describe('a vLLM whose engine core went in order', () => {
  it('was stopped, whatever it has left in shared memory', () => {
    expect(judge(...batchJob, ...shutdown, leaked)).toMatchObject({ outcome: 'stopped', rootCause: null });
    expect(judge(...batchJob, ...shutdown).outcome).toBe('stopped');
    const newer = core('[core.py:1326] [shutdown] EngineCore: exiting busy loop');
    expect(judge(...batchJob, newer).outcome).toBe('stopped');
  });

  it('was not, where the core says nothing of it', () => {
    expect(judge(...batchJob.slice(0, 3), leaked).outcome).toBe('crashed');
    expect(judge(...batchJob).outcome).toBe('loading');
  });

  it('crashed, where what has started it failed', () => {
    const failed = traceback('IndexError: list index out of range');
    for (const log of [
      [...batchJob, ...failed, ...shutdown, leaked],
      [...batchJob, ...shutdown, ...failed],
    ])
      expect(judge(...log)).toMatchObject({ outcome: 'crashed', rootCause: { exception: 'IndexError' } });
  });

  it('crashed, where the core had died before', () => {
    const died = core('[core.py:1253] EngineCore encountered a fatal error.', 'ERROR');
    expect(judge(...batchJob, died, ...shutdown).outcome).toBe('crashed');
  });
});

describe('a server that was stopped', () => {
  const served = [
    '(APIServer pid=7) INFO 05-12 09:20:00 [api_server.py:1] vLLM API server version 0.19.0',
    '(APIServer pid=7) INFO:     Application startup complete.',
    '(APIServer pid=7) INFO 05-12 10:00:00 [launcher.py:100] [shutdown] API server: shutdown triggered',
  ];

  it('was not stopped by what its workers throw behind that', () => {
    const late = traceback('FileNotFoundError: [Errno 2] No such file or directory').map(worker);
    expect(judge(...served, ...late)).toMatchObject({ outcome: 'stopped', rootCause: null });
  });
});

describe('a server whose last word is of what it has leaked', () => {
  const up = [
    '(APIServer pid=7) INFO 05-12 09:20:00 [api_server.py:1] vLLM API server version 0.19.0',
    '(APIServer pid=7) INFO:     Application startup complete.',
    '(APIServer pid=7) INFO:     127.0.0.1:5 - "POST /v1/chat/completions HTTP/1.1" 200 OK',
  ];

  it('is gone, not ready', () => {
    expect(judge(...up, leaked, "  warnings.warn('resource_tracker: There appear to be %d '")).toMatchObject({
      outcome: 'stopped',
      rootCause: null,
    });
  });

  it('is ready where it goes on: a child of its own had gone', () => {
    const alive = '(APIServer pid=7) INFO 05-12 09:30:00 [loggers.py:1] Engine 000: Running: 1 reqs';
    expect(judge(...up, leaked, alive).outcome).toBe('ready');
  });
});

describe('a server in a container', () => {
  const ready = [
    '(APIServer pid=7) INFO 05-12 09:20:00 [api_server.py:1] vLLM API server version 0.19.0',
    '(APIServer pid=7) INFO:     Application startup complete.',
  ];

  it('crashed where kubectl says so last, and not by the words of a prompt', () => {
    const last = 'command terminated with exit code 137';
    expect(judge(...ready, last).outcome).toBe('crashed');
    expect(judge(...ready, `(APIServer pid=7) INFO 05-12 09:21:00 [a.py:1] prompt: ${last}`).outcome).toBe(
      'ready',
    );
  });
});

describe('a server that Slurm runs', () => {
  const up = [
    '(APIServer pid=7) INFO 05-12 09:20:00 [api_server.py:1] vLLM API server version 0.19.0',
    '(APIServer pid=7) INFO:     Application startup complete.',
  ];
  const cancelled = 'slurmstepd: error: *** STEP 956247.1 ON node-1 CANCELLED AT 2026-07-17T00:57:13 ***';
  const killed = [
    'srun: Job step aborted: Waiting up to 32 seconds for job step to finish.',
    'srun: error: node-1: task 0: Killed',
  ];

  it('was stopped where its step was cancelled, ready or not', () => {
    expect(judge(...up, cancelled).outcome).toBe('stopped');
    expect(judge(...up, cancelled, ...killed)).toMatchObject({ outcome: 'stopped', rootCause: null });
    expect(judge(...batchJob.slice(0, 2), cancelled).outcome).toBe('stopped');
  });

  it('is ready where another step was', () => {
    const alive = '(APIServer pid=7) INFO 05-12 09:30:00 [loggers.py:1] Engine 000: Running: 1 reqs';
    expect(judge(...up, cancelled, alive).outcome).toBe('ready');
  });

  it('crashed where it was killed, or had crashed before somebody cancelled it', () => {
    expect(judge(...up, ...killed).outcome).toBe('crashed');
    const failed = traceback('KeyError: 7');
    expect(judge(up[0] ?? '', ...failed, cancelled)).toMatchObject({
      outcome: 'crashed',
      rootCause: { exception: 'KeyError' },
    });
    const oom =
      'slurmstepd: error: Detected 1 oom_kill event in StepId=956247.1. Some of the step tasks have been OOM Killed.';
    expect(judge(...batchJob.slice(0, 2), oom, 'srun: error: node-1: task 0: Out Of Memory')).toMatchObject({
      outcome: 'crashed',
      rootCause: { category: 'host-memory' },
    });
  });

  it('is not judged by what srun says of the network', () => {
    const warned = 'srun: error: Unable to allocate resources: Requested node configuration is not available';
    expect(judge(...up, warned).outcome).toBe('ready');
  });
});

describe('the log of stderr alone', () => {
  const front = traceback('RuntimeError: Engine core initialization failed. See root cause above.').map(
    (line) => `(APIServer pid=7) ${line}`,
  );
  const said = traceback(
    "RuntimeError: Worker failed with error 'RuntimeError: [Errno 122] Disk quota exceeded: /home/a/.cache', please check the stack trace above for the root cause",
  ).map((line) => `(EngineCore pid=9) ${line}`);

  it('names what the engine core says of its worker', () => {
    const report = judge('(EngineCore pid=9) Process EngineCore:', ...said, ...front);
    expect(report).toMatchObject({ outcome: 'crashed', rootCause: { category: 'disk-full' } });
  });

  it('names the worker’s own words where they are there', () => {
    const own = traceback('OSError: [Errno 122] Disk quota exceeded').map((line) =>
      worker(`ERROR 05-12 09:21:00 [multiproc_executor.py:1007] ${line}`),
    );
    expect(judge(...own, ...said, ...front).rootCause).toMatchObject({
      rank: 'Worker_TP1',
      exception: 'OSError',
    });
  });
});

describe('what torch’s compiler logs', () => {
  const logged = (text: string): string =>
    worker(`[rank1]:E0716 18:21:22.792000 132331 torch/_inductor/runtime/triton_heuristics.py:874] ${text}`);
  const given = ['Triton compilation failed: triton_poi_fused_1', ...traceback('OSError: no room')].map(
    logged,
  );

  it('is no crash by itself, though it ends the log', () => {
    const report = judge(...batchJob.slice(0, 2), ...given);
    expect(report).toMatchObject({ outcome: 'loading', rootCause: null });
  });

  it('is why, where the log of a crash has nothing else', () => {
    const died = '(APIServer pid=7) RuntimeError: Engine core initialization failed. See root cause above.';
    expect(judge(...batchJob.slice(0, 2), ...given, died)).toMatchObject({
      outcome: 'crashed',
      rootCause: {
        exception: 'OSError',
        message: 'no room',
        rank: expect.stringMatching(/Worker_TP1|rank1/),
      },
    });
  });
});

describe('a benchmark of llama.cpp over a blob of Ollama', () => {
  const found = 'ggml_vulkan: Found 1 Vulkan devices:';
  const failed = "main: error: failed to load model '/usr/share/ollama/.ollama/models/blobs/sha256-1'";

  it('is llama.cpp’s, and names its one line', () => {
    expect(judge(found, failed)).toMatchObject({
      engine: 'llama.cpp',
      outcome: 'crashed',
      rootCause: { lineNumber: 2, category: 'model-load' },
    });
  });

  it('names the reason where one is told', () => {
    const reason = "llama_model_load: error loading model: unknown model architecture: 'demo'";
    expect(judge(found, reason, failed).rootCause).toMatchObject({ lineNumber: 2 });
  });
});
