import { describe, expect, it } from 'vitest';
import { foldAt, standsForItself } from '../../src/core/fold-view.js';
import { LogRing } from '../../src/core/log-ring.js';
import { createReading } from '../../src/triage/reading.js';

/** The rows that are left of `lines`, with what they stand for: `text ×copies /lines`. */
function rows(lines: readonly string[], bottom?: number): readonly string[] {
  const ring = new LogRing(20_000);
  const reading = createReading();
  lines.forEach((text, index) => {
    const { rank, level, milestone } = reading.read({ number: index + 1, text }, null);
    ring.push({ number: index + 1, text, rank, level, milestone });
  });
  const last = bottom ?? ring.end - 1;
  const shown: string[] = [];
  for (let seq = 0; seq <= last; seq += 1) {
    if (!standsForItself(ring, seq, last)) continue;
    const fold = foldAt(ring, seq, last);
    shown.push((ring.get(seq)?.text ?? '') + (fold === null ? '' : ` ×${fold.copies} /${fold.lines}`));
  }
  return shown;
}

const ranks = (count: number): readonly number[] => Array.from({ length: count }, (_, rank) => rank);

describe('copies of a line', () => {
  it('are one row for eight ranks, where the first of them came, in the words of every engine', () => {
    const forms: readonly ((rank: number) => string)[] = [
      (rank) => `[2026-01-14 09:12:4${rank % 3} TP${rank}] Load weight begin. avail mem=139.2 GB`,
      (rank) => `[2026-01-14 09:12:40 DP${rank >> 1} TP${rank & 1}] Init torch distributed begin.`,
      (rank) =>
        `(Worker_TP${rank} pid=${41_000 + rank}) INFO 01-14 09:12:40 [gpu_model_runner.py:12] Starting`,
      (rank) => `(RayWorkerWrapper pid=${rank}, ip=10.0.0.${rank}) INFO 01-14 09:12:40 model.py:3] Loading`,
      (rank) => `[rank${rank}]: RuntimeError: NCCL error`,
      (rank) => `[rank${rank}]:[W114 09:12:40.${rank}12345 ProcessGroupNCCL.cpp:4115] using device`,
      (rank) => `[1,${rank}]<stderr>: cannot open shared object`,
      (rank) => `[01/14/2026-09:12:40] [TRT-LLM] [RANK ${rank}] [I] engine loaded`,
      (rank) => `worker-${rank}  | 2026-01-14T09:12:40.${rank}Z ready to serve`,
    ];
    for (const form of forms) {
      expect(rows(ranks(8).map(form))).toEqual([`${form(0)} ×8 /8`]);
    }
  });

  it('are found when they come mixed with others', () => {
    const lines = ranks(8).flatMap((rank) => [
      `[2026-01-14 09:12:40 TP${rank}] first`,
      `[2026-01-14 09:12:40 TP${rank}] rank ${rank} has its own`,
      `[2026-01-14 09:12:41 TP${(rank * 3) % 8}] second`,
    ]);
    const shown = rows(lines);
    expect(shown).toHaveLength(10);
    expect(shown).toContain('[2026-01-14 09:12:40 TP0] first ×8 /8');
    expect(shown).toContain('[2026-01-14 09:12:41 TP0] second ×8 /8');
  });

  it('are not: other words, other brackets, the same rank again, another minute, braces', () => {
    const apart = [
      ['[2026-01-14 09:12:40 TP0] shard 1 of 8', '[2026-01-14 09:12:40 TP1] shard 2 of 8'],
      ['[2026-01-14 09:12:40 TP0] [layer 3] done', '[2026-01-14 09:12:40 TP1] [layer 4] done'],
      ['[2026-01-14 09:12:40 TP0] again', '[2026-01-14 09:12:40 TP0] again'],
      ['[2026-01-14 09:12:40 TP0] later', '[2026-01-14 09:13:40 TP1] later'],
      [
        '[2026-01-14 09:12:40] No block was found in 60 seconds',
        '[2026-01-14 09:13:40] No block was found in 60 seconds',
      ],
      ['  }', '  }'],
      ['+------------------------+', '+------------------------+'],
      ['alpha   | the very same sentence here', 'beta    | the very same sentence here'],
      ['', ''],
    ];
    for (const lines of apart) expect(rows(lines)).toEqual(lines);
  });

  it('count processes without a rank as well, when they say a whole sentence at once', () => {
    const warning = '/usr/lib/python3/site-packages/torch/cuda.py:61: FutureWarning: pynvml is deprecated';
    expect(rows([warning, warning, 'something else', warning])).toEqual([
      `${warning} ×3 /3`,
      'something else',
    ]);
  });
});

const shard = (done: number, total = 8): string =>
  `Loading safetensors checkpoint shards: ${Math.round((100 * done) / total)}% Completed | ${done}/${total} [00:0${done}<00:08,  1.0it/s]`;

describe('a progress bar that ends each frame with a line end', () => {
  it('is one row that shows the newest frame', () => {
    expect(rows(ranks(9).map((done) => shard(done)))).toEqual([`${shard(8)} ×1 /9`]);
  });

  it('lives on between other lines, and its values may change', () => {
    const bar = (done: number): string =>
      `Capturing batches (bs=${160 - done} avail_mem=${9 - done}.53 GB):  ${done * 10}%|█▍  | ${done}/10 [00:01<00:09, 1.2it/s]`;
    const lines = ranks(6).flatMap((done) => [bar(done), `line ${done}`]);
    expect(rows(lines)).toEqual([
      'line 0',
      'line 1',
      'line 2',
      'line 3',
      'line 4',
      `${bar(5)} ×1 /6`,
      'line 5',
    ]);
  });

  it('is another bar when it begins again, or belongs to another rank or total', () => {
    expect(rows([shard(0), shard(8), shard(0), shard(4)])).toEqual([
      `${shard(8)} ×1 /2`,
      `${shard(4)} ×1 /2`,
    ]);
    expect(rows([shard(1), shard(2, 5)])).toHaveLength(2);
    const of = (rank: number, done: number): string => `(Worker_TP${rank} pid=1) ${shard(done)}`;
    expect(rows([of(0, 1), of(1, 1), of(0, 2), of(1, 2)])).toEqual([
      `${of(0, 2)} ×1 /2`,
      `${of(1, 2)} ×1 /2`,
    ]);
  });

  it('stays what it was in a log that is held above its newest frame', () => {
    const lines = [shard(1), 'a', shard(2), 'b', shard(3)];
    expect(rows(lines, 3)).toEqual(['a', `${shard(2)} ×1 /2`, 'b']);
    expect(rows(lines, 1)).toEqual([shard(1), 'a']);
  });

  it('hides no line that goes on behind it', () => {
    const behind = `${shard(8)}[2026-01-14 09:12:40 TP0] Load weight end.`;
    expect(rows([shard(7), behind])).toEqual([shard(7), behind]);
  });
});

const trace = (prefix: string, first = prefix): readonly string[] => [
  `${first}Traceback (most recent call last):`,
  `${prefix}  File "/opt/srt/scheduler.py", line 227, in __init__`,
  `${prefix}    self.model = load(cfg)`,
  `${prefix}                 ^^^^^^^^^`,
  `${prefix}  File "/opt/srt/models/a.py", line 3, in load`,
  `${prefix}    raise KeyError(name)`,
];

describe('a traceback', () => {
  const error = "KeyError: 'mlp.gate.weight'";

  it('is its exception alone', () => {
    expect(rows(['before', ...trace(''), error, 'after it'])).toEqual([
      'before',
      `${error} ×1 /7`,
      'after it',
    ]);
    const prefix = '(EngineCore_0 pid=12) ERROR 01-14 09:12:40 [core.py:708] ';
    expect(rows([...trace(prefix), `${prefix}${error}`])).toEqual([`${prefix}${error} ×1 /7`]);
  });

  it('is found below a prefix that only its first line has, and lets lines of others be seen', () => {
    const [first = '', ...rest] = trace('', '[2026-01-14 09:12:40 TP3] Scheduler hit an exception: ');
    const other = '[2026-01-14 09:12:40 TP0] something else';
    expect(rows([first, rest[0] ?? '', other, ...rest.slice(1), error])).toEqual([other, `${error} ×1 /7`]);
  });

  it('is one row for the ranks that all died of the same', () => {
    const of = (rank: number): readonly string[] => {
      const prefix = `(Worker_TP${rank} pid=${rank}) ERROR 01-14 09:12:40 [core.py:708] `;
      return [...trace(prefix), `${prefix}${error}`];
    };
    const mixed = Array.from({ length: 7 }, (_, line) => ranks(8).map((rank) => of(rank)[line] ?? '')).flat();
    expect(rows(ranks(8).flatMap(of))).toEqual([`${of(7).at(-1)} ×8 /56`]);
    expect(rows(mixed)).toEqual([`${of(7).at(-1)} ×8 /56`]);
  });

  it('keeps each exception of a chain', () => {
    const chain = 'During handling of the above exception, another exception occurred:';
    expect(rows([...trace(''), error, '', chain, '', ...trace(''), 'RuntimeError: no weights'])).toEqual([
      `${error} ×1 /8`,
      chain,
      '',
      'RuntimeError: no weights ×1 /7',
    ]);
  });

  it('stays open to see until its exception has come', () => {
    expect(rows([...trace('')])).toEqual(trace(''));
    expect(
      rows([...trace(''), ...Array.from({ length: 60 }, (_, n) => `Words of others ${n}`), error]),
    ).toHaveLength(67);
  });
});
