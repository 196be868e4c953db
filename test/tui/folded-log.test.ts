import { afterEach, describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intents.js';
import { selectScreen } from '../../src/core/select/screen.js';
import type { ScreenModel } from '../../src/core/view-models.js';
import { noon, Story } from '../core/fold.js';
import { type OpenedFixture, openFixture } from './open-fixture.js';

let opened: OpenedFixture | null = null;

afterEach(async () => {
  opened?.handle.close();
  await opened?.handle.closed;
  opened = null;
});

const second = (offset: number): string =>
  new Date(noon + offset * 1000).toISOString().replace('T', ' ').slice(0, 19);

const ranks = Array.from({ length: 8 }, (_, rank) => rank);

const bar = (done: number): string =>
  `Loading safetensors checkpoint shards: ${String(done * 10).padStart(3)}% Completed | ${done}/10 [00:0${done}<00:09,  1.0it/s]`;

const said = (at: number, text: string): readonly string[] =>
  ranks.map((rank) => `[${second(at)} TP${rank}] ${text}`);

const died = (rank: number): readonly string[] => [
  `[${second(9)} TP${rank}] Scheduler hit an exception: Traceback (most recent call last):`,
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2261, in run_scheduler_process',
  '    scheduler = Scheduler(server_args, port_args)',
  '  File "/opt/sglang/srt/models/qwen3.py", line 512, in load_weights',
  '    weight_loader(param, loaded_weight)',
  "KeyError: 'model.layers.0.mlp.experts.gate_宽_proj.weight'",
  '',
];

/** A launch as its eight ranks tell it. */
const launch = (): Story =>
  new Story()
    .emptyLog()
    .write(
      `[${second(0)}] server_args=ServerArgs(model_path='/models/demo', tp_size=8, port=30000)`,
      ...said(1, 'Init torch distributed begin.'),
      ...said(2, 'Load weight begin. avail mem=138.58 GB'),
      ...Array.from({ length: 8 }, (_, done) => bar(done)),
      `[${second(8)} TP3] rank 3 alone: 🚀 emoji, \ttabs and \u001B[31mcolours`,
      bar(8),
      ...ranks.flatMap(died),
      `[${second(9)}] Received sigquit from a child process. It usually means the child failed.`,
    );

const press = (story: Story, ...intents: readonly Intent[]): ScreenModel => {
  for (const intent of [{ kind: 'filter-clear' }, ...intents] as const) story.key(intent);
  return selectScreen(story.state);
};

/** The screen with the pane that is meant. */
async function shown(model: ScreenModel, columns: number, rows: number): Promise<readonly string[]> {
  opened = openFixture(model, [columns, rows]);
  return opened.terminal.waitFor((screen) => screen.some((row) => /─.Log /.test(row)));
}

describe('a log of eight ranks', () => {
  it.each([
    [200, 50],
    [120, 40],
    [100, 30],
    [80, 24],
    [40, 12],
  ] as const)('folded at %ix%i', async (columns, rows) => {
    const screen = await shown(press(launch()), columns, rows);
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot(`golden/folded-${columns}x${rows}.txt`);
  });

  it.each([
    ['opened', [{ kind: 'open', rows: 12 }]],
    [
      'marked',
      [{ kind: 'scroll', lines: -2, rows: 12 }, { kind: 'mark' }, { kind: 'toggle', what: 'stamps' }],
    ],
    ['searched', [{ kind: 'filter-text', text: 'begin !weight @TP3 @TP5' }]],
    [
      'invalid',
      [
        { kind: 'edit-filter' },
        { kind: 'filter-text', text: 'weight' },
        { kind: 'filter-text', text: 'weight(' },
      ],
    ],
    ['errors', [{ kind: 'toggle', what: 'errors-only' }]],
    [
      'wrapped',
      [
        { kind: 'toggle', what: 'wrap' },
        { kind: 'scroll-to', end: 'top', rows: 12 },
      ],
    ],
  ] as const)('%s at 100x30', async (name, intents) => {
    const screen = await shown(press(launch(), ...intents), 100, 30);
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot(`golden/log-${name}-100x30.txt`);
  });
});
