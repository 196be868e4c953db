import { describe, expect, it } from 'vitest';
import { judge, traceback } from '../support/judge-lines.js';

const api = 'INFO 08-16 12:00:00 [api_server.py:1] vLLM API server version 0.19.0';
const args = "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1)";
const core = (...lines: readonly string[]): string[] =>
  lines.map((line) => `(EngineCore pid=9) ERROR 08-16 12:00:30 [core.py:700] ${line}`);
const failed = core('EngineCore failed to start.');

describe('an exception', () => {
  it.each([
    ['torch.AcceleratorError: CUDA error: out of memory', 'oom'],
    ['RuntimeError: CUDA driver error: out of memory', 'oom'],
    [
      'RuntimeError: SetDevice:x.cpp:223 NPU function error: aclrtSetDevice(device_id_), error code is 207001',
      'oom',
    ],
    ["RuntimeError: can't start new thread", 'too-many-threads'],
    ['RuntimeError: Resource temporarily unavailable', 'too-many-threads'],
    ['OSError: Consistency check failed: file should be of size 10 but has size 12', 'corrupt-model-file'],
    [
      'RuntimeError: level_zero backend failed with error: 20 (UR_RESULT_ERROR_DEVICE_LOST)',
      'gpu-launch-failure',
    ],
    ['RuntimeError: CUDA driver initialization failed, you might not have a CUDA gpu.', 'no-gpu'],
    ['RuntimeError: cuDNN version incompatibility: compiled against (9, 10, 2)', 'missing-shared-library'],
    ['RuntimeError: NIXL is not available', 'missing-python-dependency'],
    ['RuntimeError: DeepEP error: timeout (dispatch CPU)', 'expert-parallel-timeout'],
  ])('%s', (line, category) => {
    expect(judge(api, ...failed, ...core(...traceback(line)))).toMatchObject({
      outcome: 'crashed',
      rootCause: { category, message: expect.anything() },
    });
  });

  it.each([
    ['a socket that is not ready yet', 'zmq.error.Again: Resource temporarily unavailable', 'unknown'],
    ['a library’s word of its own', 'RuntimeError: out of memory of ideas', 'unknown'],
  ])('of %s is none of these', (_, line, category) => {
    expect(judge(api, ...failed, ...core(...traceback(line))).rootCause?.category).toBe(category);
  });

  it('of a tokenizer file that is too new is told by the library’s word, not by the advice behind it', () => {
    const report = judge(
      api,
      ...traceback(
        'Exception: data did not match any variant of untagged enum ModelWrapper at line 1 column 3',
      ),
      '',
      'The above exception was the direct cause of the following exception:',
      '',
      ...traceback("ValueError: Couldn't instantiate the backend tokenizer from one of: "),
    );
    expect(report.rootCause).toMatchObject({ exception: 'Exception', category: 'transformers-too-old' });
  });
});

describe('a worker of Ray', () => {
  const raylet =
    '(raylet) A worker died or was killed while executing a task by an unexpected system error. Worker PID: 7788';
  const actor = core(
    ...traceback('ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.'),
  );

  it('that is gone without a word is named as that', () => {
    const report = judge(api, raylet, ...failed, ...actor);
    expect(report).toMatchObject({
      outcome: 'crashed',
      rootCause: { category: 'ray-worker-died' },
    });
  });

  it('is told by its own exception where there is one', () => {
    const own = traceback('ValueError: unsupported head size 72').map(
      (line) => `(RayWorkerWrapper pid=12, ip=10.0.0.2) ERROR 08-16 12:00:29 [worker_base.py:1] ${line}`,
    );
    expect(judge(api, ...own, raylet, ...failed, ...actor).rootCause?.message).toBe(
      'unsupported head size 72',
    );
  });

  it('that was killed for want of memory is told by that', () => {
    const pressure =
      '(raylet, ip=10.0.0.2) [2026-07-10 09:01:10,105 E 50 60] (raylet) node_manager.cc:3193: 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons';
    expect(judge(api, pressure, ...failed, ...actor).rootCause?.category).toBe('host-memory');
    expect(judge(api, pressure).outcome).toBe('loading');
  });

  it('whose C++ threw has died', () => {
    const thrown =
      '(RayWorkerVllm pid=40) [2026-12-07 06:56:42,105 E 40 62] logging.cc:97: Unhandled exception: St13runtime_error. what(): demo';
    expect(judge(api, thrown).outcome).toBe('crashed');
    const logged = '(RayWorkerVllm pid=40) [2026-12-07 06:56:42,105 I 40 62] logging.cc:230: Set log level';
    expect(judge(api, logged).outcome).toBe('loading');
  });
});

describe('a line', () => {
  it('of the linker comes before what ninja says of it', () => {
    const report = judge(
      args,
      '/usr/bin/ld: cannot find -lcudart: No such file or directory',
      'ninja: build stopped: subcommand failed.',
      '[2026-03-01 12:01:41] Scheduler hit an exception: Traceback (most recent call last):',
      ...traceback('RuntimeError: Ninja build failed. Ninja output:').slice(1),
    );
    expect(report.rootCause).toMatchObject({ lineNumber: 2, category: 'jit-toolchain-missing' });
  });

  it('of llama.cpp names the adapter that does not fit', () => {
    const report = judge(
      'main: loading model',
      "common_init_from_params: failed to apply lora adapter '/models/lora.gguf'",
      "srv    load_model: failed to load model, '/models/demo.gguf'",
      'main: exiting due to model loading error',
    );
    expect(report).toMatchObject({
      outcome: 'crashed',
      rootCause: { lineNumber: 2, category: 'model-load' },
    });
  });

  it('of LMDeploy’s engine loop is why its front end exits', () => {
    const said =
      '2026-04-13 09:59:48,000 - lmdeploy - ERROR - rank[0] failed with error: a weight does not have any device set.';
    const report = judge(
      '2026-04-13 09:58:48,000 - lmdeploy - INFO - input backend=pytorch, backend_config=x',
      said,
      ...traceback('SystemExit: 1'),
    );
    expect(report).toMatchObject({
      outcome: 'crashed',
      rootCause: { lineNumber: 2, category: 'engine-loop-failed' },
    });
  });
});
