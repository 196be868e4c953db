import { describe, expect, it } from 'vitest';
import { Story } from '../core/fold.js';
import { type OpenedFixture, openStory } from './open-fixture.js';

let opened: OpenedFixture | null = null;

const trace = [
  'Traceback (most recent call last):',
  '  File "/opt/a.py", line 3, in load',
  '    raise KeyError(name)',
  "KeyError: 'gate.weight'",
];

const story = (): Story =>
  new Story()
    .emptyLog()
    .write(
      ...[0, 1].map((rank) => `[2026-03-01 12:00:00 TP${rank}] begin`),
      ...trace,
      'plain',
      ...Array.from({ length: 30 }, (_, index) => `line ${index + 1} ${'.'.repeat(150)}`),
    );

async function open(told: Story) {
  const fixture = openStory(told.key({ kind: 'toggle', what: 'mouse' }), [100, 30]);
  opened = fixture;
  const { terminal } = fixture;
  const screen = (): Promise<readonly string[]> =>
    terminal.waitFor((rows) => rows.some((row) => row.includes('Log /')));
  await screen();
  const rowOf = async (words: string): Promise<number> => {
    const row = (await screen()).findIndex((text) => text.includes(words));
    if (row < 0) throw new Error(`no ${words} in ${(await screen()).join('\n')}`);
    return row;
  };
  return {
    intents: fixture.intents,
    screen,
    /** The mouse over the row with these words, by SGR. */
    async mouse(button: number, words: string, column = 20): Promise<readonly string[]> {
      await terminal.press(`\u001B[<${button};${column};${(await rowOf(words)) + 1}M`);
      return screen();
    },
    press: (...keys: readonly string[]) => terminal.press(...keys),
  };
}

const [left, up, down] = [0, 64, 65];

describe('the mouse', () => {
  it('opens and closes the group that a row stands for, and points at a line', async () => {
    const pane = await open(story());
    await pane.press('g');
    // Not the one that Enter would open.
    const copies = await pane.mouse(left, '] begin');
    expect(copies.filter((row) => row.includes('] begin'))).toHaveLength(2);
    const opened = await pane.mouse(left, "KeyError: 'gate");
    expect(opened.slice(12, 16).map((row) => row.slice(8, 30).trim())).toEqual(
      trace.map((line) => expect.stringContaining(line.trim().slice(0, 12))),
    );
    expect((await pane.mouse(left, 'raise KeyError')).join('\n')).toMatch(/▸ +raise KeyError/);
    await pane.press('g');
    expect((await pane.mouse(left, '] begin')).filter((row) => row.includes('] begin'))).toHaveLength(1);
    const pointed = await pane.mouse(left, 'plain');
    expect(pointed.join('\n')).toMatch(/▸plain/);
    expect((await pane.mouse(left, 'plain')).join('\n')).not.toMatch(/▸plain/);
  });

  it('points at a line that takes several rows by each of them', async () => {
    const told = story();
    const pane = await open(told);
    await pane.press('w');
    const rows = await pane.screen();
    const first = rows.findLastIndex((row) => row.includes('line 30 '));
    expect(rows[first + 1]).toMatch(/^ +\.+$/);
    await opened?.terminal.press(`\u001B[<0;20;${first + 2}M`);
    expect(told.state.log.ring.get(told.state.view.found ?? -1)?.text).toContain('line 30 ');
    // A click moves nothing, in the middle of a tall line neither.
    await pane.press('k');
    const before = await pane.screen();
    await opened?.terminal.press(`\u001B[<0;20;13M`);
    const lines = (shown: readonly string[]): string => shown.slice(12, 28).join('\n').replaceAll('▸', ' ');
    expect(lines(await pane.screen())).toBe(lines(before));
    await pane.press('y');
    expect(told.effects.at(-1)).toMatchObject({ type: 'copy', what: 'the chosen line' });
  });

  it('turns the wheel in the pane under it, and nowhere else', async () => {
    const pane = await open(story());
    await pane.press('2');
    await pane.mouse(up, 'line 29 ');
    expect(pane.intents.slice(-2)).toMatchObject([{ kind: 'focus', pane: 'log' }, { kind: 'scroll-log' }]);
    const count = pane.intents.length;
    await pane.mouse(up, 'GPUs', 70);
    expect(pane.intents.slice(count)).toEqual([{ kind: 'focus', pane: 'gpus' }]);
    await pane.mouse(down, 'Phases');
    expect(pane.intents.slice(count + 1)).toMatchObject([
      { kind: 'focus', pane: 'phases' },
      { kind: 'scroll-block', block: 'phases' },
    ]);
  });

  it('does nothing to what stands behind an overlay or a question', async () => {
    const told = story().alive(5);
    const pane = await open(told);
    for (const key of ['?', 'K']) {
      await pane.press(key);
      await opened?.terminal.press(`\u001B[<0;20;25M`);
      expect(told.state.view.found).toBeNull();
      await pane.press('\u001B');
      await expect.poll(() => [told.state.view.overlay, told.state.dialog]).toEqual([null, null]);
    }
  });
});
