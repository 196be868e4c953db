import { describe, expect, it } from 'vitest';
import { judgeTrace } from '../../src/judge/judge-trace.js';
import { readTrace } from '../../src/judge/trace.js';
import { dice } from '../traces/maker.js';

/** What a sampler sends of processes that tremble: a little of everything, with nothing done. */
function noisySample(t: number, roll: () => number, cpu: readonly number[], totals: number[]) {
  const processes = [4700, 4711, 4712, 4713].map((pid, index) => {
    totals[index] = (totals[index] ?? 0) + 1000 * (cpu[index] ?? 0) * (0.9 + 0.2 * roll());
    return {
      pid,
      parent: pid === 4700 ? 1 : 4700,
      name: pid === 4700 ? 'python' : 'VLLM::Worker_TP',
      cpuMs: totals[index],
      rssMiB: 9000 + 2 * roll(),
      readBytes: 1e9,
      readChars: 1e9 + 4000 * t + 1000 * roll(),
    };
  });
  return { t, type: 'host-sample', sample: { uptimeMs: 1e6 + t * 1000, processes } };
}

function gpus(t: number, roll: () => number, spinning: readonly boolean[]) {
  const cards = spinning.map((spins, index) => ({
    index,
    memUsedMiB: 61_000 + Math.round(2 * roll()),
    utilPercent: spins ? 96 + Math.floor(5 * roll()) : Math.floor(4 * roll()),
    powerW: (spins ? 150 : 85) + 20 * roll(),
    powerLimitW: 700,
  }));
  return { t, type: 'gpus', reading: { status: 'ok', gpus: cards } };
}

const lines = [
  "(APIServer pid=4700) INFO 03-01 12:00:00 [utils.py:233] non-default args: {'model': '/m', 'tensor_parallel_size': 3}",
  '(Worker_TP0 pid=4711) INFO 03-01 12:00:01 [gpu_model_runner.py:2] Starting to load model /m...',
  '(Worker_TP0 pid=4711) INFO 03-01 12:00:09 [gpu_model_runner.py:2] Model loading took 60.4 GiB and 20.8 seconds',
  'INFO 03-01 12:00:10 [gpu_model_runner.py:2] Capturing the model for CUDA graphs. This may lead to',
];

function judge(cpu: readonly number[], spinning: readonly boolean[], state: string, seconds: number) {
  const roll = dice(7);
  const totals: number[] = [];
  const all: object[] = [
    {
      schema: 1,
      title: 'noise',
      engine: 'vllm',
      truth: [
        { from: 10, state },
        { from: 0, state: 'loading' },
      ],
    },
    { t: 10, type: 'log', lines },
  ];
  for (let t = 0; t < seconds; t += 1) {
    all.push(noisySample(t, roll, cpu, totals));
    if (t % 2 === 0) all.push(gpus(t, roll, spinning));
  }
  return judgeTrace(readTrace(all.map((each) => JSON.stringify(each)).join('\n'), 'noise')).findings;
}

describe('samples that tremble', () => {
  it('do not hide that two ranks spin for a third, whoever else waits in a loop (no GPU tells its process)', () => {
    expect(judge([1, 1.1, 1.2, 0.02], [true, true, false], 'stalled', 1500)).toEqual([]);
  });

  it('do not hide that nothing happens at all', () => {
    expect(judge([0.05, 0.1, 0.1, 0.1], [false, false, false], 'stalled', 1500)).toEqual([]);
  });

  it('do not make a hang of a rank that works while two wait for it', () => {
    expect(judge([1, 1.1, 1.2, 1], [true, true, false], 'slow', 2400)).toEqual([]);
  });
});
