import { describe, expect, it } from 'vitest';
import { createReading } from '../../src/triage/reading.js';

/** Of each line the rank that it is of, as `@RANK` of the filter takes it; `-` for nobody's. */
function whose(lines: readonly string[]): readonly string[] {
  const reading = createReading({ engine: 'sglang' });
  return lines.map((text, index) => reading.read({ number: index + 1, text }, null).whose ?? '-');
}

const stamped = (rank: string, text: string): string => `[2026-03-01 12:00:00 ${rank}] ${text}`;

const header = (rank: string): string =>
  stamped(rank, 'Scheduler hit an exception: Traceback (most recent call last):');

const frames = [
  '  File "/opt/sglang/srt/managers/scheduler.py", line 311, in run',
  '    scheduler = Scheduler(server_args)',
  '                ^^^^^^^^^^^^^^^^^^^^^^',
];

const thrown = "KeyError: 'model.layers.0.weight'";

describe('whose the lines of a traceback are', () => {
  it('that of the rank whose line began it, down to its exception', () => {
    const lines = [stamped('TP0', 'Load weight begin.'), header('TP3'), ...frames, thrown, ''];
    expect(whose(lines)).toEqual(['TP0', ...Array(5).fill('TP3'), '-']);
  });

  it('also of what it led to, and of the message that goes on', () => {
    const lines = [
      header('TP3'),
      ...frames,
      thrown,
      '',
      'During handling of the above exception, another exception occurred:',
      '',
      'Traceback (most recent call last):',
      ...frames,
      'RuntimeError: CUDA error: an illegal memory access was encountered',
      'CUDA kernel errors might be asynchronously reported at some other API call.',
      'For debugging consider passing CUDA_LAUNCH_BLOCKING=1',
      '',
      'nobody knows who says this',
    ];
    expect(whose(lines)).toEqual([
      ...Array(5).fill('TP3'),
      '-',
      'TP3',
      '-',
      ...Array(7).fill('TP3'),
      '-',
      '-',
    ]);
  });

  it('that of none behind it: a message does not go on with the lines of others', () => {
    for (const line of [
      'INFO:     Shutting down',
      'Loading checkpoint shards:  50%|█████     | 4/8 [00:02<00:02,  1.9it/s]',
      '/usr/lib/python3.12/multiprocessing/resource_tracker.py:254: UserWarning: leaked semaphores',
      'gpu-17:4711:4812 [3] NCCL INFO Channel 00 : 3[3] -> 4[4] via P2P',
      'Process Process-2:',
      'Killed',
      '[2026-03-01 12:00:00] SIGQUIT received.',
    ]) {
      expect([line, ...whose([header('TP3'), ...frames, thrown, line]).slice(-2)]).toEqual([
        line,
        'TP3',
        '-',
      ]);
    }
  });

  it('goes on behind a plain line of another rank, but not with lines that may be of either', () => {
    const lines = [
      header('TP3'),
      ...frames,
      stamped('TP1', 'Load weight end.'),
      'what may be of TP1',
      '    and this',
      frames[0] ?? '',
      thrown,
    ];
    expect(whose(lines)).toEqual([...Array(4).fill('TP3'), 'TP1', '-', '-', 'TP3', 'TP3']);
  });

  it('is of nobody while those of several ranks are under way', () => {
    const mixed = [header('TP0'), header('TP1'), ...frames, ...frames, thrown, ...frames, thrown];
    const after = [header('TP2'), ...frames, thrown];
    expect(whose([...mixed, ...after])).toEqual([
      'TP0',
      'TP1',
      ...Array(11).fill('-'),
      ...Array(5).fill('TP2'),
    ]);
    // A rank that goes on has done with its traceback.
    const goneOn = [header('TP0'), header('TP1'), ...frames, thrown, stamped('TP0', 'Decode batch.')];
    expect(whose([...goneOn, ...after]).slice(-5)).toEqual(Array(5).fill('TP2'));
  });

  it('is not that of a rank for a traceback that nobody put a name to', () => {
    const lines = [
      header('TP3'),
      ...frames,
      thrown,
      'Process Process-2:',
      'Traceback (most recent call last):',
    ];
    expect(whose([...lines, ...frames, thrown]).slice(5)).toEqual(Array(6).fill('-'));
  });
});
