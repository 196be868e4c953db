import { describe, expect, it } from 'vitest';
import type { Link } from '../../src/core/events.js';
import { readyRun, Story } from './fold.js';

/** A `/proc` sample in which nothing has moved. */
const still = (story: Story): Story => story.sample([], { memTotalMiB: 100, memAvailableMiB: 50 });

const down: Link = { status: 'down', reason: 'nothing heard for 8 s', retryAt: 0 };
const link = (story: Story, to: Link): Story => story.event({ type: 'link', at: story.now, link: to });
const gone = (story: Story): Story =>
  story.process({
    status: 'gone',
    pid: 4711,
    exit: { code: null, signal: 'SIGKILL', at: null, oomKills: null },
  });
/** The log has been found again, and nothing new is in it. */
const goesOn = (story: Story): Story => {
  const { offset } = story.state.log;
  const where = { path: '/logs/server.log', offset, size: offset, modifiedAt: null } as const;
  return story.file({ kind: 'opened', ...where, resumed: true });
};
const outcome = (story: Story): string => story.state.verdict.outcome;

/** Loads quietly, as it is seen by fresh telemetry. */
const loading = (): Story =>
  still(
    new Story()
      .emptyLog()
      .alive(5)
      .write(...readyRun(0).slice(0, 3)),
  );

describe('what happened while nobody listened', () => {
  it('is no silence: a quiet load is not called stalled right after a long outage', () => {
    const story = link(loading().later(5), down).later(3600);
    link(story, { status: 'up' });
    still(goesOn(story.alive(5)));
    expect(outcome(story)).toBe('loading');
  });

  it('is no silence: nor after this machine slept', () => {
    const story = loading().later(5);
    story.now += 3600_000;
    story.event({ type: 'tick', at: story.now, slept: true });
    still(story);
    expect(outcome(story)).toBe('loading');
  });

  it('makes no READY of what was seen before: the process must have been looked at again', () => {
    const lines = readyRun(0);
    const story = new Story()
      .emptyLog()
      .alive(5)
      .write(...lines.slice(0, 3));
    link(story, down).later(60);
    link(story, { status: 'up' });
    expect(outcome(story)).toBe('unknown');
    // The rest of its log comes before the word that it was killed meanwhile.
    story.write(...lines.slice(3));
    expect(outcome(story)).toBe('unknown');
    gone(story).later(10);
    expect(outcome(story)).not.toBe('ready');
  });

  it('makes no READY of a 200 before and a 200 after', () => {
    const story = new Story({ port: 30000 }).emptyLog().alive(5).write('Loading').answer(200);
    link(story, down).later(60);
    link(story, { status: 'up' });
    goesOn(story.alive(5));
    expect(outcome(story)).toBe('unknown');
    story.answer(200);
    expect(outcome(story)).toBe('loading');
    story.later(5).answer(200);
    expect(outcome(story)).toBe('ready');
  });

  it('does not make an end undone: gone stays gone when the next connection finds nothing', () => {
    const story = gone(new Story().emptyLog().alive(5).write('Loading')).later(10);
    expect(outcome(story)).toBe('crashed');
    link(story, down).later(60);
    expect(outcome(story)).toBe('crashed');
    link(story, { status: 'up' });
    expect(outcome(story)).toBe('crashed');
    story.event({ type: 'process', at: story.now, process: { status: 'absent' } });
    expect(outcome(story.later(10))).toBe('crashed');
  });
});
