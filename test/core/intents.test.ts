import { describe, expect, it } from 'vitest';
import { selectScreen } from '../../src/core/select/screen.js';
import { crashedRun, readyRun, Story } from './fold.js';

const texts = (story: Story, height = 5): readonly string[] =>
  selectScreen(story.state)
    .log.rows(height)
    .map(({ text }) => text);

const numbered = (count: number): Story =>
  new Story().emptyLog().write(...Array.from({ length: count }, (_, index) => `line ${index + 1}`));

describe('scrolling', () => {
  it('follows the newest line until it is scrolled up, then holds and counts what comes below', () => {
    const story = numbered(20);
    expect(texts(story, 2)).toEqual(['line 19', 'line 20']);
    story.key({ kind: 'scroll', lines: -5 }).write('line 21');
    expect(texts(story, 2)).toEqual(['line 14', 'line 15']);
    expect(selectScreen(story.state).log).toMatchObject({ follow: false, newBelow: 6 });
  });

  it('follows again at the bottom, by scrolling or by G', () => {
    const story = numbered(20).key({ kind: 'scroll', lines: -5 }).key({ kind: 'scroll', lines: 99 });
    expect(selectScreen(story.state).log.follow).toBe(true);
    story.key({ kind: 'scroll-to', end: 'top' });
    expect(texts(story, 2)).toEqual(['line 1']);
    expect(selectScreen(story.key({ kind: 'scroll-to', end: 'bottom' }).state).log.follow).toBe(true);
  });
});

describe('what is folded', () => {
  const crashed = (): Story =>
    new Story()
      .emptyLog()
      .alive(60)
      .write(...crashedRun(0));

  it('opens by Enter: a group of lines in a focused log, the card that was put away, else the focused pane', () => {
    const story = crashed().key({ kind: 'filter-clear' });
    expect(selectScreen(story.state).card).toBeNull();
    const group = selectScreen(story.state)
      .log.rows(9)
      .findLast(({ fold }) => fold !== null)?.fold;
    expect(story.key({ kind: 'open', fold: group?.first ?? null }).state.view.opened.size).toBe(1);
    story.key({ kind: 'focus', pane: 'phases' });
    expect(selectScreen(story.key({ kind: 'open' }).state).card).not.toBeNull();
    const loading = new Story().key({ kind: 'focus', pane: 'phases' }).key({ kind: 'open' });
    expect(selectScreen(loading.state)).toMatchObject({ focus: 'phases', zoom: true });
  });

  it('shows all of the card on t, and the standing one again on a second t or on Esc', () => {
    for (const close of [{ kind: 'overlay', overlay: 'triage' }, { kind: 'back' }] as const) {
      const story = crashed().key({ kind: 'overlay', overlay: 'triage' });
      const { overlay } = selectScreen(story.state);
      expect(overlay).toMatchObject({ kind: 'triage', card: { outcome: 'crashed' } });
      expect(selectScreen(story.key(close).state)).toMatchObject({
        overlay: null,
        card: { outcome: 'crashed' },
      });
    }
    const hidden = crashed().key({ kind: 'toggle', what: 'errors-only' });
    expect(selectScreen(hidden.state).card).toBeNull();
    hidden.key({ kind: 'overlay', overlay: 'triage' }).key({ kind: 'back' });
    expect(selectScreen(hidden.state).card).not.toBeNull();
  });

  it('has a card for a crash also where the log was filtered before', () => {
    const story = new Story().emptyLog().alive(60);
    story.key({ kind: 'edit-filter' }).key({ kind: 'filter-text', text: 'x' });
    story.write(...crashedRun(0));
    expect(selectScreen(story.state).card).toBeNull();
    expect(selectScreen(story.key({ kind: 'filter-done' }).state).card).not.toBeNull();
    // Esc takes the filter first, then the card.
    expect(selectScreen(story.key({ kind: 'filter-clear' }).state).card).not.toBeNull();
    expect(selectScreen(story.key({ kind: 'filter-clear' }).state).card).toBeNull();
  });

  it('says of an end without a word how it ended, where, and what to do', () => {
    const ended = (exit: { readonly signal: string | null; readonly code: number | null }): Story =>
      new Story()
        .emptyLog()
        .alive(60)
        .write(...readyRun(0).slice(0, 3))
        .process({ status: 'gone', pid: 4711, exit: { ...exit, at: null, oomKills: null } })
        .later(5);
    const killed = selectScreen(ended({ signal: 'SIGKILL', code: null }).state).card;
    expect(killed?.known.map(({ label, text }) => `${label}: ${text}`)).toEqual([
      'phase: Load weights',
      'process: pid 4711 is gone: SIGKILL',
      expect.stringMatching(/^last line: .*Load weight begin/),
    ]);
    expect(killed?.remedies.map(({ id }) => id)).toEqual(['look-for-oom', 'host-memory']);
    const fell = selectScreen(ended({ signal: null, code: 139 }).state).card;
    expect(fell?.remedies).toMatchObject([
      { id: 'kernel-log' },
      { id: 'more-words', chosen: true, change: { env: { PYTHONFAULTHANDLER: '1' } } },
    ]);
  });

  it('is not run on the host by p where nothing may be', () => {
    const story = new Story({ readOnly: true }).emptyLog().alive(60).key({ kind: 'py-spy' });
    expect([story.effects, story.state.notice?.text]).toEqual([[], expect.stringContaining('read-only')]);
  });
});

describe('the filter', () => {
  it('filters as it is typed, with smart case', () => {
    const story = new Story().emptyLog().write('Alpha', 'beta', 'ALPHA');
    story.key({ kind: 'edit-filter' }).key({ kind: 'filter-text', text: 'alpha' });
    expect(texts(story)).toEqual(['Alpha', 'ALPHA']);
    expect(texts(story.key({ kind: 'filter-text', text: 'Alpha' }))).toEqual(['Alpha']);
  });

  it('shows everything and says why while a pattern is unfinished', () => {
    const story = new Story().emptyLog().write('a', 'b').key({ kind: 'filter-text', text: '(' });
    expect(texts(story)).toEqual(['a', 'b']);
    expect(selectScreen(story.state).log.filter.error).toMatch(/[Uu]nterminated group/);
  });

  it('only highlights after &, and n and N go from match to match', () => {
    const story = new Story().emptyLog().write('x1', 'y', 'x2', 'y');
    story.key({ kind: 'filter-text', text: 'x' }).key({ kind: 'toggle-filter-mode' });
    expect(texts(story)).toHaveLength(4);
    expect(texts(story.key({ kind: 'match', direction: -1 })).at(-1)).toBe('x2');
    expect(texts(story.key({ kind: 'match', direction: -1 })).at(-1)).toBe('x1');
    expect(texts(story.key({ kind: 'match', direction: 1 })).at(-1)).toBe('x2');
  });

  it('shows the errors only, or the milestones only', () => {
    const story = new Story().emptyLog().write(...crashedRun(0));
    expect(texts(story.key({ kind: 'toggle', what: 'errors-only' }), 50).join('\n')).toContain('KeyError');
    expect(texts(story, 50).join('\n')).not.toContain('Load weight begin');
    story.key({ kind: 'toggle', what: 'errors-only' }).key({ kind: 'toggle', what: 'milestones-only' });
    expect(texts(story, 50).join('\n')).toContain('Load weight begin');
    expect(texts(story, 50).join('\n')).not.toContain('File "');
  });
});

describe('kill and relaunch', () => {
  const running = (): Story =>
    new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0));

  it('asks first, and acts on the answer only', () => {
    const story = running().key({ kind: 'ask-kill' });
    expect(selectScreen(story.state).dialog?.lines.join('\n')).toContain('4711');
    // A look acts on nothing.
    expect(story.effects).toEqual([{ type: 'look-up', openedAt: story.now }]);
    expect(story.key({ kind: 'confirm' }).effects.slice(1)).toEqual([
      { type: 'kill', pid: 4711, startTicks: '471100', signal: 'TERM', also: [] },
    ]);
  });

  it('does nothing twice on a repeated answer, and nothing after a cancel', () => {
    const twice = running().key({ kind: 'ask-kill' }).key({ kind: 'confirm' }).key({ kind: 'confirm' });
    expect(twice.effects.map(({ type }) => type)).toEqual(['look-up', 'kill']);
    const cancelled = running().key({ kind: 'ask-kill' }).key({ kind: 'cancel' }).key({ kind: 'confirm' });
    expect(cancelled.effects.map(({ type }) => type)).toEqual(['look-up']);
  });

  it('refuses with a word when there is nothing to kill, no link, or read-only', () => {
    const gone = new Story().emptyLog().process({ status: 'absent' }).key({ kind: 'ask-kill' });
    expect([gone.state.dialog, gone.state.notice?.text]).toEqual([
      null,
      expect.stringContaining('no running process'),
    ]);
    const down = running();
    down.event({ type: 'link', at: down.now, link: { status: 'down', reason: 'cut', retryAt: 0 } });
    expect(down.key({ kind: 'ask-kill' }).state.notice?.text).toContain('no connection');
    const readOnly = new Story({ readOnly: true }).emptyLog().alive(60).key({ kind: 'ask-kill' });
    expect(readOnly.state.notice?.text).toContain('read-only');
  });

  it('does not act when the process went while the question stood', () => {
    const story = running().key({ kind: 'ask-kill' });
    story.process({ status: 'gone', pid: 4711, exit: null }).key({ kind: 'confirm' });
    expect(story.effects.map(({ type }) => type)).toEqual(['look-up']);
  });

  it("puts a remedy's change into the relaunch form, which can be edited", () => {
    const error =
      "ValueError: Warning: Target model's context_length (262144) is greater than the derived context_length (131072). " +
      'This may lead to incorrect model outputs or CUDA errors. To allow overriding this maximum, ' +
      'set the env var SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1';
    const story = new Story().emptyLog().alive(60);
    story.write(...crashedRun(0).map((line) => line.replace(/^KeyError.*/, error)));
    story.key({ kind: 'apply-remedy' });
    expect(selectScreen(story.state).dialog?.lines.join('\n')).toContain(
      'SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1',
    );
    story.key({ kind: 'edit' }).key({ kind: 'edit-text', text: "A='b c' --tp 4" }).key({ kind: 'edit-done' });
    story.key({ kind: 'confirm' });
    expect(story.effects.at(-1)).toMatchObject({
      type: 'relaunch',
      form: { env: { A: 'b c' }, args: ['--tp', '4'] },
    });
  });

  it('says stopped by us, not crashed, after a kill', () => {
    const story = running().key({ kind: 'ask-kill' }).key({ kind: 'confirm' });
    const step = (status: 'active' | 'done', name: 'kill' | 'finished') =>
      story.event({
        type: 'action',
        at: story.now,
        action: { action: 'kill', step: name, status, text: name },
      });
    step('active', 'kill');
    expect(story.outcome).toBe('loading');
    story.process({
      status: 'gone',
      pid: 4711,
      exit: { code: null, signal: 'SIGKILL', at: null, oomKills: null },
    });
    step('done', 'kill');
    step('done', 'finished');
    expect(story.later(2).outcome).toBe('stopped');
  });
});

describe('after a kill', () => {
  it('is a crash again when a server that someone started later dies', () => {
    const story = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0));
    story.key({ kind: 'ask-kill' }).key({ kind: 'confirm' });
    story.process({ status: 'gone', pid: 4711, exit: null });
    story.event({
      type: 'action',
      at: story.now,
      action: { action: 'kill', step: 'finished', status: 'done', text: 'gone' },
    });
    expect(story.later(2).outcome).toBe('stopped');
    story
      .later(60)
      .alive(1, 5000)
      .write(...readyRun(-60).slice(0, 3));
    expect(story.outcome).toBe('loading');
    expect(story.process({ status: 'gone', pid: 5000, exit: null }).later(2).outcome).toBe('crashed');
  });
});

describe('leaving and the rest', () => {
  it('goes back out of what is open before it leaves', () => {
    const story = new Story().key({ kind: 'overlay', overlay: 'help' }).key({ kind: 'back' });
    expect([story.state.view.overlay, story.effects]).toEqual([null, []]);
    expect(story.key({ kind: 'back' }).effects).toEqual([{ type: 'leave', back: true }]);
  });

  it('dumps the last lines of the log itself, whatever is filtered, each after its last carriage return', () => {
    const story = numbered(60).write('bar 1%\rbar 99%').key({ kind: 'filter-text', text: 'nothing' });
    const [effect] = story.key({ kind: 'dump' }).effects;
    expect(effect?.type === 'dump' && [effect.lines.length, effect.lines[0], effect.lines.at(-1)]).toEqual([
      40,
      'line 22',
      'bar 99%',
    ]);
  });
});
