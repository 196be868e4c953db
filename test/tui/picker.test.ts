import { afterEach, describe, expect, it } from 'vitest';
import { sanitize } from '../../src/ingest/sanitize.js';
import { unicodeGlyphs } from '../../src/tui/glyphs.js';
import { openPicker, type PickerEnd } from '../../src/tui/open-picker.js';
import type { PickerModel, PickerRow } from '../../src/tui/picker-model.js';
import { createTerminal, type TestTerminal } from '../support/terminal.js';
import { themes } from './open-fixture.js';

const row = (server: string, word: PickerRow['word'], detail: string): PickerRow => ({
  server,
  host: `gpu-${server.length}`,
  word,
  attempt: word === 'none' || word === 'asking' ? '' : '3',
  since: word === 'ready' ? '2.1 h' : '',
  detail,
});

const rows: readonly PickerRow[] = [
  row('big', 'ready', 'the engine says so'),
  row('small', 'loading', 'Load weights 45 %'),
  row('draft', 'crashed', "KeyError: 'lm_head.weight'"),
  {
    ...row('later', 'none', 'firedup launch later starts it'),
    start: { line: 'firedup launch later', command: 'sglang serve --tp 8' },
  },
  row('nowhere', 'none', 'the config has no command and no log for it'),
  row('far', 'offline', 'Nothing listens on gpu-3:22 (connection refused).'),
  row('locked', 'login', 'The key ~/.ssh/id needs a passphrase and there is no terminal to ask on.'),
];

interface Opened {
  readonly terminal: TestTerminal;
  readonly ended: Promise<PickerEnd>;
  show(rows: readonly PickerRow[]): void;
  refreshed(): number;
}

const open: Opened[] = [];

function opened(
  shown: readonly PickerRow[],
  size: readonly [number, number] = [80, 24],
  notice: string | null = null,
): Opened {
  const terminal = createTerminal(...size);
  const listeners = new Set<() => void>();
  let model: PickerModel = { source: './firedup.yaml', rows: shown, askedAt: '18:25:10' };
  let refreshed = 0;
  const ended = openPicker({
    model: () => model,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    refresh: () => {
      refreshed += 1;
    },
    sanitize,
    themes,
    depth: '16',
    glyphs: unicodeGlyphs,
    stdin: terminal.stdin,
    stdout: terminal.stdout,
    stop: () => {},
    notice,
  });
  const picker: Opened = {
    terminal,
    ended,
    show: (next) => {
      model = { ...model, rows: next };
      for (const listener of listeners) listener();
    },
    refreshed: () => refreshed,
  };
  open.push(picker);
  return picker;
}

const chosenRow = (shown: readonly string[]): string | undefined => shown.find((line) => line.includes('▸'));

afterEach(async () => {
  for (const { terminal, ended } of open.splice(0)) {
    await terminal.press('q');
    await ended;
  }
});

describe('the list of targets', () => {
  it('shows each with its host, its state in mark and word, and the chosen one in full', async () => {
    const { terminal } = opened(rows);
    const shown = await terminal.waitFor((lines) => lines.at(-1)?.includes('Enter watch') === true);
    expect(shown[0]).toMatch(/firedup {2}7 targets · \.\/firedup\.yaml .*asked at 18:25:10$/);
    expect(shown[3]).toMatch(/▸ big +gpu-3 +✓ READY +3 +2\.1 h +the engine says so/);
    expect(shown.join('\n')).toMatch(/✗ CRASHED/);
    expect(shown.join('\n')).toMatch(/○ not started/);
    expect(shown.join('\n')).toMatch(/▲ login needed/);
    expect(shown.slice(-4, -1).join('\n')).toMatch(
      /big on gpu-3 {2}READY for 2\.1 h · attempt 3\n the engine says so/,
    );
  });

  it.each([
    [200, 50],
    [80, 24],
    [60, 16],
    [40, 10],
  ] as const)('fits into %dx%d', async (columns, height) => {
    const many = Array.from({ length: 60 }, (_, index) => row(`target-${index}`, 'ready', 'x'.repeat(300)));
    const { terminal } = opened(many, [columns, height]);
    await terminal.waitFor((lines) => lines.at(-1)?.includes('Enter watch') === true);
    await terminal.press('G');
    const shown = await terminal.waitFor((lines) => chosenRow(lines)?.includes('target-59') === true);
    expect(shown).toHaveLength(height);
    expect(shown[1]).toMatch(/^╭.*╮$/);
  });

  it('says that it is too small where it is', async () => {
    const { terminal } = opened(rows, [39, 9]);
    await terminal.waitFor((lines) => lines[0]?.includes('too small: 39x9, needs 40x10') === true);
  });

  it('moves, also by keys that come in one piece, and opens the chosen one', async () => {
    const { terminal, ended } = opened(rows);
    await terminal.press('jjj', 'k', '\u001B[A');
    await terminal.waitFor((lines) => chosenRow(lines)?.includes('small') === true);
    await terminal.press('\r');
    expect(await ended).toMatchObject({ end: { reason: 'closed' }, chosen: 1 });
  });

  it('opens by a few keys that come in one piece, and takes nothing of what follows Enter', async () => {
    const { terminal, ended } = opened(rows);
    await terminal.press('j\rj\r');
    expect(await ended).toMatchObject({ end: { reason: 'closed' }, chosen: 1 });
  });

  it('opens nothing by a long burst, by text without brackets, or by a paste', async () => {
    const { terminal } = opened(rows);
    await terminal.press('jkj\rr', 'jq x', 'ls\r', '\u001B[200~j\r\u001B[201~', '\u001B[200~q\u001B[201~');
    await terminal.waitFor((lines) => chosenRow(lines)?.includes('small') === true);
    await terminal.press('j');
    await terminal.waitFor((lines) => chosenRow(lines)?.includes('draft') === true);
  });

  it('says how one that is not started is, or why there is nothing to watch, and stays', async () => {
    const { terminal } = opened(rows, [120, 24]);
    await terminal.press('j', 'j', 'j', '\r');
    await terminal.waitFor((lines) =>
      lines
        .join('\n')
        .includes(
          'later is not started. Leave with q, then: firedup launch later (it runs sglang serve --tp 8)',
        ),
    );
    await terminal.press('j', '\r');
    await terminal.waitFor((lines) =>
      lines.join('\n').includes('There is nothing to watch: the config has no command'),
    );
  });

  it('asks again on r, and shows what comes; then it writes nothing more', async () => {
    const picker = opened(rows.map((one) => ({ ...one, word: 'asking', detail: '' })));
    await picker.terminal.waitFor((lines) => lines[0]?.endsWith('asking …') === true);
    await picker.terminal.press('r');
    expect(picker.refreshed()).toBe(1);
    picker.show(rows);
    await picker.terminal.waitFor((lines) => lines[0]?.endsWith('asked at 18:25:10') === true);
    picker.terminal.forget();
    picker.show([...rows]);
    await picker.terminal.screen();
    expect(picker.terminal.written).toEqual([]);
  });

  it('leaves the last answer of one that is asked again, without its colour and behind the mark that turns', async () => {
    const picker = opened(rows.map((one) => ({ ...one, isAskedAgain: true })));
    const shown = await picker.terminal.waitFor((lines) => lines[0]?.endsWith('asking …') === true);
    expect(shown[3]).toMatch(/▸ big +gpu-3 +[\u2800-\u28ff] READY +3 +2\.1 h/);
    expect(shown.slice(-4, -1).join('\n')).toMatch(
      /big on gpu-3 {2}READY for 2\.1 h · attempt 3 · asking again\n the engine says so/,
    );
    picker.show(rows);
    await picker.terminal.waitFor((lines) => lines[3]?.includes('✓ READY') === true);
  });

  it('says at first what it was told to, until a key is pressed', async () => {
    const { terminal } = opened(rows, [80, 24], 'Nothing listens there.');
    await terminal.waitFor((lines) => lines.at(-3)?.includes('Nothing listens there.') === true);
    await terminal.press('j');
    await terminal.waitFor((lines) => lines.at(-3)?.includes('Load weights 45 %') === true);
  });

  it.each(['q', '\u0003'])('leaves on %j without a choice', async (key) => {
    const { terminal, ended } = opened(rows);
    await terminal.waitFor((lines) => lines.at(-1)?.includes('Enter watch') === true);
    await terminal.press(key);
    expect(await ended).toMatchObject({ end: { reason: 'closed' }, chosen: null });
  });

  it('lets no escape sequence of a host or a log through', async () => {
    const { terminal } = opened([
      { ...row('big', 'crashed', 'boom \u001B]0;owned\u0007\u001B[2J'), host: 'a\u001B[31mb' },
    ]);
    const shown = await terminal.waitFor((lines) => lines.join('').includes('boom'));
    expect(terminal.title()).toBe('');
    expect(shown[3]).toContain('CRASHED');
    expect(terminal.written.join('')).not.toContain('\u001B[31mb');
  });
});
