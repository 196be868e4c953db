import { describe, expect, it } from 'vitest';
import { Story } from '../core/fold.js';
import { type OpenedFixture, openStory } from './open-fixture.js';

let opened: OpenedFixture | null = null;

interface Shown {
  readonly story: Story;
  /** The lines in the pane after these keys. */
  press(...keys: readonly string[]): Promise<readonly string[]>;
  title(): Promise<string>;
  resize(columns: number, rows: number): Promise<readonly string[]>;
}

/** The log pane of a screen over a story, zoomed, with 9 rows of lines at 80x14. */
async function show(story: Story, ...keys: readonly string[]): Promise<Shown> {
  const fixture = openStory(story.key({ kind: 'toggle', what: 'zoom' }), [80, 14]);
  opened = fixture;
  const { terminal } = fixture;
  const pane = async (): Promise<readonly string[]> => {
    const rows = await terminal.waitFor((screen) => screen.some((row) => row.includes('─▸Log')));
    return rows.slice(
      rows.findIndex((row) => row.includes('─▸Log')),
      -2,
    );
  };
  const press = async (...more: readonly string[]): Promise<readonly string[]> => {
    if (more.length > 0) await terminal.press(...more);
    return (await pane()).slice(1);
  };
  await pane();
  await press(...keys);
  return {
    story,
    press,
    title: async () => (await pane())[0] ?? '',
    async resize(columns, rows) {
      const before = terminal.written.length;
      terminal.resize(columns, rows);
      await expect.poll(() => terminal.written.length).toBeGreaterThan(before);
      return (await pane()).slice(1);
    },
  };
}

const text = (name: string, columns: number): string => `${name}:${'.'.repeat(columns)}:${name}`;

/** Lines of one row, of a few, and one that is taller than the pane; copies and a bar that are folded. */
const uneven = (): Story =>
  new Story()
    .emptyLog()
    .write(
      text('first', 30),
      text('tall', 900),
      ...[0, 1, 2].map((rank) => `[2026-03-01 12:00:00 TP${rank}] ${text('copies', 60)}`),
      text('two', 100),
      '',
      text('wide 宽', 200),
      ...[1, 2, 3].map((done) => `Loading: ${done}0% Completed | ${done}/10 [00:01<00:09, 1.0it/s]`),
      text('three', 180),
      text('last', 400),
    );

describe.each([
  ['wrapped', ['w']],
  ['cut', []],
] as const)('a log that is %s', (_, mode) => {
  it('moves by one row a key, up to its first and down to its last, and no key is dead', async () => {
    const screen = await show(uneven(), ...mode);
    const bottom = await screen.press();
    const pictures = [bottom];
    for (;;) {
      const before = pictures.at(-1) ?? [];
      const after = await screen.press('k');
      if (after.join('\n') === before.join('\n')) break;
      expect(after.slice(1)).toEqual(before.slice(0, -1));
      pictures.push(after);
    }
    expect(pictures.at(-1)?.[0]).toContain('first:...');
    expect(pictures.length).toBe(mode.length > 0 ? 22 : 1);
    const top = pictures.at(-1);
    for (const expected of pictures.slice(0, -1).reverse()) expect(await screen.press('j')).toEqual(expected);
    expect(await screen.title()).toContain('follow');
    expect(await screen.press('j')).toEqual(bottom);
    expect(await screen.press('g')).toEqual(top);
    expect(await screen.press('k')).toEqual(top);
    expect(await screen.press('G')).toEqual(bottom);
    if (pictures.length > 4) {
      expect(await screen.press('g', 'j', 'j')).toEqual(pictures.at(-3));
      expect(await screen.press('G', '\u001B[5~')).toEqual(pictures[Math.max(1, bottom.length - 1)]);
      expect(await screen.press('\u001B[6~')).toEqual(bottom);
    }
  });
});

describe('a long log', () => {
  const long = (count = 40): Story =>
    new Story()
      .emptyLog()
      .write(...Array.from({ length: count }, (_, index) => text(`line ${index + 1}`, 10)));

  it('moves at once from where a jump led, at its beginning too', async () => {
    for (const mode of [[], ['w']]) {
      const screen = await show(long(), ...mode, '/', 'line 3:', '\r', '&', 'N');
      const there = await screen.press();
      expect(there[0]).toContain('line 1:');
      expect(there.join('\n')).toContain('▸line 3:');
      expect((await screen.press('j'))[0]).toContain('line 2:');
      expect((await screen.press('k'))[0]).toContain('line 1:');
      opened?.handle.close();
      await opened?.handle.closed;
    }
  });

  it('keeps the line that a jump led to in sight, however tall those below it are', async () => {
    const story = new Story()
      .emptyLog()
      .write('a', 'b', 'found it', text('tall', 2000), text('tall too', 2000));
    const screen = await show(story, 'w');
    story.key({ kind: 'filter-text', text: 'found' });
    const there = await screen.press('&', 'N', 'M', 'G', "'");
    expect(there[0]).toContain('▸found it');
    expect((await screen.press('j'))[0]).toContain('tall:');
  });

  it('leaves an unfinished line below by one row, too', async () => {
    const story = long();
    story.event({ type: 'log-partial', at: story.now, text: 'unfinished' });
    const screen = await show(story);
    const bottom = await screen.press();
    expect(bottom.at(-1)).toContain('unfinished');
    expect((await screen.press('k')).slice(1)).toEqual(bottom.slice(0, -1));
    expect(await screen.press('j')).toEqual(bottom);
  });

  it('stays full when the pane changes its size in the middle of a tall line', async () => {
    const story = new Story().emptyLog().write(text('first', 10), text('tall', 3000), text('last', 10));
    const screen = await show(story, 'w', 'g', ...'jjjjjjj');
    for (const [columns, rows] of [
      [120, 14],
      [60, 20],
      [160, 34],
    ] as const) {
      const after = await screen.resize(columns, rows);
      const filled = after.filter((row) => row.trim() !== '');
      if (columns < 160) expect(filled).toHaveLength(after.length);
      else
        expect([filled[0], filled.at(-1)]).toEqual([
          expect.stringContaining('first:'),
          expect.stringContaining('last:'),
        ]);
    }
  });

  it('marks the lowest line in sight, not one below it', async () => {
    const story = long(3);
    story.write(...Array.from({ length: 9 }, (_, index) => text(`more ${index}`, 10)));
    const screen = await show(story, 'g');
    const marked = await screen.press('M');
    expect(marked.at(-1)).toContain('●more');
  });
});
