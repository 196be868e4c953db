import { describe, expect, it } from 'vitest';
import { createReading } from '../../src/triage/reading.js';
import { linesOf } from '../support/case-files.js';

interface Read {
  readonly outcome: string;
  /** The line of the engine's own death, looked for behind each line of the growing log; null where none came. */
  readonly died: number | null;
  readonly ready: number | null;
  readonly cause: string | null;
}

/** Reads a log line by line, as `watch` does, and in the end as `triage` does. */
function read(...lines: readonly string[]): Read {
  const reading = createReading();
  let died: number | null = null;
  let ready: number | null = null;
  for (const line of linesOf(lines.join('\n'))) {
    reading.read(line, null);
    const findings = reading.findings();
    died ??= findings.death?.lineNumber ?? null;
    ready ??= findings.ready?.lineNumber ?? null;
  }
  const report = reading.report();
  return { outcome: report.outcome, died, ready, cause: report.rootCause?.line ?? null };
}

describe('vLLM shut down by a signal', () => {
  const api = (text: string): string => `(APIServer pid=7) ${text}`;
  const stamp = (text: string): string => api(`INFO 08-21 10:24:34 ${text}`);
  const served = [
    stamp('[api_utils.py:1] vLLM API server version 0.25.1'),
    api('INFO:     Started server process [7]'),
    api('INFO:     Application startup complete.'),
    api('INFO:     127.0.0.1:56098 - "POST /v1/chat/completions HTTP/1.1" 200 OK'),
  ];
  const engineDead = [
    'AsyncLLM output_handler failed.',
    'Traceback (most recent call last):',
    '  File "/opt/venv/vllm/v1/engine/async_llm.py", line 660, in output_handler',
    '    outputs = await engine_core.get_output_async()',
    'vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue. See stack trace (above) for the root cause.',
  ].map((text) => api(`ERROR 08-21 10:24:34 [async_llm.py:704] ${text}`));

  it('did not crash, whatever it says of its engine core behind that', () => {
    const end = [
      '(EngineCore pid=9) INFO 08-21 10:24:34 [core.py:1214] [shutdown] EngineCore: trigger received signal=SIGTERM',
      stamp('[launcher.py:100] [shutdown] API server: shutdown triggered'),
      stamp('[core_client.py:655] [shutdown] MPClient: start timeout=0s'),
      ...engineDead,
      api('INFO:     Shutting down'),
      api('INFO:     Application shutdown complete.'),
    ];
    expect(read(...served, ...end)).toEqual({ outcome: 'stopped', died: null, ready: 3, cause: null });
  });

  it('did, where its worker had died long before somebody stopped it', () => {
    const died =
      '(EngineCore pid=9) ERROR 08-21 10:24:00 [e.py:1] Worker proc W-1 died unexpectedly, shutting down';
    const handler = (time: string): string =>
      api(`INFO 08-21 ${time} [launcher.py:80] Shutting down FastAPI HTTP server.`);
    expect(read(...served, died, handler('10:24:02'))).toMatchObject({ outcome: 'stopped' });
    expect(read(...served, died, handler('10:29:00'))).toMatchObject({ outcome: 'crashed', died: 5 });
  });

  it('did, where the engine core died first and nobody sent a signal', () => {
    const end = [...engineDead, api('INFO:     Shutting down')];
    expect(read(...served, ...end)).toMatchObject({ outcome: 'crashed', ready: 3 });
  });

  const worker =
    'ERROR 08-21 10:24:34 [multiproc_executor.py:140] Worker proc VllmWorker-1 died unexpectedly';
  const handler = stamp('[launcher.py:80] Shutting down FastAPI HTTP server.');

  it('did not crash where Ctrl-C is told of a worker before it is told of the server', () => {
    expect(read(...served, worker, handler, api('INFO:     Shutting down')).outcome).toBe('stopped');
  });

  it('did, where that worker had a cause of its own', () => {
    const cause = [
      'Traceback (most recent call last):',
      '  File "/opt/a.py", line 1, in f',
      'KeyError: 7',
    ].map((text) => `(VllmWorker rank=1 pid=12) ERROR 08-21 10:24:33 [multiproc_executor.py:401] ${text}`);
    expect(read(...served, ...cause, worker, handler)).toMatchObject({ outcome: 'crashed' });
  });

  it('was interrupted in its start, though its front end says that the engine core failed', () => {
    const start = [
      stamp('[api_utils.py:1] vLLM API server version 0.23.0'),
      '(EngineCore pid=9) Traceback (most recent call last):',
      '(EngineCore pid=9)   File "/opt/venv/torch/_inductor/codecache.py", line 629, in dumps',
      '(EngineCore pid=9)     self.dump(obj)',
      '(EngineCore pid=9) KeyboardInterrupt',
      api('Traceback (most recent call last):'),
      api('  File "/opt/venv/vllm/v1/engine/utils.py", line 1249, in wait_for_engine_startup'),
      api('    raise RuntimeError('),
      api('RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}'),
    ];
    expect(read(...start)).toMatchObject({ outcome: 'stopped', ready: null });
  });
});

describe('vLLM that cannot start', () => {
  const api = (text: string): string => `(APIServer pid=1) ${text}`;
  const start = api('INFO 03-01 10:00:00 [api_server.py:1839] vLLM API server version 0.25.1');
  const traceback = [
    'Traceback (most recent call last):',
    '  File "/opt/vllm/arg_utils.py", line 1, in f',
  ].map(api);

  it('has died where the last lines are of the message of its exception', () => {
    const validation = [
      'pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig',
      '  Value error, User-specified max_model_len (999999) is greater than the derived max_model_len',
      '    For further information visit https://errors.pydantic.dev/2.13/v/value_error',
    ].map(api);
    expect(read(start, ...traceback, ...validation)).toMatchObject({
      outcome: 'crashed',
      cause: validation[0],
    });
    const gated = [
      'OSError: You are trying to access a gated repo.',
      'Make sure to have access to it at https://huggingface.co/demo/gated.',
      '',
      'Access to model demo/gated is restricted. Please log in.',
    ].map(api);
    expect(read(start, ...traceback, ...gated)).toMatchObject({ outcome: 'crashed', cause: gated[0] });
  });

  it('has not where its logger goes on', () => {
    const goesOn = api('INFO 03-01 10:00:09 [model.py:619] Resolved architecture: DemoForCausalLM');
    expect(read(start, ...traceback, api('KeyError: 7'), api('more'), goesOn).outcome).toBe('loading');
  });

  it('was stopped, though other processes throw what SIGTERM makes them throw', () => {
    const thrown = (end: string): string[] =>
      ['Traceback (most recent call last):', '  File "/opt/ray/worker.py", line 3053, in wait', end].map(
        (text) => `ERROR 05-26 18:58:11 [engine.py:448] ${text}`,
      );
    expect(read(start, ...thrown('KeyboardInterrupt'), ...thrown('SystemExit: 15')).outcome).toBe('stopped');
  });

  it('answers a call that failed, and crashed no more than that', () => {
    const core = (text: string): string => `(EngineCore pid=9) ERROR 06-02 14:31:01 [core.py:1365] ${text}`;
    const failed = [
      'Invocation of wake_up method failed',
      'Traceback (most recent call last):',
      '  File "/opt/vllm/v1/engine/core.py", line 9, in f',
      'RuntimeError: CUDA Error: out of memory at cumem_allocator.cpp:139',
    ].map(core);
    const ready = api('INFO:     Application startup complete.');
    expect(read(start, ready, ...failed)).toMatchObject({ outcome: 'ready', died: null });
  });
});

describe('uvicorn in the form that a log config gave it', () => {
  const start = 'INFO 03-01 10:00:00 [api_server.py:1043] vLLM API server version 0.8.5';

  it.each([
    ['2026-03-01 10:01:00,003 - uvicorn.error - INFO - Application startup complete.'],
    ['2026-03-01 10:01:00,003 INFO uvicorn.error: Application startup complete.'],
    ['INFO:uvicorn.error:Application startup complete.'],
    ['INFO 03-01 10:01:00 [on.py:62] Application startup complete.'],
    [
      '{"asctime": "2026-03-01 10:01:00,123", "levelname": "INFO", "name": "uvicorn.error", "message": "Application startup complete."}',
    ],
  ])('%s', (line) => {
    expect(read(start, line)).toMatchObject({ outcome: 'ready', ready: 2 });
  });

  it.each([
    ['[entrypoint] waiting for Application startup complete.'],
    ['2026-03-01 10:01:00,003 - __main__ - INFO - waiting for: Application startup complete.'],
    ['INFO 03-01 10:01:00 [wait.py:9] no "Application startup complete." yet'],
  ])('but not %s', (line) => {
    expect(read(start, line)).toMatchObject({ outcome: 'loading', ready: null });
  });
});

describe('a prefix that no list knows', () => {
  it('is not taken from what the engine says before its traceback', () => {
    const at = '[2026-02-22 23:33:00 TP0]';
    const log = [
      "[2026-02-22 23:29:11] server_args=ServerArgs(model_path='/models/demo', tp_size=2, port=30000)",
      `${at} Scheduler hit an exception: Traceback (most recent call last):`,
      '  File "/opt/sglang/srt/managers/scheduler.py", line 7, in run',
      '    run()',
      'KeyError: 7',
    ];
    expect(read(...log)).toMatchObject({ outcome: 'crashed', cause: 'KeyError: 7' });
    const wrapped = log.map((line) => `demo-0 server ${line}`);
    expect(read(...wrapped)).toMatchObject({ outcome: 'crashed', cause: 'demo-0 server KeyError: 7' });
  });
});

describe('llama.cpp in router mode', () => {
  it('outlives the server of a model', () => {
    expect(
      read(
        '0.00.021.840 I srv  llama_server: starting router mode',
        '0.00.031.840 I srv  llama_server: listening on http://127.0.0.1:8080',
        '0.06.031.840 I [42123] llama_model_load: error loading model: missing tensor',
        '[42123] main: exiting due to model loading error',
      ),
    ).toMatchObject({ outcome: 'ready', died: null });
  });
});

describe('LMDeploy', () => {
  it('exits behind a check that failed', () => {
    const at = '2026-03-23 09:48:17,048 - lmdeploy - ERROR - base.py';
    const cause = `${at}:55 - AssertionError: this model requires flash_mla to be available.`;
    expect(read(cause, `${at}:56 - <Model> check failed!`)).toMatchObject({ outcome: 'crashed', cause });
  });
});

describe('SGLang ended by SIGTERM in service', () => {
  it('did not crash, at no line', () => {
    const at = '[2026-08-02 00:17:43]';
    expect(
      read(
        `${at} server_args=ServerArgs(model_path='/models/demo', port=30000, tp_size=1)`,
        `${at} The server is fired up and ready to roll!`,
        `${at} SIGTERM received. signum=None frame=None. Draining requests and shutting down...`,
        `${at} Subprocess detokenizer (pid=31379) crashed with exit code -15. Triggering SIGQUIT for cleanup...`,
        `${at} SIGQUIT received. signum=None, frame=None. It usually means one child failed.`,
      ),
    ).toMatchObject({ outcome: 'stopped', died: null, ready: 2 });
  });
});

describe('Ollama', () => {
  const at = 'time=2026-03-01T10:00:00.000Z level=INFO';
  const listening = [
    `${at} source=routes.go:1511 msg="server config" env="map[OLLAMA_HOST:http://127.0.0.1:11434]"`,
    `${at} source=routes.go:1564 msg="Listening on 127.0.0.1:11434 (version 0.12.6)"`,
  ];
  const runnerDies = [
    `${at} source=server.go:380 msg="starting llama server" cmd="/usr/bin/ollama runner --port 33405"`,
    'CUDA error: out of memory',
    '//ml/backend/ggml/ggml/src/ggml-cuda/ggml-cuda.cu:73: CUDA error',
    'SIGSEGV: segmentation violation',
    'time=2026-03-01T10:00:09.000Z level=ERROR source=server.go:421 msg="llama runner terminated" error="exit status 2"',
  ];
  const answered =
    '[GIN] 2026/03/01 - 10:00:10 | 200 |  12.432265831s |       127.0.0.1 | POST     "/api/chat"';

  it('is ready by its own word, which stands in quotation marks', () => {
    expect(read(...listening)).toMatchObject({ outcome: 'ready', ready: 2 });
    const quoted = `${at} source=x.go:1 msg="request" error="Listening on 127.0.0.1:1 (version 0)"`;
    expect(read(listening[0] ?? '', quoted)).toMatchObject({ ready: null });
  });

  it('lives on when the runner of a model dies', () => {
    expect(read(...listening, ...runnerDies)).toMatchObject({ outcome: 'ready', died: null });
  });

  it('names what a runner died of, where only its end was logged', () => {
    expect(read(...runnerDies)).toMatchObject({
      outcome: 'crashed',
      died: null,
      cause: 'CUDA error: out of memory',
    });
    const told = `${at} source=sched.go:457 msg="error loading llama server" error="llama runner process has terminated: GGML_ASSERT(x == y) failed"`;
    expect(read(told)).toMatchObject({ outcome: 'crashed', cause: told });
  });

  describe('that panics', () => {
    const panics = [
      'panic: runtime error: invalid memory address or nil pointer dereference',
      '',
      'goroutine 33 [running]:',
    ];
    const ofDaemon = [
      ...panics,
      'github.com/ollama/ollama/server.(*Scheduler).processPending(0xc000126000, {0x1, 0x2})',
      '\t/go/src/github.com/ollama/ollama/server/sched.go:150 +0x7e5',
    ];
    const ofRunner = [
      ...panics,
      'github.com/ollama/ollama/runner/ollamarunner.(*Server).run(0xc000037860, {0x1, 0x2})',
      '\t/go/src/github.com/ollama/ollama/runner/ollamarunner/runner.go:440 +0x2b0',
    ];

    it('is gone where the goroutine is the daemon’s', () => {
      expect(read(...listening, answered, ...ofDaemon)).toMatchObject({
        outcome: 'crashed',
        cause: panics[0],
      });
    });

    it('lives where it is a runner’s, or where the daemon goes on', () => {
      expect(read(...listening, answered, ...ofRunner)).toMatchObject({ outcome: 'ready', died: null });
      expect(read(...listening, ...ofDaemon, answered)).toMatchObject({ outcome: 'ready' });
      expect(read(...listening, ...panics)).toMatchObject({ outcome: 'ready' });
    });
  });

  it('is proved ready by a request, where the head of its log is missing', () => {
    expect(read(`${at} source=sched.go:1 msg="loaded runners" count=1`, answered)).toMatchObject({
      outcome: 'ready',
      ready: 2,
    });
  });

  it('is not taken down by a second one that finds the port taken', () => {
    const second = 'Error: listen tcp 127.0.0.1:11434: bind: address already in use';
    const key = "Couldn't find '/root/.ollama/id_ed25519'. Generating new private key.";
    expect(read(key, second)).toMatchObject({ outcome: 'crashed', died: 2, cause: second });
    expect(read(...listening, second)).toMatchObject({ outcome: 'ready', died: null });
    expect(read(second, answered)).toMatchObject({ outcome: 'ready' });
  });

  it('begins a new run with its first line, in the words of old versions too', () => {
    const old =
      '2026/03/01 11:00:00 routes.go:1215: INFO server config env="map[OLLAMA_HOST:http://0.0.0.0:11434]"';
    expect(read(...listening, old)).toMatchObject({ outcome: 'loading' });
  });
});

describe('TGI', () => {
  it('is ready in JSON, and stopped by the signal that its router received', () => {
    const record = (target: string, message: string): string =>
      JSON.stringify({ timestamp: '2026-01-08T12:00:00.1Z', level: 'INFO', message, target });
    const start = [
      record('text_generation_launcher', 'Args { model_id: "demo", port: 80 }'),
      record('text_generation_launcher', 'Starting Webserver'),
      record('text_generation_router::server', 'Connected'),
    ];
    expect(read(...start)).toMatchObject({ outcome: 'ready', ready: 3 });
    const end = record('text_generation_router::server', 'signal received, starting graceful shutdown');
    expect(read(...start, end)).toMatchObject({ outcome: 'stopped', died: null });
  });
});

describe('TensorRT-LLM', () => {
  it('crashed with the rank whose loop did, though its HTTP server stays', () => {
    const loop =
      '[09/03/2026-10:15:00] [TRT-LLM] [E] [_torch][RANK 7] Executor loop crashed on this rank; hard-killing all 8 ranks in 9.9s';
    expect(
      read(
        '[09/03/2026-10:00:00] [TRT-LLM] [I] Starting LLM server...',
        'INFO:     Application startup complete.',
        loop,
        'INFO:     10.0.0.4:2 - "GET /health HTTP/1.1" 503 Service Unavailable',
      ),
    ).toEqual({ outcome: 'crashed', died: 3, ready: 2, cause: loop });
  });
});

describe('a hang that the engine names', () => {
  const at = '(EngineCore_DP0 pid=9) INFO 03-10 20:12:48 [shm_broadcast.py:542]';
  const warning = `${at} No available shared memory broadcast block found in 60 seconds.`;
  const start = 'INFO 03-10 20:00:00 [api_server.py:1] vLLM API server version 0.16.0';

  it('is one only until its ranks go on', () => {
    expect(read(start, warning, warning, warning).outcome).toBe('stalled');
    const built = '(Worker_TP2 pid=12) [aiter] finish build [module_rmsnorm], cost 281.1s';
    expect(read(start, warning, warning, warning, built).outcome).toBe('loading');
  });
});

describe('several runs in one file', () => {
  it('are told apart in llama.cpp, whichever of its first lines a version has', () => {
    const run = (first: string): string[] => [
      'ggml_cuda_init: found 1 CUDA devices:',
      first,
      'main: loading model',
      'main: model loaded',
      'main: server is listening on http://0.0.0.0:8080',
    ];
    for (const first of [
      'build: 5662 (fb85a288) with cc (Ubuntu 13.3.0) for x86_64-linux-gnu',
      'build_info: b8680-15f786e65',
      'system info: n_threads = 24, n_threads_batch = 24, total_threads = 48',
      '0.00.021.840 I cmn  common_param: common_params_print_info: verbosity = 3 (adjust with the `-lv N` CLI arg)',
    ]) {
      expect(read(...run(first)), first).toMatchObject({ outcome: 'ready', ready: 5 });
      expect(read(...run(first), ...run(first).slice(0, 3)), first).toMatchObject({ outcome: 'loading' });
      expect(read(...run(first), ...run(first)), first).toMatchObject({ outcome: 'ready' });
    }
  });

  it('are told apart behind a shutdown, where the next one’s first line is not known', () => {
    const served = [
      'INFO:     Started server process [7]',
      'INFO:     Waiting for application startup.',
      'INFO:     Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)',
    ];
    const lines = [...served, 'INFO:     Shutting down', 'INFO:     Finished server process [7]'];
    expect(read(...lines).outcome).toBe('stopped');
    expect(read(...lines, ...served.slice(0, 2)).outcome).toBe('loading');
    expect(read(...lines, ...served).outcome).toBe('ready');
  });
});

describe('systemd', () => {
  const ready =
    'Jun 01 13:52:31 node-1 ollama[31]: time=2025-06-01T13:52:31.201+08:00 level=INFO source=routes.go:1238 msg="Listening on 127.0.0.1:11434 (version 0.11.7)"';

  it('says that it stops the engine’s unit, which may say nothing itself', () => {
    const stops = (unit: string): string => `Jun 01 13:56:03 node-1 systemd[1]: Stopping ${unit}...`;
    expect(read(ready, stops('ollama.service - Ollama Service')).outcome).toBe('stopped');
    expect(read(ready, stops('cups.service - CUPS Scheduler')).outcome).toBe('ready');
  });

  it('says nothing of this engine where it stops the unit of another', () => {
    const lines = [
      'Mar 01 09:58:00 n vllm[7]: (APIServer pid=7) INFO 03-01 09:58:00 [api_server.py:1839] vLLM API server version 0.11.0',
      'Mar 01 09:58:30 n vllm[7]: (EngineCore_DP0 pid=9) INFO 03-01 09:58:30 [core.py:77] Initializing a V1 LLM engine',
      'Mar 01 09:58:59 n systemd[1]: Stopping ollama.service - Ollama Service...',
      'Mar 01 09:59:59 n vllm[7]: (EngineCore_DP0 pid=9) ERROR 03-01 10:00:00 [core.py:396] EngineCore failed to start.',
    ];
    expect(read(...lines)).toMatchObject({ outcome: 'crashed', died: 4 });
  });
});

describe('the end of another program in the same log', () => {
  const inCompose = (name: string): readonly string[] => [
    `${name}  | INFO 03-01 09:58:00 [api_server.py:1839] vLLM API server version 0.11.0`,
    `${name}  | (EngineCore_DP0 pid=9) INFO 03-01 09:58:30 [core.py:77] Initializing a V1 LLM engine`,
  ];
  const inJournal = [
    'Mar 01 09:58:00 n vllm[7]: (APIServer pid=7) INFO 03-01 09:58:00 [api_server.py:1839] vLLM API server version 0.11.0',
    'Mar 01 09:58:30 n vllm[7]: (EngineCore_DP0 pid=9) INFO 03-01 09:58:30 [core.py:77] Initializing a V1 LLM engine',
  ];

  it('is none of this server, where docker compose names both', () => {
    expect(read(...inCompose('vllm-1'), 'redis-1 exited with code 1').outcome).toBe('loading');
    expect(read(...inCompose('vllm-1'), 'vllm-1 exited with code 137').outcome).toBe('crashed');
    expect(read(...inCompose('vllm_1'), 'models_vllm_1 exited with code 137').outcome).toBe('crashed');
  });

  it('is this server’s, where systemd tells of its unit', () => {
    const exited =
      'Mar 01 09:58:31 n systemd[1]: vllm.service: Main process exited, code=killed, status=9/KILL';
    expect(read(...inJournal, exited).outcome).toBe('crashed');
  });

  it('is none of this server, where the kernel killed it for memory', () => {
    const killed = (name: string): string =>
      `Mar 01 09:58:31 n kernel: Out of memory: Killed process 812 (${name}) total-vm:1kB, anon-rss:2kB`;
    expect(read(...inJournal, killed('chrome'))).toMatchObject({ outcome: 'loading', cause: null });
    expect(read(...inJournal, killed('VLLM::EngineCor'))).toMatchObject({
      outcome: 'crashed',
      cause: killed('VLLM::EngineCor'),
    });
  });
});

describe('what collectors put in front of each line', () => {
  const collectors = {
    'docker compose': 'demo-1  | ',
    journald: 'Nov 29 12:00:00 node-1 llama-server[812]: ',
    'docker’s times': '2026-11-29T12:00:00.123456789Z ',
    CRI: '2026-11-29T12:00:00.123456789Z stderr F ',
  };

  it.each(Object.entries(collectors))(
    'does not hide that a child of llama.cpp’s router died: %s',
    (_, put) => {
      const lines = [
        'I cmn  common_param: common_params_print_info: verbosity = 3 (adjust with the `-lv N` CLI arg)',
        'I srv  llama_server: router server is listening on http://0.0.0.0:8080',
        'I [42123] srv  load_model: loading model /models/a.gguf',
        'I [42123] main: exiting due to model loading error',
      ].map((text, index) => `${put}0.0${index}.021.840 ${text}`);
      expect(read(...lines)).toMatchObject({ outcome: 'ready', ready: 2, died: null });
    },
  );

  it.each(Object.entries(collectors))('does not make a traced command the engine’s word: %s', (_, put) => {
    const lines = [
      "[2026-11-29 10:00:00] server_args=ServerArgs(model_path='demo', port=30000)",
      '[2026-11-29 10:00:05] Load weight begin. avail mem=78.00 GB',
      '+ echo The server is fired up and ready to roll!',
    ].map((text) => put + text);
    expect(read(...lines)).toMatchObject({ outcome: 'loading', ready: null });
    expect(read(...lines, `${put}The server is fired up and ready to roll!`)).toMatchObject({ ready: 4 });
  });

  it('does not, even where nobody knows the collector', () => {
    const lines = [
      "[2026-11-29 10:00:00] server_args=ServerArgs(model_path='demo', port=30000)",
      'pod/demo-7f main ++ echo The server is fired up and ready to roll!',
    ];
    expect(read(...lines)).toMatchObject({ outcome: 'loading', ready: null });
  });

  it.each([
    ['docker compose', (name: string) => `${name}-1  | `],
    ['docker compose with times', (name: string) => `${name}-1  | 2026-11-29T12:00:00.123456789Z `],
    ['kubectl', (name: string) => `[pod/demo-7f/${name}] `],
    ['a journal', (name: string) => `Nov 29 12:00:00 node-1 ${name}[812]: `],
  ])('tells the engine from another service in the same log: %s', (_, put) => {
    const own = [
      '(APIServer pid=7) INFO 03-01 09:58:00 [api_server.py:1839] vLLM API server version 0.11.0',
      '(EngineCore_DP0 pid=9) INFO 03-01 09:58:30 [core.py:77] Initializing a V1 LLM engine (v0.11.0)',
    ].map((text) => put('vllm') + text);
    const started = ['INFO:     Started server process [1]', 'INFO:     Application startup complete.'];
    const web = started.map((text) => put('web') + text);
    const fault = `${put('web')}Fatal Python error: Segmentation fault`;
    expect(read(...web, ...own, ...web, fault)).toMatchObject({
      outcome: 'loading',
      ready: null,
      died: null,
    });
    const served = started.map((text) => put('vllm') + text);
    expect(read(...own, ...served, fault)).toMatchObject({ outcome: 'ready', ready: 4, died: null });
    expect(read(...own, `${put('vllm')}Fatal Python error: Aborted`)).toMatchObject({ died: 3 });
    // Two servers of one launch.
    expect(
      read(...own, put('node-2') + own[0]?.slice(put('vllm').length), `${put('node-2')}${started[1]}`),
    ).toMatchObject({
      outcome: 'ready',
    });
  });
});

describe('a program that is not there', () => {
  const start = [
    'INFO 03-01 09:58:00 [api_server.py:1839] vLLM API server version 0.11.0',
    "INFO 03-01 09:58:30 [core.py:77] Initializing a V1 LLM engine (v0.11.0) with config: model='demo'",
  ];
  const ready = 'INFO:     Application startup complete.';
  const missing = ['/bin/sh: 1: nvcc: not found', 'bash: line 1: nvidia-smi: command not found'];

  it.each(missing)('is no end of an engine that has tried it: %s', (line) => {
    expect(read(...start, line).outcome).toBe('loading');
    expect(read(...start, ready, line).outcome).toBe('ready');
  });

  it.each(missing)('is the end of what was never started, also behind an earlier run: %s', (line) => {
    expect(read(line).outcome).toBe('crashed');
    expect(
      read(...start, 'KeyError: x', 'ERROR 03-01 09:59:00 [core.py:1] EngineCore failed to start.', line)
        .outcome,
    ).toBe('crashed');
  });

  it('leaves what the engine’s own parser refuses its end', () => {
    expect(read(...start, 'vllm: error: unrecognized arguments: --tpp 8').outcome).toBe('crashed');
  });
});

describe('tracebacks of several tasks, line by line', () => {
  it.each([
    ['srun -l', (task: number) => `${task}: `],
    ['mpirun', (task: number) => `[1,${task}]<stderr>:`],
  ])('are those of the task that each line names: %s', (_, put) => {
    const lines = [
      [0, "[2026-11-29 10:00:00] server_args=ServerArgs(model_path='demo', port=30000)"],
      [1, '[2026-11-29 10:00:06 TP1] Scheduler hit an exception: Traceback (most recent call last):'],
      [0, '[2026-11-29 10:00:06 TP0] Scheduler hit an exception: Traceback (most recent call last):'],
      [1, '  File "/opt/sglang/srt/one.py", line 3, in load_one'],
      [0, '  File "/opt/sglang/srt/zero.py", line 4, in load_zero'],
      [1, "    raise KeyError('a')"],
      [0, '    raise RuntimeError'],
      [1, "KeyError: 'a'"],
      [0, 'RuntimeError: Connection closed by peer'],
    ] as const;
    const reading = createReading();
    const text = lines.map(([task, said]) => put(task) + said).join('\n');
    for (const line of linesOf(`${text}\n`)) reading.read(line, null);
    expect(reading.report()).toMatchObject({
      outcome: 'crashed',
      rootCause: { lineNumber: 8, rank: 'TP1', where: 'srt/one.py:3 load_one' },
    });
  });
});
