import { describe, expect, it } from 'vitest';
import { judge, traceback } from '../support/judge-lines.js';

const start = [
  'INFO 05-12 09:20:00 [llm.py:300] Initializing a V1 LLM engine (v0.19.0) with config: model="/models/demo"',
  'INFO 05-12 09:21:00 [gpu_model_runner.py:6305] Graph capturing finished in 15 secs, took 0.95 GiB',
];
const bar = (percent: number): string =>
  `Processed prompts: ${String(percent).padStart(3)}%|███| ${percent}/100 [01:19<00:00,  1.26it/s, est. speed input: 1.00 toks/s]`;
const leaked =
  '/usr/lib/python3.12/multiprocessing/resource_tracker.py:279: UserWarning: resource_tracker: There appear to be 2 leaked shared_memory objects to clean up at shutdown';
const notDestroyed =
  '[rank0]:[W718 05:11:50.820707904 ProcessGroupNCCL.cpp:1250] Warning: WARNING: destroy_process_group() was not called before program exit';

describe('the stderr of a batch job', () => {
  const begun = [
    '[Gloo] Rank 0 is connected to 0 peer ranks. Expected number of connected peer ranks is : 0',
    'Loading safetensors checkpoint shards: 100% Completed | 2/2 [00:01<00:00,  1.20it/s]',
    'Capturing CUDA graphs (decode, FULL): 100%|██████████| 35/35 [00:02<00:00, 17.39it/s]',
  ];
  const done = ['Rendering prompts: 100%|██████████| 100/100 [00:01<00:00, 68.72it/s]', bar(100)];

  it('is no crash where its work was done, whatever it has left in shared memory', () => {
    expect(judge(...begun, ...done, leaked)).toMatchObject({ outcome: 'stopped', rootCause: null });
    expect(judge(...begun, `${bar(0)}${bar(60)}${bar(100)}`, leaked).outcome).toBe('stopped');
    expect(judge(...begun, `${bar(0)}\r${bar(60)}\r${bar(100)}`, leaked).outcome).toBe('stopped');
  });

  it('is one where the work was under way, or had not begun', () => {
    expect(judge(...begun, ...done, bar(40), leaked).outcome).toBe('crashed');
    expect(judge(...begun, leaked).outcome).toBe('crashed');
  });

  it('is one where an exception ended it', () => {
    expect(judge(...begun, ...done, ...traceback('KeyError: 7'), leaked)).toMatchObject({
      outcome: 'crashed',
      rootCause: { exception: 'KeyError' },
    });
  });
});

describe('a job whose engine went with the program', () => {
  it('was stopped', () => {
    expect(judge(...start, bar(100), notDestroyed, 'saved 100 answers')).toMatchObject({
      outcome: 'stopped',
      rootCause: null,
    });
    // An embedding draws no bar.
    expect(judge(...start, notDestroyed).outcome).toBe('stopped');
    const nvidia = [
      '[TensorRT-LLM] TensorRT-LLM version: 1.2.0',
      'Processed requests: 100%|██████████| 8/8 [00:02<00:00]',
    ];
    expect(judge(...nvidia, notDestroyed)).toMatchObject({ engine: 'trtllm', outcome: 'stopped' });
  });

  it('goes on where it starts another one', () => {
    const another =
      'INFO 05-12 09:40:00 [llm.py:300] Initializing a V1 LLM engine (v0.19.0) with config: model="/m"';
    expect(judge(...start, bar(100), notDestroyed, another).outcome).toBe('loading');
  });

  it('crashed where a worker had thrown, and nothing of the work is known to have gone well', () => {
    const thrown = traceback('RuntimeError: NCCL error: unhandled system error').map(
      (line) => `(RayWorkerWrapper pid=182) ERROR 05-12 09:21:00 [worker_base.py:581] ${line}`,
    );
    const goes = 'INFO 05-12 09:21:01 [__init__.py:207] Automatically detected platform cuda.';
    expect(judge(...start, ...thrown, goes, notDestroyed)).toMatchObject({
      outcome: 'crashed',
      rootCause: { exception: 'RuntimeError' },
    });
    expect(judge(...start, ...thrown, goes, bar(100), notDestroyed).outcome).toBe('stopped');
  });

  it('crashed where an exception came out of it', () => {
    for (const log of [
      [...start, ...traceback('KeyError: 7'), notDestroyed],
      [...start, bar(100), notDestroyed, ...traceback('KeyError: 7')],
    ])
      expect(judge(...log)).toMatchObject({ outcome: 'crashed', rootCause: { exception: 'KeyError' } });
  });

  it('crashed where rich drew its traceback into a narrow box', () => {
    const box = [
      '╭───── Traceback (most recent call last) ─────╮',
      '│ /srv/demo/with/a/long/path/run_all_of_it    │',
      '│ .py:290 in run                              │',
      '│                                             │',
      '│ ❱ 290 │   seconds = time.perf_counter() - t │',
      '╰─────────────────────────────────────────────╯',
      "UnboundLocalError: local variable 't'",
      'referenced before assignment',
    ].map((line) => `[rank0]: ${line}`);
    expect(judge(...start, bar(100), ...box, notDestroyed)).toMatchObject({
      outcome: 'crashed',
      rootCause: { exception: 'UnboundLocalError' },
    });
  });
});
