import { describe, expect, it } from 'vitest';
import { type Layer, Screen } from '../../src/tui/screen.js';
import { createTerminal } from '../support/terminal.js';

describe('the screen of layers', () => {
  const open = (columns = 40, rows = 6) => {
    const terminal = createTerminal(columns, rows);
    const screen = new Screen(terminal.stdout);
    screen.open();
    return { terminal, screen };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const layer = (top: number, left: number, ...rows: readonly string[]): Layer => ({ top, left, rows });
  const [a, b, c] = [{}, {}, {}];

  it('puts layers beside and under each other, in one write', async () => {
    const { terminal, screen } = open();
    screen.setLayer(b, layer(0, 20, 'right one', 'right two'));
    screen.setLayer(a, layer(0, 0, 'left one'.padEnd(20), 'left two'.padEnd(20)));
    screen.setLayer(c, layer(2, 0, 'below'));
    await turn();
    expect(terminal.written).toHaveLength(1);
    expect(await terminal.screen()).toEqual([
      'left one            right one',
      'left two            right two',
      'below',
      '',
      '',
      '',
    ]);
  });

  it('writes the rows that changed, and nothing where none did', async () => {
    const { terminal, screen } = open();
    screen.setLayer(a, layer(0, 0, 'one', 'two', 'three'));
    await turn();
    terminal.forget();
    screen.setLayer(a, layer(0, 0, 'one', 'two', 'three'));
    await turn();
    expect(terminal.written).toEqual([]);
    screen.setLayer(a, layer(0, 0, 'one', '2', 'three'));
    await turn();
    expect(terminal.written.join('')).toContain('2');
    expect(terminal.written.join('')).not.toMatch(/one|three/);
    expect((await terminal.screen()).slice(0, 3)).toEqual(['one', '2', 'three']);
  });

  it('writes what stands at the right again when the left one changes, but not the other way round', async () => {
    const { terminal, screen } = open();
    screen.setLayer(a, layer(0, 0, 'left'.padEnd(20)));
    screen.setLayer(b, layer(0, 20, 'right'));
    await turn();
    terminal.forget();
    screen.setLayer(b, layer(0, 20, 'RIGHT'));
    await turn();
    expect(terminal.written.join('')).not.toContain('left');
    terminal.forget();
    screen.setLayer(a, layer(0, 0, 'LEFT'.padEnd(20)));
    await turn();
    expect(terminal.written.join('')).toContain('RIGHT');
    expect((await terminal.screen())[0]).toBe('LEFT                RIGHT');
  });

  it('leaves nothing behind of a layer that is gone, smaller or elsewhere', async () => {
    const { terminal, screen } = open();
    screen.setLayer(a, layer(0, 0, 'aaaaaaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaa'));
    screen.setLayer(b, layer(0, 20, 'bbbbbbbb', 'bbbbbbbb'));
    screen.setLayer(c, layer(2, 0, 'ccc', 'ccc', 'ccc'));
    await turn();
    screen.setLayer(a, null);
    screen.setLayer(b, layer(1, 10, 'B'));
    screen.setLayer(c, layer(3, 0, 'c'));
    await turn();
    expect(await terminal.screen()).toEqual(['', '          B', '', 'c', '', '']);
  });

  it('fills the last column without losing it', async () => {
    const { terminal, screen } = open(10, 2);
    terminal.stdout.write('\u001B[?7l');
    screen.setLayer(a, layer(0, 0, '0123456789'));
    await turn();
    screen.setLayer(a, layer(0, 0, '012345678X'));
    await turn();
    expect((await terminal.screen())[0]).toBe('012345678X');
  });

  it('writes nothing once it is closed', async () => {
    const { terminal, screen } = open();
    screen.setLayer(a, layer(0, 0, 'one'));
    screen.close();
    await turn();
    expect(terminal.written).toEqual([]);
  });
});
