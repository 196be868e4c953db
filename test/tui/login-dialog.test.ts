import { describe, expect, it } from 'vitest';
import type { DialogModel } from '../../src/core/view-models/dialog.js';
import { loadingModel } from '../support/screen-fixtures.js';
import { type OpenedFixture, openFixture } from './open-fixture.js';

const asking = (answer: DialogModel['answer'], lines: readonly string[] = ['Password:']) => ({
  ...loadingModel(),
  dialog: {
    kind: 'login',
    title: 'Log in to box',
    lines,
    steps: [],
    asking: false,
    editing: null,
    answer,
    signal: null,
    choices: 0,
    blocked: false,
    running: true,
    finished: false,
  } as const,
});

describe('a question of the login on the screen', () => {
  let opened: OpenedFixture;

  it.each(['masked', 'shown'] as const)(
    'takes a line that is %s, and hands it to nobody else',
    async (how) => {
      opened = openFixture(asking(how));
      const { terminal, intents, answers } = opened;
      await terminal.waitFor((rows) => rows.join('\n').includes('Password:'));
      await terminal.press('K', 'y', 'q', 'R', '?', '\u007f');
      const dots = await terminal.waitFor((rows) =>
        rows.join('\n').includes(how === 'masked' ? '••••' : 'KyqR'),
      );
      expect(dots.join('\n').includes('KyqR')).toBe(how === 'shown');
      await terminal.press('\u001B[200~', 'pasted\nlines', '\u001B[201~');
      await terminal.press('\r');
      expect(answers).toEqual(['KyqRpasted']);
      expect(intents).toEqual([]);
      // Nothing of it stays, and what is typed next begins anew.
      await terminal.waitFor((rows) => !/••|KyqR/.test(rows.join('\n')));
      await terminal.press('7\r');
      expect(answers).toEqual(['KyqRpasted', '7']);
      if (how === 'masked') expect(terminal.written.join('')).not.toMatch(/KyqR|pasted/);
    },
  );

  it('hears only Esc and Ctrl-C while the host has the word', async () => {
    opened = openFixture(asking(null, ['waiting for the host …']));
    const { terminal, intents, answers } = opened;
    await terminal.waitFor((rows) => rows.join('\n').includes('waiting for the host'));
    await terminal.press('K', 'y', 'q', '\r', 'hunter2\r', '\u001B[200~', 'p', '\u001B[201~');
    expect(intents).toEqual([]);
    expect(answers).toEqual([]);
    await terminal.press('\u001B');
    await terminal.waitFor(() => intents.length > 0);
    expect(intents).toEqual([{ kind: 'cancel' }]);
  });

  it.each([
    [80, 24],
    [100, 30],
    [40, 10],
  ] as const)('keeps its line in sight at %ix%i, however much the server says', async (columns, rows) => {
    const long = Array.from({ length: 40 }, (_, index) => `words of the server, ${index}`);
    opened = openFixture(asking('masked', [...long, 'Code:']), [columns, rows]);
    await opened.terminal.press('abc');
    await opened.terminal.waitFor((shown) => shown.join('\n').includes('•••'));
  });
});
