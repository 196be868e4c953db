import { describe, expect, it } from 'vitest';
import { noon, Story } from '../core/fold.js';
import { type OpenedFixture, openStory } from './open-fixture.js';

let opened: OpenedFixture | null = null;

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

/** The screen with the pane that is meant, after these keys. */
async function shown(
  story: Story,
  columns: number,
  rows: number,
  ...keys: readonly string[]
): Promise<readonly string[]> {
  story.key({ kind: 'filter-clear' });
  opened = openStory(story, [columns, rows]);
  await opened.terminal.waitFor(isThere);
  return pressed(...keys);
}

const isThere = (screen: readonly string[]): boolean => screen.some((row) => /─.Log /.test(row));

async function pressed(...keys: readonly string[]): Promise<readonly string[]> {
  await opened?.terminal.press(...keys);
  return opened?.terminal.waitFor(isThere) ?? [];
}

describe('a log of eight ranks', () => {
  it.each([
    [200, 50],
    [120, 40],
    [100, 30],
    [80, 24],
    [40, 12],
  ] as const)('folded at %ix%i', async (columns, rows) => {
    const screen = await shown(launch(), columns, rows);
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot(`golden/folded-${columns}x${rows}.txt`);
  });

  it('opens the group that is chosen, where another is lower', async () => {
    const ranksOf = (screen: readonly string[]): number =>
      screen.filter((row) => row.includes('Load weight begin')).length;
    const chosen = await shown(launch(), 100, 30, '[', '[');
    expect(chosen.find((row) => row.includes('▸['))).toContain('Load weight begin');
    expect(ranksOf(chosen)).toBe(1);
    const open = await pressed('\r');
    expect(ranksOf(open)).toBe(8);
    expect(ranksOf(await pressed('\r'))).toBe(1);
    // Down again, and not beyond the lowest.
    const traceback = await pressed(']', ']', ']', '\r');
    expect(traceback.join('\n')).toContain('scheduler = Scheduler(server_args, port_args)');
  });

  it.each([
    ['opened', ['\r']],
    ['marked', ['k', 'k', 'M', 'i']],
    ['searched', ['/', 'begin !weight @TP3 @TP5', '\r']],
    ['invalid', ['/', 'weight', '(']],
    ['errors', ['e']],
    ['wrapped', ['w', 'g']],
  ] as const)('%s at 100x30', async (name, keys) => {
    const screen = await shown(launch(), 100, 30, ...keys);
    await expect(`${screen.join('\n')}\n`).toMatchFileSnapshot(`golden/log-${name}-100x30.txt`);
  });
});
