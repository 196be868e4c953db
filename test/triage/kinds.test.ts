import { describe, expect, it } from 'vitest';
import { createReading, readAll } from '../../src/triage/reading.js';
import { linesOf } from '../support/case-files.js';
import { judge, traceback as tracebackIn } from '../support/judge-lines.js';

const args =
  "[2026-02-22 23:29:11] server_args=ServerArgs(model_path='/models/demo', tp_size=2, port=30000, mem_fraction_static=0.88, speculative_algorithm=None, api_key='secret')";
const serving = [
  '[2026-02-22 23:31:01 TP0] max_total_num_tokens=10240, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=131072',
  '[2026-02-22 23:31:02] INFO:     Started server process [9]',
  '[2026-02-22 23:31:02] INFO:     Waiting for application startup.',
  '[2026-02-22 23:31:02] INFO:     Application startup complete.',
];
const uvicorn =
  '[2026-02-22 23:31:02] INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)';
const firedUp = '[2026-02-22 23:31:04] The server is fired up and ready to roll!';
const traceback = (end: string): string[] => tracebackIn(end, '/opt/sglang/srt/server.py');

describe('ready', () => {
  it('takes the engine’s line together with uvicorn’s', () => {
    expect(judge(args, ...serving, uvicorn, firedUp).outcome).toBe('ready');
    expect(judge(args, ...serving, firedUp).outcome).toBe('loading');
    expect(judge(args, ...serving, firedUp, uvicorn).outcome).toBe('ready');
  });

  it('takes the line alone where uvicorn’s words are switched off', () => {
    expect(judge(args, firedUp).outcome).toBe('ready');
  });

  it('is not fooled by another server on the port', () => {
    const taken =
      "[2026-02-22 23:31:03] ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', 30000): address already in use";
    const report = judge(args, ...serving, taken, firedUp);
    expect(report).toMatchObject({
      outcome: 'crashed',
      rootCause: { category: 'port-in-use', lineNumber: 6 },
    });
    expect(report.remedies[0]?.change).toEqual({ args: ['--port', '30001'] });
  });

  it('stays through failing requests', () => {
    expect(
      judge(args, ...serving, uvicorn, firedUp, ...traceback('ValueError: The input is too long')).outcome,
    ).toBe('ready');
  });

  it('is the dummy health server on nodes behind the first', () => {
    const dummy =
      '[2026-01-02 10:00:00] Dummy health check server started in background thread at 0.0.0.0:30000';
    expect(judge(args, dummy).outcome).toBe('loading');
    expect(judge(args.replace('tp_size=2', 'tp_size=2, node_rank=1'), dummy).outcome).toBe('ready');
  });

  it('waits for as many API servers as vLLM was told to start', () => {
    const start = (count: number): string[] => [
      'INFO 06-18 18:43:50 [api_server.py:1034] vLLM API server version 0.11.0',
      `INFO 06-18 18:43:50 [utils.py:1] non-default args: {'api_server_count': ${count}}`,
    ];
    const up = '(ApiServer_0 pid=1) INFO:     Application startup complete.';
    expect(judge(...start(2), up).outcome).toBe('loading');
    expect(judge(...start(2), up, up.replace('_0', '_1')).outcome).toBe('ready');
    expect(judge(...start(1), up).outcome).toBe('ready');
  });
});

describe('a log of the service alone, its start cut off', () => {
  const answered = 'INFO:     10.20.0.9:45502 - "POST /v1/chat/completions HTTP/1.1" 200 OK';
  const throughput =
    '(APIServer pid=1) INFO 10-14 19:33:30 [loggers.py:127] Engine 000: Avg prompt throughput: 0.0 tokens/s, Running: 1 reqs';
  const core = (text: string): string => `(EngineCore_DP0 pid=9) ERROR 10-14 19:33:31 [core.py:710] ${text}`;

  it('is ready once a request for tokens was answered, not by a health check', () => {
    expect(judge(throughput, `(APIServer pid=1) ${answered}`).outcome).toBe('ready');
    expect(
      judge(throughput, '(APIServer pid=1) INFO:     10.20.0.9:1 - "GET /health HTTP/1.1" 200 OK').outcome,
    ).toBe('loading');
    expect(
      judge(throughput, `(APIServer pid=1) ${answered.replace('200 OK', '400 Bad Request')}`).outcome,
    ).toBe('loading');
  });

  it('crashed when the last word is an exception of the engine’s own process', () => {
    const report = judge(
      throughput,
      answered,
      ...traceback('IndexError: index 1 is out of bounds').map(core),
    );
    expect(report).toMatchObject({
      outcome: 'crashed',
      phase: 'ready',
      rootCause: { exception: 'IndexError' },
    });
    expect(judge(throughput, answered, ...traceback('IndexError: x').map(core), throughput).outcome).toBe(
      'ready',
    );
  });
});

describe('runs', () => {
  it('judges the last one of a file', () => {
    const first = [args, ...serving, uvicorn, firedUp];
    expect(judge(...first, args).outcome).toBe('loading');
    expect(judge(args, ...traceback('RuntimeError: first run'), ...first).outcome).toBe('ready');
    expect(readAll(linesOf([...first, args].join('\n'))).findings().runs).toBe(2);
  });

  it('does not count arguments that are printed twice', () => {
    expect(readAll(linesOf([args, args].join('\n'))).findings().runs).toBe(1);
  });
});

describe('crashed', () => {
  it('by an exception of the main process that nobody caught, whatever its name', () => {
    for (const end of [
      'KeyError: 7',
      'MemoryError',
      'some.module.WeirdThing: it broke',
      'OfflineModeIsEnabled: no network',
      'Exception: x',
    ]) {
      expect(judge(args, ...traceback(end)), end).toMatchObject({
        outcome: 'crashed',
        rootCause: { line: end, lineNumber: 5 },
      });
    }
  });

  it('not when the engine goes on after it', () => {
    expect(
      judge(
        args,
        ...traceback('KeyError: 7'),
        '[2026-02-22 23:29:22 TP0] Load weight begin. avail mem=94.43 GB',
      ).outcome,
    ).toBe('loading');
  });

  it('not by a traceback whose header says that it does no harm', () => {
    const header =
      '[2026-02-22 23:29:12] Can not initialize OpenAIServingResponses, error: Traceback (most recent call last):';
    expect(judge(args, header, ...traceback('ValueError: no tools').slice(1)).outcome).toBe('loading');
    expect(
      judge(args, 'Exception ignored in: <function f at 0x1>', ...traceback('TypeError: x')).outcome,
    ).toBe('loading');
  });

  it('with the wrapped exception as cause where the last one repeats it', () => {
    const report = judge(
      args,
      '[2026-02-22 23:30:00 TP1] Scheduler hit an exception: Traceback (most recent call last):',
      ...traceback('RuntimeError: mat1 and mat2 shapes cannot be multiplied').slice(1),
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      ...traceback('Exception: Capture cuda graph failed: mat1 and mat2 shapes cannot be multiplied'),
    );
    expect(report.rootCause).toMatchObject({
      exception: 'RuntimeError',
      rank: 'TP1',
      category: 'weight-mismatch',
      where: 'srt/server.py:7 main',
    });
  });

  it('with the deepest process’s exception, not those of the processes above it', () => {
    const log = (proc: string, text: string): string => `(${proc}) ERROR 11-29 12:00:00 [core.py:1] ${text}`;
    const thrown = (proc: string, end: string): string[] => traceback(end).map((line) => log(proc, line));
    const report = judge(
      '(APIServer pid=1) INFO 11-29 12:00:00 [api_server.py:1] vLLM API server version 0.20.0',
      log('EngineCore pid=2', 'EngineCore failed to start.'),
      ...thrown(
        'EngineCore pid=2',
        'Exception: WorkerProc initialization failed due to an exception in a background process.',
      ),
      ...thrown('Worker_TP1 pid=4', 'ValueError: deep'),
      ...traceback('RuntimeError: Engine core initialization failed. See root cause above.').map(
        (line) => `(APIServer pid=1) ${line}`,
      ),
    );
    expect(report).toMatchObject({ outcome: 'crashed', rootCause: { message: 'deep', rank: 'Worker_TP1' } });
    expect(report.consequences.map(({ line }) => line).join('\n')).toContain(
      'Engine core initialization failed',
    );
  });

  it('with pydantic’s real message from the line after', () => {
    const report = judge(
      'INFO 11-29 12:00:00 [api_server.py:1] vLLM API server version 0.20.0',
      ...traceback('pydantic_core._pydantic_core.ValidationError: 1 validation error for ModelConfig'),
      '  Value error, User-specified max_model_len (262144) is greater than the derived max_model_len (max_position_embeddings=131072 or model_max_length=None) [type=value_error, input_value=ArgsKwargs(()), input_type=ArgsKwargs]',
    );
    expect(report.rootCause?.message).toMatch(/^User-specified max_model_len/);
    expect(report.rootCause?.category).toBe('max-model-len');
    expect(report.remedies[0]?.change).toEqual({ args: ['--max-model-len', '131072'] });
  });

  it('with no cause where the log names none', () => {
    expect(judge(args, ...traceback('EOFError'))).toMatchObject({ outcome: 'crashed', rootCause: null });
  });

  it('names the SIGKILL of a rank where the exit code is all that is left', () => {
    const vllm = 'INFO 11-29 12:00:00 [api_server.py:1] vLLM API server version 0.20.0';
    const killed =
      "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {'EngineCore_DP0': -9}";
    expect(judge(vllm, ...traceback(killed))).toMatchObject({
      outcome: 'crashed',
      rootCause: { line: killed, category: 'host-memory' },
    });
    expect(judge(vllm, ...traceback(killed.replace(/\{.*/, '{}')))).toMatchObject({
      outcome: 'crashed',
      rootCause: null,
    });
    expect(
      judge(
        args,
        ...traceback(
          'RuntimeError: Rank 0 scheduler died during initialization (exit code: -9). If exit code is -9',
        ),
      ),
    ).toMatchObject({
      rootCause: { category: 'host-memory' },
    });
  });

  it('by a failed warm-up: the exception under its header is the cause', () => {
    const report = judge(
      args,
      ...serving,
      uvicorn,
      '[2026-02-22 23:41:02] Initialization failed. warmup error: Traceback (most recent call last):',
      ...traceback("AssertionError: res=<Response [503]>, res.text='<html>squid'").slice(1),
    );
    expect(report).toMatchObject({
      outcome: 'crashed',
      rootCause: { exception: 'AssertionError', category: 'warmup-failed' },
    });
  });

  it('points to the earlier line that explains it', () => {
    const report = judge(
      args,
      "[2026-02-22 23:29:12] Ignore import error when loading sglang.srt.models.demo: No module named 'demo_kernels'",
      ...traceback(
        "ValueError: Model architectures ['DemoForCausalLM'] are not supported for now. Supported architectures: dict_keys([])",
      ),
    );
    expect(report).toMatchObject({ outcome: 'crashed', rootCause: { category: 'unsupported-architecture' } });
    expect(report.remedies[0]).toMatchObject({ title: 'Look at line 2 first' });
    expect(report.remedies[0]?.why).toContain('demo_kernels');
  });

  it('by wrong arguments, which say themselves what is wrong', () => {
    expect(
      judge('usage: launch_server.py [-h]', 'launch_server.py: error: unrecognized arguments: --tpp 8'),
    ).toMatchObject({
      outcome: 'crashed',
      rootCause: { category: 'bad-arguments' },
    });
    expect(judge('bash: line 1: sglang: command not found')).toMatchObject({
      outcome: 'crashed',
      rootCause: { category: 'command-not-found' },
    });
  });

  it('after ready by the engine’s own death only, with a cause that came after it', () => {
    const running = [args, ...traceback('KeyError: before'), ...serving, uvicorn, firedUp];
    const report = judge(
      ...running,
      '[2026-02-22 23:40:00 TP0] Scheduler hit an exception: Traceback (most recent call last):',
      ...traceback('ZeroDivisionError: after').slice(1),
    );
    expect(report).toMatchObject({ outcome: 'crashed', phase: 'ready', rootCause: { message: 'after' } });
  });
});

describe('stopped', () => {
  it('by a signal from outside', () => {
    expect(
      judge(
        args,
        ...serving,
        uvicorn,
        firedUp,
        '[2026-02-22 23:50:00] SIGTERM received. signum=15 frame=None. Draining requests and shutting down...',
      ).outcome,
    ).toBe('stopped');
    expect(
      judge(args, ...serving, uvicorn, firedUp, '[2026-02-22 23:50:00] INFO:     Shutting down').outcome,
    ).toBe('stopped');
    expect(judge(args, ...traceback('KeyboardInterrupt')).outcome).toBe('stopped');
  });
});

describe('what is read besides', () => {
  it('keeps secrets out of the arguments', () => {
    expect(judge(args).serverArgs).toMatchObject({
      tp_size: 2,
      api_key: '[redacted]',
      speculative_algorithm: null,
    });
  });

  it('chooses the readiness path by what the wording says of the version', () => {
    const path = (...lines: string[]): string | null =>
      readAll(linesOf(lines.join('\n'))).findings().readyPath;
    expect(path(args)).toBe('/health_generate');
    expect(
      path(args, '[2026-02-22 23:29:27 TP0] Init torch distributed ends. elapsed=4.81 s, mem usage=0.60 GB'),
    ).toBe('/health');
  });

  it('works out a smaller memory share from the numbers of the failed allocation', () => {
    const report = judge(
      args,
      '[2026-02-22 23:30:00 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=1.00 GB',
      '[2026-02-22 23:30:00 TP0] Scheduler hit an exception: Traceback (most recent call last):',
      ...traceback(
        'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 4.00 GiB. GPU 0 has a total capacity of 80.00 GiB of which 1.00 GiB is free.',
      ).slice(1),
    );
    expect(report.rootCause?.category).toBe('oom-graph-capture');
    expect(report.remedies[0]?.change).toEqual({ args: ['--mem-fraction-static', '0.83'] });
  });

  it('moves progress with every frame of an unfinished line, and begins nothing by it', () => {
    const reading = createReading({ engine: 'sglang' });
    reading.readPartial('Multi-thread loading shards:  45% Completed | 29/64 [00:10<00:12,  2.8it/s]', 1);
    expect(reading.findings().phase).toBeNull();
    for (const line of linesOf(`${args}\n[2026-02-22 23:29:28 TP0] Load weight begin. avail mem=94.43 GB`))
      reading.read(line, 2);
    reading.readPartial(
      '\rMulti-thread loading shards:  2% Completed | 1/64 [00:10<00:12,  2.8it/s]\rMulti-thread loading shards:  45% Completed | 29/64 [00:10<00:12,  2.8it/s]',
      3,
    );
    const weights = reading.findings().phases.find(({ id }) => id === 'weights');
    expect(weights).toMatchObject({ status: 'active', detail: '29/64 shards', progress: 29 / 64 });
  });

  it('classes lines for the log pane', () => {
    const reading = createReading({ engine: 'sglang' });
    const of = (text: string) => reading.read({ number: 1, text }, null);
    expect(of('[2026-02-22 23:29:28 DP1 TP3] Load weight begin. avail mem=94.43 GB')).toEqual({
      rank: 'DP1 TP3',
      whose: 'DP1 TP3',
      level: 'info',
      milestone: true,
    });
    expect(
      of('Loading safetensors checkpoint shards:  25% Completed | 1/4 [00:00<00:02,  1.27it/s]').level,
    ).toBe('progress');
    expect(
      of('[2026-02-22 23:29:28 TP0] Ignore import error when loading sglang.srt.models.demo: ImportError')
        .level,
    ).toBe('info');
    expect(of('RuntimeError: something').level).toBe('error');
    expect(
      of("[2026-02-22 23:50:00] Receive: obj=GenerateReqInput(text='RuntimeError: CUDA error')").level,
    ).toBe('info');
  });

  it('names the ranks that never spoke', () => {
    const begin = (rank: number): string => `[2026-02-22 23:29:22 TP${rank}] Init torch distributed begin.`;
    const { ranks } = readAll(
      linesOf([args.replace('tp_size=2', 'tp_size=4'), begin(0), begin(1), begin(3)].join('\n')),
    ).findings();
    expect(ranks.map(({ rank, step }) => [rank, step])).toEqual([
      ['TP0', 1],
      ['TP1', 1],
      ['TP2', 0],
      ['TP3', 1],
    ]);
  });

  it('shows the rank that lags behind the others', () => {
    const at = (rank: number, text: string): string => `[2026-02-22 23:29:22 TP${rank}] ${text}`;
    const reading = readAll(
      linesOf(
        [
          args,
          at(0, 'Init torch distributed begin.'),
          at(1, 'Init torch distributed begin.'),
          at(0, 'Init torch distributed ends. mem usage=0.25 GB'),
        ].join('\n'),
      ),
    );
    const { phases, ranks } = reading.findings();
    expect(phases.find(({ id }) => id === 'distributed')?.status).toBe('active');
    expect(ranks.map(({ rank, step }) => [rank, step])).toEqual([
      ['TP0', 2],
      ['TP1', 1],
    ]);
  });
});

describe('collectors', () => {
  it('may have written each line as JSON', () => {
    const docker = (text: string): string =>
      JSON.stringify({ log: `${text}\n`, stream: 'stderr', time: '2026-02-22T23:29:22.1Z' });
    const report = judge(...[args, ...traceback('KeyError: 7')].map(docker));
    expect(report).toMatchObject({
      engine: 'sglang',
      outcome: 'crashed',
      rootCause: { exception: 'KeyError', lineNumber: 5, line: docker('KeyError: 7') },
    });
  });

  it('may have put a whole traceback into one record', () => {
    const record = JSON.stringify({
      level: 'ERROR',
      message: `[2026-02-22 23:30:00 TP1] Scheduler hit an exception: ${traceback('KeyError: 7').join('\n')}`,
    });
    expect(judge(args, record)).toMatchObject({
      outcome: 'crashed',
      rootCause: { exception: 'KeyError', message: '7', rank: 'TP1', lineNumber: 2 },
    });
  });

  it('may have written TGI’s lines as JSON', () => {
    const record = (message: string): string =>
      JSON.stringify({
        timestamp: '2024-11-27T20:59:27.057718Z',
        level: 'INFO',
        fields: { message },
        target: 'text_generation_launcher',
      });
    expect(judge(record('Args {'), record('Starting shard'))).toMatchObject({
      engine: 'tgi',
      outcome: 'loading',
      phase: 'weights',
    });
  });
});

describe('phases', () => {
  const state = (...lines: string[]): readonly string[] =>
    readAll(linesOf(lines.join('\n')))
      .findings()
      .phases.map(({ id, model, status }) => `${model === 'draft' ? 'draft ' : ''}${id} ${status}`);
  const drafted = args.replace('speculative_algorithm=None', "speculative_algorithm='EAGLE3'");
  const both = (text: string): string[] => [0, 1].map((rank) => `[2026-08-22 23:29:22 TP${rank}] ${text}`);

  it('keep the order of SGLang 0.5.14, where the draft’s weights come before the caches', () => {
    expect(
      state(
        drafted,
        ...both('Init torch distributed begin.'),
        ...both('Init torch distributed ends. elapsed=1.00 s, mem usage=0.60 GB'),
        ...both('Load weight begin. avail mem=94.43 GB'),
        ...both(
          'Load weight end. elapsed=9.00 s, type=DemoForCausalLM, avail mem=22.10 GB, mem usage=93.16 GB.',
        ),
        ...both('Load weight begin. avail mem=22.10 GB'),
      ).slice(0, 6),
    ).toEqual([
      'args done',
      'distributed done',
      'weights done',
      'kv-cache pending',
      'graphs pending',
      'draft weights active',
    ]);
    const later = state(
      drafted,
      ...both('Load weight begin. avail mem=94.43 GB'),
      ...both(
        'Load weight end. elapsed=9.00 s, type=DemoForCausalLM, avail mem=22.10 GB, mem usage=93.16 GB.',
      ),
      ...both('Load weight begin. avail mem=22.10 GB'),
      ...both(
        'Load weight end. elapsed=1.00 s, type=LlamaForCausalLMEagle3, avail mem=21.10 GB, mem usage=1.00 GB.',
      ),
      ...both('Memory pool end. avail mem=13.28 GB'),
      ...both('Memory pool end. avail mem=12.49 GB'),
      ...both(
        'Capture target prefill CUDA graph begin. backend=breakable, num_tokens=[4, 8], avail mem=12.49 GB',
      ),
      ...both(
        'Capture target prefill CUDA graph end. elapsed=3.00 s, mem usage=1.00 GB, avail mem=11.49 GB.',
      ),
      ...both(
        'Capture target verify CUDA graph begin. backend=full, num_tokens_per_req=4, bs=[1, 2], avail mem=11.49 GB',
      ),
    );
    expect(later.filter((phase) => !/pending/.test(phase))).toEqual([
      'args done',
      'weights done',
      'draft weights done',
      'kv-cache done',
      'draft kv-cache done',
      'graphs active',
    ]);
  });

  it('expect a draft only where the arguments ask for one, and no graphs where they are switched off', () => {
    expect(state(args).join()).not.toContain('draft');
    expect(state(drafted).filter((phase) => phase.startsWith('draft'))).toEqual([
      'draft weights pending',
      'draft kv-cache pending',
      'draft graphs pending',
    ]);
    expect(state(args.replace('tp_size=2', 'tp_size=2, disable_cuda_graph=True')).join()).not.toContain(
      'graphs',
    );
  });

  it('do not take a second run of weights for a draft’s where there is none', () => {
    const twice = [
      'Load weight begin. avail mem=94.43 GB',
      'Load weight end. type=DemoForCausalLM, dtype=x, avail mem=14.34 GB',
      'Load weight begin. avail mem=94.43 GB',
    ];
    expect(state(args, ...twice.flatMap(both)).join()).not.toContain('draft');
  });
});

describe('hang', () => {
  it('is the third broadcast warning in a row of vLLM, forgotten when a phase begins', () => {
    const warn =
      'INFO 11-29 12:00:00 [shm_broadcast.py:466] No available shared memory broadcast block found in 60 seconds.';
    const start = 'INFO 06-18 18:43:50 [api_server.py:1034] vLLM API server version 0.11.0';
    const hang = (...lines: string[]) =>
      readAll(linesOf(lines.join('\n'))).findings().hang?.lineNumber ?? null;
    expect(hang(start, warn, warn)).toBeNull();
    expect(hang(start, warn, warn, warn)).toBe(4);
    expect(
      hang(
        start,
        warn,
        warn,
        warn,
        'INFO 06-18 18:44:07 [gpu_model_runner.py:1258] Starting to load model demo...',
      ),
    ).toBeNull();
  });
});

describe('what is no crash', () => {
  const up = (text: string): string => `ERROR 05-01 01:52:15 [demo_tool_parser.py:110] ${text}`;

  it('a traceback that a front end logged and outlived', () => {
    const report = judge(
      'INFO 05-01 01:50:02 [api_server.py:1043] vLLM API server version 0.8.5',
      up('Error in extracting tool call from response.'),
      ...traceback('json.decoder.JSONDecodeError: Unterminated string').map(up),
    );
    expect(report).toMatchObject({ engine: 'vllm', outcome: 'loading', rootCause: null });
  });

  it('a request that failed', () => {
    const report = judge(
      args,
      'ERROR:    Exception in ASGI application',
      ...traceback('ValueError: bad request'),
    );
    expect(report).toMatchObject({ outcome: 'loading', rootCause: null });
  });

  it('a request that failed, when the server is killed without a word while it serves others', () => {
    const decode =
      '[2026-02-22 23:32:04 TP0] Decode batch. #running-req: 1, #token: 33, token usage: 0.00, gen throughput (token/s): 12.1, #queue-req: 0';
    const failed = ['[2026-02-22 23:31:44] Error in request 12', ...traceback('ValueError: bad request')];
    const causeOfDeath = (...lines: string[]) =>
      readAll(linesOf([args, ...serving, uvicorn, firedUp, ...lines].join('\n'))).report({
        outcome: 'crashed',
      }).rootCause;
    expect(causeOfDeath(...failed, decode)).toBeNull();
    expect(causeOfDeath(decode, ...failed)).toMatchObject({ exception: 'ValueError' });
    const died = [
      decode,
      '[2026-02-22 23:33:00 TP0] Scheduler hit an exception: Traceback (most recent call last):',
      ...traceback('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB.').slice(1),
    ];
    expect(causeOfDeath(...failed, ...died)).toMatchObject({ exception: 'torch.OutOfMemoryError' });
  });

  it('unless the same words come back as the reason of the end', () => {
    const words = 'call of operator copy failed with error code 161002';
    const report = judge(
      args,
      ...serving,
      uvicorn,
      `[2026-02-22 23:31:03] Error in request: ${words}`,
      ...traceback(`RuntimeError: ${words}`),
      '[2026-02-22 23:31:04] Initialization failed. warmup error: Traceback (most recent call last):',
      ...traceback(`AssertionError: {"message":"Internal server error: ${words}"}`).slice(1),
    );
    expect(report).toMatchObject({ outcome: 'crashed', rootCause: { line: `RuntimeError: ${words}` } });
  });
});

describe('beside the cause', () => {
  it('neither its own line nor what other ranks print for it is a suspicion', () => {
    const report = judge(
      args,
      '[2026-02-22 23:30:00 TP1] Scheduler hit an exception: Traceback (most recent call last):',
      ...traceback('torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB.').slice(1),
      '',
      '[E222 23:30:01.1 pair.cc:534] RuntimeError: Connection closed by peer [10.20.0.14]:45492',
    );
    expect(report.rootCause).toMatchObject({ category: expect.stringMatching(/^oom/), rank: 'TP1' });
    expect(report.suspicions).toEqual([]);
    expect(report.consequences.some(({ line }) => line.includes('Connection closed by peer'))).toBe(true);
  });
});
