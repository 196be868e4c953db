import { describe, expect, it } from 'vitest';
import type { ActionStep } from '../../src/core/events.js';
import { evidenceLine } from '../../src/core/evidence-line.js';
import { currentEntry } from '../../src/core/run-entry.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { crashedRun, noon, readyRun, Story } from './fold.js';
import { launched } from './launched.js';

/** A server that loads its weights, 5 s after its start. */
const loading = (): Story =>
  launched(new Story(), 1)
    .write(...readyRun(0).slice(0, 3))
    .later(5);

function step(
  story: Story,
  name: ActionStep['step'],
  status: ActionStep['status'],
  more: Partial<ActionStep> = {},
): Story {
  const action = story.state.action?.kind ?? 'relaunch';
  return story.event({
    type: 'action',
    at: story.now,
    action: { action, step: name, status, text: `${name} ${status}`, ...more },
  });
}

const ended = (story: Story, signal = 'SIGTERM', pid = 4711): Story =>
  story.process({ status: 'gone', pid, exit: { code: null, signal, at: null, oomKills: null } });

const asked = (story: Story, kind: 'kill' | 'relaunch'): Story =>
  story.key({ kind: kind === 'kill' ? 'ask-kill' : 'ask-relaunch' }).key({ kind: 'confirm' });

const rows = (story: Story) =>
  selectScreen(story.state).dialog?.steps.map(({ label, status, text }) => `${status} ${label}: ${text}`);

const seconds = (story: Story): number => (selectScreen(story.state).status.elapsedMs ?? Number.NaN) / 1000;

describe('a server that we have ended', () => {
  it('stays stopped when the next question opens, and when it is put away', () => {
    const story = asked(loading(), 'kill');
    step(ended(step(story, 'kill', 'active', { isSignal: true })), 'kill', 'done').later(2);
    step(story, 'finished', 'done');
    expect([story.outcome, story.state.verdict.summary]).toEqual(['stopped', 'stopped by us']);
    expect(story.later(5).key({ kind: 'ask-relaunch' }).later(3).outcome).toBe('stopped');
    expect(story.key({ kind: 'cancel' }).later(3).outcome).toBe('stopped');
  });

  it('has not crashed where the relaunch that ended it came to nothing', () => {
    const story = asked(loading(), 'relaunch');
    step(ended(step(story, 'kill', 'active', { isSignal: true })), 'kill', 'done').later(2);
    step(step(story, 'preflight', 'failed'), 'finished', 'failed').later(2);
    expect([story.outcome, story.state.verdict.summary]).toEqual(['stopped', 'stopped by us']);
    // By its signal, where others of its tree are left.
    const left = asked(loading(), 'kill');
    step(ended(step(left, 'kill', 'active', { isSignal: true })), 'kill', 'failed').later(2);
    expect(step(left, 'finished', 'failed').later(2).outcome).toBe('stopped');
  });

  it('has crashed all the same where nothing was signalled, or another process took its place', () => {
    const refused = asked(loading(), 'kill');
    step(step(refused, 'kill', 'active'), 'finished', 'failed');
    expect(refused.outcome).toBe('loading');
    expect(ended(refused.later(60), 'SIGKILL').later(2).outcome).toBe('crashed');
    const other = asked(loading(), 'kill');
    step(step(other, 'kill', 'active', { isSignal: true }), 'kill', 'failed');
    other.alive(0, 5000).later(5);
    expect(ended(other, 'SIGTERM', 5000).later(2).outcome).toBe('crashed');
  });

  it('has crashed where it had before: who tidies up after a crash does not undo it', () => {
    const story = launched(new Story(), 1)
      .write(...crashedRun(0))
      .later(5);
    expect(story.outcome).toBe('crashed');
    step(ended(step(asked(story, 'kill'), 'kill', 'active', { isSignal: true })), 'kill', 'done').later(2);
    step(story, 'finished', 'done');
    expect([story.outcome, story.state.verdict.summary]).toEqual(['crashed', "KeyError: 'lm_head.weight'"]);
    expect(selectScreen(story.state).card?.cause?.text).toBe("KeyError: 'lm_head.weight'");
    expect(currentEntry(story.state)?.outcome).toBe('crashed');
  });
});

describe('the clock', () => {
  it('stands at the crash, through a relaunch that is blocked, and begins anew with the next attempt', () => {
    const story = loading()
      .write(...crashedRun(0).slice(3))
      .later(1);
    ended(story, 'SIGKILL').later(60);
    expect([story.outcome, seconds(story)]).toEqual(['crashed', 5]);
    const failed = selectScreen(story.state).phases.find(({ status }) => status === 'failed');
    expect(failed).toMatchObject({ id: 'weights', seconds: 5 });
    asked(story, 'relaunch').later(10);
    expect(selectScreen(story.state).status).toMatchObject({ word: 'RELAUNCHING', elapsedMs: 5000 });
    expect(selectScreen(story.state).phases).toContainEqual(failed);
    step(step(story, 'preflight', 'failed'), 'finished', 'failed').later(10);
    expect([story.outcome, seconds(story)]).toEqual(['crashed', 5]);
    asked(story, 'relaunch').later(3);
    step(launched(story, 2), 'finished', 'done');
    expect([seconds(story), seconds(story.later(2))]).toEqual([0, 2]);
    story.write(readyRun(0)[0] ?? '', readyRun(0)[1] ?? '');
    expect(selectScreen(story.state).phases.find(({ id }) => id === 'args')?.earlierSeconds).not.toBeNull();
  });

  it('stands at the end of a server that we end, whose phase was stopped and has not failed', () => {
    const story = asked(loading(), 'relaunch').later(2);
    expect(seconds(story)).toBe(7);
    ended(step(story, 'kill', 'active', { isSignal: true }).later(1)).later(20);
    expect(seconds(story)).toBe(8);
    expect(selectScreen(story.state).phases.find(({ id }) => id === 'weights')).toMatchObject({
      status: 'stopped',
      seconds: 8,
    });
  });

  it('stands at READY, and comes back with it when the connection was away', () => {
    const story = launched(new Story(), 1).write(...readyRun(0));
    expect(story.later(30).outcome).toBe('ready');
    expect(seconds(story)).toBe(0);
    story
      .event({ type: 'link', at: story.now, link: { status: 'down', reason: 'cut', retryAt: 0 } })
      .later(9);
    expect([story.outcome, seconds(story)]).toEqual(['unknown', 0]);
  });

  it('leaves the crash to be read while the next attempt is prepared', () => {
    const story = launched(new Story(), 1)
      .write(...crashedRun(0))
      .later(5);
    step(asked(story, 'relaunch'), 'before', 'active', { text: 'make' }).key({ kind: 'cancel' });
    expect(story.state.verdict.summary).toBe('before the start: make');
    story.key({ kind: 'overlay', overlay: 'triage' });
    const { overlay } = selectScreen(story.state);
    expect(overlay?.kind === 'triage' && [overlay.card.outcome, overlay.card.headline]).toEqual([
      'crashed',
      "KeyError: 'lm_head.weight'",
    ]);
    expect(evidenceLine(story.state)?.number).toBe(7);
  });

  it('is that of the history, too: who was ended for the next attempt took until then', () => {
    const story = asked(loading(), 'relaunch').later(1);
    ended(step(story, 'kill', 'active', { isSignal: true })).later(20);
    expect(currentEntry(story.state)).toMatchObject({ outcome: 'stopped', endedAt: noon + 6000 });
    step(launched(story, 2), 'finished', 'done');
    expect(story.state.history).toMatchObject([{ attempt: 1, outcome: 'stopped', endedAt: noon + 6000 }]);
    expect(currentEntry(story.state)).toMatchObject({ attempt: 2, endedAt: null });
  });

  it('tells nothing of the progress of a server that is being ended', () => {
    const story = loading().later(20);
    expect(selectScreen(story.state).status).toMatchObject({ quietMs: 25_000 });
    const { status } = selectScreen(asked(story, 'relaunch').state);
    expect(status).toMatchObject({ eta: null, progress: null, quietMs: null, activity: '' });
  });
});

describe('the checklist', () => {
  it('takes the place of the question: what is done, what is being done, and what comes', () => {
    const story = loading();
    story.event({
      type: 'form',
      at: story.now,
      form: { ...story.state.form, before: ['make clean', 'patch --token abcdef'] },
      problem: null,
    });
    story.key({ kind: 'ask-relaunch' });
    expect(selectScreen(story.state).dialog).toMatchObject({ title: 'Relaunch as attempt 2?', steps: [] });
    story.key({ kind: 'confirm' });
    expect(selectScreen(story.state).dialog).toMatchObject({
      title: 'Relaunch as attempt 2 under way',
      lines: [],
      running: true,
    });
    const to = [
      'pending before: make clean',
      'pending before: patch --token ***',
      'pending pre-flight: look at the host',
      'pending start: attempt 2',
      'pending watch: its log from the first line',
    ];
    expect(rows(story)).toEqual([
      'pending kill: what runs, with all its processes',
      'pending GPUs free: wait until the GPUs have given its memory back',
      ...to,
    ]);
    step(step(story, 'kill', 'active').later(3), 'kill', 'done');
    step(story, 'gpus-free', 'active').later(4);
    expect(rows(story)).toEqual(['done kill: kill done', 'active GPUs free: gpus-free active', ...to]);
    expect(selectScreen(story.state).dialog?.steps.map((row) => row.seconds)).toEqual([
      3,
      4,
      ...to.map(() => null),
    ]);
    expect(story.state.verdict.summary).toBe('gpus-free active');
    step(step(story, 'gpus-free', 'done'), 'before', 'active', { text: 'make clean' });
    step(story, 'before', 'done', { text: 'make clean: done' });
    step(story, 'before', 'active', { text: 'patch' });
    expect(rows(story)?.slice(2, 4)).toEqual(['done before: make clean: done', 'active before: patch']);
    step(story, 'before', 'failed', { text: 'patch: status 1' });
    step(story, 'finished', 'failed', { text: 'A command failed: patch\nits last line' });
    expect(selectScreen(story.state).dialog).toMatchObject({ finished: true, running: false });
    expect(rows(story)?.slice(-2)).toEqual([
      'failed before: patch: status 1',
      'failed : A command failed: patch',
    ]);
    expect(selectScreen(story.state).dialog?.steps.at(-1)?.details).toEqual(['its last line']);
  });

  it('says what there was no need for, and says a failure once', () => {
    const story = asked(ended(loading(), 'SIGKILL').later(5), 'relaunch');
    step(step(story, 'kill', 'done', { text: 'It was no longer running' }), 'preflight', 'active');
    expect(rows(story)?.slice(0, 3)).toEqual([
      'done kill: It was no longer running',
      'skipped GPUs free: nothing was to be ended',
      'active pre-flight: preflight active',
    ]);
    step(step(story, 'start', 'failed', { text: 'No folder.' }), 'finished', 'failed', {
      text: 'No folder. Give another --cwd.',
    });
    expect(rows(story)?.at(-1)).toBe('failed start: No folder. Give another --cwd.');
    expect(selectScreen(story.state).dialog?.title).toBe('Relaunch as attempt 2: failed');
    const off = step(asked(ended(loading()).later(5), 'relaunch'), 'preflight', 'asks', {
      details: ['port 1: taken'],
    });
    expect(selectScreen(off.state).dialog?.title).toBe('Relaunch as attempt 2: start all the same?');
    step(step(off, 'preflight', 'failed', { details: ['port 1: taken'] }), 'finished', 'failed', {
      text: 'In the way of the launch: port 1: taken. Nothing was started.',
    });
    expect(selectScreen(off.state).dialog?.title).toBe('Relaunch as attempt 2: called off');
    expect(rows(off)?.slice(-2)).toEqual([
      'failed pre-flight: preflight failed',
      'failed : Nothing was started.',
    ]);
  });

  it('comes back by the key that began it, and by itself where it failed out of sight', () => {
    const story = asked(loading(), 'relaunch').key({ kind: 'cancel' });
    expect(selectScreen(story.state).dialog).toBeNull();
    expect(story.key({ kind: 'ask-kill' }).state.notice?.text).toBe('a relaunch is under way: R shows it');
    expect(selectScreen(story.key({ kind: 'ask-relaunch' }).state).dialog?.running).toBe(true);
    step(story.key({ kind: 'cancel' }), 'finished', 'failed', { text: 'No.' });
    expect(rows(story)).toEqual(['failed : No.']);
    expect(story.effects.filter(({ type }) => type === 'relaunch')).toHaveLength(1);
  });
});
