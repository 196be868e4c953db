import { describe, expect, it } from 'vitest';
import type { ScreenModel } from '../../src/core/view-models/screen.js';
import { hasTitle } from '../../src/tui/title.js';
import { hostilePieces } from '../support/hostile.js';
import { crashedModel, loadingModel, readyModel } from '../support/screen-fixtures.js';
import { type OpenedFixture, openFixture } from './open-fixture.js';

let opened: OpenedFixture | null = null;

const open = (model: ScreenModel, told = { title: true, bell: true }): OpenedFixture => {
  opened = openFixture(model, [80, 24], (_, current) => current, told);
  return opened;
};

const titled = async ({ terminal }: OpenedFixture): Promise<string> => {
  await terminal.screen();
  return terminal.title();
};

const withStatus = (model: ScreenModel, status: Partial<ScreenModel['status']>): ScreenModel => ({
  ...model,
  status: { ...model.status, ...status },
});

describe("the terminal's title", () => {
  it('tells state and percent, and is written only when it changes', async () => {
    const screen = open(withStatus(loadingModel(), { progress: 0.437 }));
    const name = loadingModel().header.name ?? loadingModel().header.host;
    expect(await titled(screen)).toBe(`firedup ${name} LOADING 43 %`);
    screen.terminal.forget();
    screen.show(withStatus(loadingModel(), { progress: 0.4399 }));
    expect(screen.terminal.written.join('')).not.toContain('\u001B]');
    screen.show(crashedModel());
    expect(await titled(screen)).toMatch(/^firedup .* CRASHED$/);
  });

  it('is put by before and given back after, also around a stop', async () => {
    const { terminal, handle } = open(loadingModel());
    handle.suspend();
    const written = terminal.written.join('');
    expect(written.indexOf('\u001B[22;0t')).toBeLessThan(written.indexOf('\u001B]0;firedup'));
    expect(written.match(/\u001B\[23;0t/g)).toHaveLength(1);
    process.emit('SIGCONT');
    handle.close();
    await handle.closed;
    const all = terminal.written.join('');
    expect(all.match(/\u001B\[22;0t/g)).toHaveLength(2);
    expect(all.match(/\u001B\[23;0t/g)).toHaveLength(2);
    expect(all.lastIndexOf('\u001B]0;firedup')).toBeLessThan(all.lastIndexOf('\u001B[23;0t'));
  });

  it('holds nothing that a terminal acts on, whatever the names are', async () => {
    for (const piece of hostilePieces) {
      const { header } = loadingModel();
      const screen = open({
        ...loadingModel(),
        header: { ...header, host: `a${piece}b`, name: `c${piece}d` },
      });
      const titles = screen.terminal.written.join('').match(/\u001B\]0;[\s\S]*?\u0007/g) ?? [];
      expect(titles).toHaveLength(1);
      expect(titles[0]?.slice(4, -1)).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
      screen.handle.close();
    }
  });

  it('is left alone where nobody wants it', async () => {
    const screen = open(loadingModel(), { title: false, bell: false });
    screen.handle.close();
    await screen.handle.closed;
    expect(screen.terminal.written.join('')).not.toMatch(/\u001B\]|\u001B\[2[23];0t/);
  });

  it('is for terminals that have one', () => {
    expect(
      ['xterm', 'tmux-256color', 'screen-256color', 'alacritty'].map((TERM) => hasTitle({ TERM })),
    ).toEqual(Array(4).fill(true));
    expect([{ TERM: 'linux' }, { TERM: 'dumb' }, { TERM: '' }, {}].map(hasTitle)).toEqual(
      Array(4).fill(false),
    );
  });
});

describe('the bell', () => {
  const rung = async (screen: OpenedFixture, models: readonly ScreenModel[]): Promise<number> => {
    let count = 0;
    const listening = screen.terminal.emulator.onBell(() => {
      count += 1;
    });
    for (const model of models) screen.show(model);
    await screen.terminal.screen();
    listening.dispose();
    return count;
  };

  it('rings once a verdict, however often it is drawn or flaps', async () => {
    const stalled = withStatus(loadingModel(), { outcome: 'stalled', word: 'STALLED' });
    expect(
      await rung(open(loadingModel()), [loadingModel(), stalled, stalled, loadingModel(), stalled]),
    ).toBe(1);
    opened?.handle.close();
    expect(await rung(open(loadingModel()), [readyModel(), readyModel(), crashedModel()])).toBe(2);
  });

  it('rings again for the next attempt, and not for a verdict that may still change', async () => {
    const next = { ...crashedModel(), header: { ...crashedModel().header, attempt: 9 } };
    expect(await rung(open(loadingModel()), [crashedModel(), loadingModel(), next])).toBe(2);
    opened?.handle.close();
    expect(await rung(open(loadingModel()), [withStatus(readyModel(), { provisional: true })])).toBe(0);
  });

  it('is silent where nobody wants it', async () => {
    expect(await rung(open(loadingModel(), { title: true, bell: false }), [readyModel()])).toBe(0);
  });
});
