import { describe, expect, it, vi } from 'vitest';
import type { ScreenModel } from '../../src/core/view-models/screen.js';
import { cellsOf, frameFaults } from '../support/frames.js';
import {
  crashedModel,
  filteredModel,
  hostileLines,
  loadingModel,
  logPane,
  logRow,
  screenFixtures,
} from '../support/screen-fixtures.js';
import { sizes } from '../support/sizes.js';
import { type OpenedFixture, openFixture, themes } from './open-fixture.js';

let opened: OpenedFixture | null = null;

const open = (...args: Parameters<typeof openFixture>): OpenedFixture => {
  opened = openFixture(...args);
  return opened;
};

const shown = ({ terminal }: OpenedFixture): Promise<readonly string[]> =>
  terminal.waitFor((rows) => rows.some((row) => row !== ''));

describe.each(sizes)('at %ix%i', (columns, rows) => {
  it.each(Object.keys(screenFixtures))(
    '%s is full height, cut nowhere wrongly, with its verdict',
    async (name) => {
      const model = screenFixtures[name]?.() ?? loadingModel();
      const fixture = open(model, [columns, rows]);
      const screen = await shown(fixture);
      expect(screen).toHaveLength(rows);
      expect(screen[0]).toContain(model.header.host);
      expect(screen.at(-1)).not.toBe('');
      expect(screen.join('\n')).toContain(model.status.word);
      expect(frameFaults(cellsOf(fixture.terminal.emulator))).toEqual([]);
    },
  );

  it('has all three panes', async () => {
    const screen = (await shown(open(loadingModel(), [columns, rows]))).join('\n');
    expect(screen).toContain('Load weights');
    expect(screen).toContain('GPU');
    expect(screen).toContain('Log');
    expect(screen).toContain('29/64');
  });
});

describe('the screen', () => {
  it('says in one line that it is too small', async () => {
    const screen = await shown(open(loadingModel(), [39, 9]));
    expect(screen.filter((row) => row !== '')).toEqual(['too small: 39x9, needs 40x10']);
  });

  it('comes back when the terminal grows again', async () => {
    const { terminal } = open(loadingModel(), [39, 9]);
    await terminal.waitFor((rows) => rows[0] === 'too small: 39x9, needs 40x10');
    terminal.resize(100, 30);
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
  });

  it('shows eight GPUs, one row each, phases and at least five log lines at 80x24', async () => {
    const screen = await shown(open(loadingModel(), [80, 24]));
    expect(screen.filter((row) => /^ [0-7] [█▏▎▍▌▋▊▉·]+ /.test(row))).toHaveLength(8);
    const phases = screen.findIndex((row) => row.includes('Phases'));
    const gpus = screen.findIndex((row) => row.includes('GPUs'));
    expect(gpus - phases).toBeLessThanOrEqual(5);
    expect(screen.slice(phases, gpus).join('')).toMatch(/✓ \d+ done.*Load weights/);
    const log = screen.findIndex((row) => row.includes('Log ~'));
    expect(screen.length - 2 - (log + 1)).toBeGreaterThanOrEqual(5);
  });

  it('keeps the verdict in sight under every overlay and dialog', async () => {
    for (const name of ['crashed', 'kill', 'relaunch', 'history', 'arguments', 'help']) {
      for (const size of sizes) {
        const model = screenFixtures[name]?.() ?? loadingModel();
        const screen = await shown(open(model, size));
        expect(screen.slice(-3).join('\n')).toContain(model.status.word);
        opened?.handle.close();
      }
    }
  });

  it('never clears between frames, and writes little when one line comes', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => logRow(index + 1, `line ${index + 1}`));
    const { terminal, show } = open({ ...loadingModel(), log: logPane(lines.slice(0, 3)) }, [100, 30]);
    await terminal.waitFor((rows) => rows.join('').includes('line 3'));
    terminal.forget();
    for (let count = 4; count <= 8; count++) {
      show({ ...loadingModel(), log: logPane(lines.slice(0, count)) });
      await terminal.waitFor((rows) => rows.join('').includes(`line ${count}`));
    }
    const written = terminal.written.join('');
    expect(written).not.toContain('\u001B[2J');
    expect(written).not.toContain('\u001B[3J');
    // Five times a line and the count in the title.
    expect(written.length / 5).toBeLessThan(600);
  });

  it('writes nothing at all when nothing that is shown has changed', async () => {
    const { terminal, show } = open(loadingModel(), [100, 30]);
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    terminal.forget();
    for (let turn = 0; turn < 20; turn++) show(loadingModel());
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect(terminal.written).toEqual([]);
  });

  it('writes one row for one more second', async () => {
    const model = loadingModel();
    const { terminal, show } = open(model, [100, 30]);
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    terminal.forget();
    show({ ...model, status: { ...model.status, elapsedMs: (model.status.elapsedMs ?? 0) + 1000 } });
    await terminal.waitFor((rows) => rows.join('').includes('2:35'));
    // The status line, and the active phase's mark.
    expect(terminal.written.join('').length).toBeLessThan(1500);
  });

  it('lets no escape sequence of a log line, a phase or a header through', async () => {
    const evil = '\u001B]52;c;cHduZWQ=\u0007\u001B]0;pwned\u0007\u001B[2J\u009B31m\u001Bc';
    const model: ScreenModel = {
      ...crashedModel(),
      header: { ...loadingModel().header, modelName: `m${evil}`, engine: `e${evil}` },
      phases: loadingModel().phases.map((phase) => ({
        ...phase,
        title: `${evil}${phase.title}`,
        detail: evil,
      })),
      log: { ...logPane(hostileLines), title: evil, note: evil },
      notice: { level: 'error', text: evil },
      status: { ...loadingModel().status, summary: evil, activity: evil },
    };
    const { terminal } = open(model, [200, 50]);
    await terminal.waitFor((rows) => rows.join('').includes('clipboard'));
    const own = /\u001B\[(?:[\d;]*[mHK]|\?\d+[hlsr]|2J)/g;
    expect(terminal.written.join('').replace(own, '')).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    expect(terminal.written.join('').match(/\u001B\[2J/g)).toHaveLength(1);
    expect(terminal.title()).toBe('');
  });

  it('leaves the terminal as it was, and writes nothing more', async () => {
    const { terminal, handle, show } = open(filteredModel(), [80, 24]);
    await terminal.waitFor((rows) => rows.join('').includes('shard'));
    handle.close();
    expect(await handle.closed).toEqual({ reason: 'closed' });
    const count = terminal.written.length;
    show(loadingModel());
    terminal.resize(100, 30);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(terminal.written).toHaveLength(count);
    expect(terminal.emulator.buffer.active.type).toBe('normal');
    expect(terminal.emulator.modes.bracketedPasteMode).toBe(false);
    expect(terminal.emulator.modes.wraparoundMode).toBe(true);
    expect(terminal.emulator.modes.mouseTrackingMode).toBe('none');
  });

  it('turns the mouse on and off with the model, scrolls by the wheel and focuses by a click', async () => {
    const { terminal, show, intents } = open({ ...loadingModel(), mouse: true }, [100, 30]);
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    show({ ...loadingModel(), mouse: true, focus: 'gpus' });
    expect(terminal.written.join('')).toContain('\u001B[?1000h');
    await terminal.press('\u001B[<64;10;25M');
    expect(intents).toEqual([
      { kind: 'focus', pane: 'log' },
      { kind: 'scroll-log', anchor: 32, hidden: 0 },
    ]);
    show({ ...loadingModel(), mouse: true });
    await terminal.press('\u001B[<0;60;4M');
    expect(intents.at(-1)).toEqual({ kind: 'focus', pane: 'gpus' });
    show(loadingModel());
    expect(terminal.written.join('')).toContain('\u001B[?1000l');
  });

  it('answers a key at once, however busy the log', async () => {
    const { terminal } = open(loadingModel(), [80, 24], (intent, model) =>
      intent.kind === 'toggle'
        ? { ...model, log: { ...model.log, follow: false, newBelow: 7, version: 'held' } }
        : model,
    );
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press('f');
    expect((await terminal.screen()).join('\n')).toContain('↓ 7 new');
  });

  it('obeys keys in one piece until one of them asks a question', async () => {
    const { terminal, intents } = open(loadingModel(), [80, 24], (intent, model) =>
      intent.kind === 'ask-kill' ? { ...model, dialog: screenFixtures.kill?.().dialog ?? null } : model,
    );
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    // However long this machine takes between the presses: they come within a moment.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await terminal.press('ta', 'zKyy', 'y');
    clock.mockRestore();
    expect(intents.map(({ kind }) => kind)).toEqual(['overlay', 'apply-remedy', 'toggle', 'ask-kill']);
  });

  it('takes sequences that came in pieces for what they are, also the end of a paste', async () => {
    const { terminal, intents } = open(loadingModel(), [80, 24]);
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press(
      '\u001B',
      '[',
      'A',
      '\u001B[20',
      '0~pasted',
      '\u001B[2',
      '01~',
      '\u001B[',
      '<64;3;20',
      'M',
      'k',
    );
    expect(intents).toMatchObject([34, 32, 34].map((anchor) => ({ kind: 'scroll-log', anchor })));
  });

  it('takes Esc for Esc alone and before another key', async () => {
    const { terminal, intents } = open(loadingModel(), [80, 24]);
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press('\u001Bk', '\u001B');
    await expect
      .poll(() => intents.map(({ kind }) => kind))
      .toEqual(['filter-clear', 'scroll-log', 'filter-clear']);
  });

  it('opens, types into and closes the filter', async () => {
    const { terminal, intents } = open(loadingModel(), [80, 24], (intent, model) => {
      const { filter } = model.log;
      const set = (more: Partial<typeof filter>) => ({
        ...model,
        log: { ...model.log, filter: { ...filter, ...more } },
      });
      if (intent.kind === 'edit-filter') return set({ editing: true });
      if (intent.kind === 'filter-text') return set({ text: intent.text });
      return intent.kind === 'filter-clear' ? set({ editing: false, text: '' }) : model;
    });
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press('/', 'q', 'K', '\u001B[D', 'x', '\u001B[200~', 'y', '\u001B[201~');
    expect(intents.map((intent) => (intent.kind === 'filter-text' ? intent.text : intent.kind))).toEqual([
      'edit-filter',
      'q',
      'qK',
      'qxK',
      'qxyK',
    ]);
    await terminal.waitFor((rows) => rows.at(-1)?.startsWith(' / qxyK') === true);
    await terminal.press('\u001B');
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
  });

  it('scrolls a card that is taller than its pane, and does not scroll the log behind it', async () => {
    const { terminal, intents } = open(crashedModel(), [40, 10]);
    await terminal.waitFor((rows) => rows.join('').includes('The draft'));
    await terminal.press('j', 'j', 'j', 'j');
    await terminal.waitFor((rows) => !rows.join('').includes('The draft'));
    await terminal.press('G');
    await terminal.waitFor((rows) => rows.join('').includes('a apply'));
    await terminal.press('g');
    await terminal.waitFor((rows) => rows.join('').includes('The draft'));
    expect(intents).toEqual([]);
  });

  it('keeps the answers of a question in sight however long it is', async () => {
    const model = screenFixtures.kill?.() ?? loadingModel();
    const lines = Array.from({ length: 40 }, (_, index) => `pid      ${index + 1}`);
    const long = model.dialog === null ? model : { ...model, dialog: { ...model.dialog, lines } };
    const { terminal, intents } = open(long, [80, 24]);
    const rows = await terminal.waitFor((shown) => shown.join('').includes('Cancel'));
    expect(rows.join('\n')).toContain('pid      1');
    await terminal.press('j', 'j');
    await terminal.waitFor(
      (shown) => shown.join('').includes('Cancel') && !shown.join('\n').includes('pid      1 '),
    );
    expect(intents).toEqual([]);
  });

  it('moves the cursor in the filter, and keeps what is typed faster than it is answered', async () => {
    const { filter } = loadingModel().log;
    const editing = {
      ...loadingModel(),
      log: { ...loadingModel().log, filter: { ...filter, text: 'ac', editing: true } },
    };
    const { terminal, intents } = open(editing, [80, 24]);
    await terminal.waitFor((rows) => rows.at(-1)?.startsWith(' / ac') === true);
    const cursorAt = (x: number) => terminal.emulator.buffer.active.getLine(23)?.getCell(x)?.isInverse();
    expect(cursorAt(5)).not.toBe(0);
    await terminal.press('\u001B[D');
    await terminal.screen();
    expect(cursorAt(4)).not.toBe(0);
    expect(cursorAt(5)).toBe(0);
    await terminal.press('b', 'x');
    expect(intents.at(-1)).toEqual({ kind: 'filter-text', text: 'abxc' });
  });

  it('leaves by itself on a second Ctrl-C when nobody answers the first', async () => {
    const { terminal, handle, intents } = open(loadingModel());
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press('\u0003', '\u0003');
    expect(await handle.closed).toEqual({ reason: 'signal', signal: 'SIGINT' });
    expect(intents[0]).toEqual({ kind: 'leave' });
  });

  it('suspends on Ctrl-Z with the terminal given back', async () => {
    const { terminal } = open(loadingModel());
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press('\u001A');
    await terminal.screen();
    expect(terminal.emulator.buffer.active.type).toBe('normal');
  });

  it('says which theme T brings', async () => {
    const { terminal, intents } = open(loadingModel());
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    await terminal.press('T');
    expect(intents).toEqual([{ kind: 'next-theme', name: themes[1]?.name }]);
  });

  it('changes the theme live', async () => {
    const { terminal, show } = open(loadingModel());
    await terminal.waitFor((rows) => rows.at(-1)?.includes('help') === true);
    const verdict = () => terminal.emulator.buffer.active.getLine(22)?.getCell(2);
    expect(verdict()?.isBgDefault()).toBe(false);
    show({ ...loadingModel(), theme: themes.findIndex(({ name }) => name === 'mono') });
    await terminal.screen();
    expect(verdict()?.isBgDefault()).toBe(true);
    expect(verdict()?.isInverse()).not.toBe(0);
  });
});
