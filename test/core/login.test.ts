import { describe, expect, it } from 'vitest';
import type { Link } from '../../src/core/events.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { crashedRun, Story } from './fold.js';

const waiting = (trying = false, needs: 'answer' | 'retry' = 'answer'): Link => ({
  status: 'waiting',
  reason: 'gpu-17 wants a password for me.',
  needs,
  trying,
});
const question = { heading: [], text: 'Password of me on gpu-17:', echo: false } as const;

const link = (story: Story, to: Link): Story => story.event({ type: 'link', at: story.now, link: to });
const ask = (story: Story): Story => story.event({ type: 'question', at: story.now, question });
const dialog = (story: Story) => selectScreen(story.state).dialog;

describe('a login that waits for somebody', () => {
  it('is said to go on by itself, or to need nothing, where c has nothing to ask', () => {
    const story = new Story().emptyLog().alive(60).key({ kind: 'connect-now' });
    expect([story.effects, story.state.notice?.text]).toEqual([[], 'the connection stands']);
    link(story, { status: 'down', reason: 'cut', retryAt: 0 }).key({ kind: 'connect-now' });
    expect([story.effects, story.state.notice?.text]).toEqual([[{ type: 'connect-now' }], 'connecting now']);
    story.key({ kind: 'py-spy' });
    expect([story.effects.length, story.state.notice?.text]).toEqual([
      1,
      'no connection: nothing can be done on the host now',
    ]);
  });

  it('makes the verdict unknown, and what is known stays known', () => {
    const loading = link(new Story().emptyLog().alive(60).write('Loading'), waiting());
    expect(loading.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    expect(loading.state.verdict.summary).toMatch(/login needed \(c\): gpu-17 wants a password/);
    const crashed = new Story()
      .emptyLog()
      .alive(60)
      .write(...crashedRun(0))
      .later(10);
    expect(link(crashed, waiting()).state.verdict.outcome).toBe('crashed');
  });

  it('says in the header what is to be done, and how old the rest is', () => {
    const story = link(new Story().emptyLog().write('Loading').later(5), waiting());
    const header = (): string => selectScreen(story.state).header.link.text;
    expect(header()).toBe('login needed (c) · data 5 s old');
    link(story, waiting(true));
    expect(header()).toBe('logging in · data 5 s old');
    link(story, waiting(false, 'retry'));
    expect(header()).toBe('no connection (c tries) · data 5 s old');
  });

  it('opens its dialog by c, which asks, closes with success, and stays with a failure', () => {
    const story = link(new Story().emptyLog(), waiting()).key({ kind: 'connect-now' });
    expect(story.effects).toEqual([{ type: 'connect-now' }]);
    expect(dialog(story)).toMatchObject({ kind: 'login', answer: null, running: true });
    ask(link(story, waiting(true)));
    expect(dialog(story)).toMatchObject({ answer: 'masked', lines: ['Password of me on gpu-17:'] });
    link(story, { ...waiting(false, 'retry'), reason: 'gpu-17 refused the login.' } as Link);
    expect(dialog(story)).toMatchObject({ answer: null, finished: true });
    expect(dialog(story)?.lines.join(' ')).toMatch(/refused the login/);
    // A question that comes too late opens nothing.
    expect(dialog(ask(story))?.answer).toBeNull();
    story.key({ kind: 'cancel' });
    expect(dialog(story)).toBeNull();
    expect(story.effects).toHaveLength(1);
    link(ask(link(story.key({ kind: 'connect-now' }), waiting(true))), { status: 'up' });
    expect(dialog(story)).toBeNull();
  });

  it('is left unanswered by Esc, and confirms, edits and kills nothing', () => {
    const story = ask(
      link(link(new Story().emptyLog().alive(60), waiting()).key({ kind: 'connect-now' }), waiting(true)),
    );
    story.effects = [];
    for (const kind of ['confirm', 'edit', 'edit-done'] as const) story.key({ kind });
    expect(story.effects).toEqual([]);
    expect(dialog(story)?.kind).toBe('login');
    story.key({ kind: 'cancel' });
    expect(story.effects).toEqual([{ type: 'cancel-login' }]);
    expect(dialog(ask(story))).toBeNull();
  });
});
