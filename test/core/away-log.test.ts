import { describe, expect, it } from 'vitest';
import type { LogFileChange } from '../../src/core/events.js';
import { readyRun, Story } from './fold.js';

const readyLine = readyRun(0).slice(-1);
/** uvicorn dates nothing; with vLLM this is all there is. */
const undatedReady = 'INFO:     Application startup complete.';

const lose = (story: Story): Story =>
  story.event({ type: 'link', at: story.now, link: { status: 'down', reason: 'cut', retryAt: 0 } });
const back = (story: Story): Story => story.event({ type: 'link', at: story.now, link: { status: 'up' } });
const opened = (
  change: Partial<Extract<LogFileChange, { kind: 'opened' }>>,
): Extract<LogFileChange, { kind: 'opened' }> => ({
  kind: 'opened',
  path: '/logs/server.log',
  offset: 0,
  size: 1_000_000,
  modifiedAt: null,
  resumed: false,
  ...change,
});
/** The log goes on where it was left, with these lines; its end is then reached. */
function resumed(story: Story, ...lines: readonly string[]): Story {
  const { offset } = story.state.log;
  story.file(opened({ offset, resumed: true, size: offset + lines.join('\n').length + 1 }));
  if (lines.length > 0) story.write(...lines);
  return story.file({ kind: 'caught-up' });
}

const loading = (): Story =>
  new Story()
    .emptyLog()
    .alive(5)
    .write(...readyRun(0).slice(0, 3));

describe('a log that has not been heard of since the reconnect', () => {
  it('makes no CRASHED of a process that is gone: it may say how that ended well', () => {
    const story = back(lose(loading()).later(60));
    const exit = { code: null, signal: 'SIGTERM', at: null, oomKills: null } as const;
    story.process({ status: 'gone', pid: 4711, exit }).later(5);
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
    resumed(story, ...readyRun(0).slice(3)).later(5);
    expect(story.outcome).toBe('stopped');
  });

  it('makes no READY of a line that was there before', () => {
    const story = back(lose(loading().write(...readyLine)).later(60)).alive(65);
    expect(story.outcome).toBe('unknown');
    expect(resumed(story).outcome).toBe('ready');
  });

  it('is not waited for without end', () => {
    const story = back(lose(loading()).later(60));
    story.process({ status: 'gone', pid: 4711, exit: null }).later(61);
    expect(story.outcome).toBe('crashed');
  });

  it('is waited for over the first connection, too', () => {
    const story = new Story().alive(5).process({ status: 'gone', pid: 4711, exit: null }).later(5);
    expect(story.outcome).toBe('unknown');
  });
});

describe('what was written while the connection was away', () => {
  it('is not dated by its arrival: a log that was missing may hold an earlier run by then', () => {
    const story = lose(new Story({ engine: 'vllm' }).file({ kind: 'missing', writesTo: null })).later(3600);
    // The run that was ready has died, and another one has not written a word yet.
    back(story).alive(10, 5000).file(opened({})).write(undatedReady).file({ kind: 'caught-up' });
    expect(story.later(10).outcome).toBe('loading');
  });

  it('is not dated by its arrival in a file that took the place of a rotated one', () => {
    const story = lose(new Story({ engine: 'vllm' }).emptyLog().alive(5).write('INFO first')).later(3600);
    resumed(back(story).alive(10, 5000)).file({ kind: 'rotated', late: true });
    story.file(opened({})).write(undatedReady).file({ kind: 'caught-up' });
    expect(story.later(10).outcome).toBe('loading');
  });

  it('is new in a file that takes the place of one which is rotated under our eyes', () => {
    const story = new Story({ engine: 'vllm' }).emptyLog().alive(5).write('INFO first').later(60);
    story
      .file({ kind: 'rotated', late: false })
      .file(opened({ size: 50 }))
      .write(undatedReady);
    expect(story.outcome).toBe('ready');
  });

  it.each(['resumed', 'rotated'] as const)(
    'is of the process that ran before and still runs, in a log that is %s',
    (how) => {
      const story = lose(
        new Story({ engine: 'vllm' }).emptyLog().alive(600).write('INFO first').later(1),
      ).later(3600);
      back(story).alive(4201);
      if (how === 'resumed') resumed(story, undatedReady);
      else {
        resumed(story).file({ kind: 'rotated', late: true });
        story.file(opened({})).write(undatedReady).file({ kind: 'caught-up' });
      }
      expect(story.outcome).toBe('ready');
    },
  );

  it('is not of that process in a file that cannot be shown to go on', () => {
    const story = lose(new Story({ engine: 'vllm' }).emptyLog().alive(600).write('INFO first')).later(3600);
    back(story).alive(4200).file({ kind: 'gap', bytes: null }).file(opened({})).write(undatedReady);
    expect(story.file({ kind: 'caught-up' }).later(1).outcome).toBe('loading');
  });
});

describe('a log that grows faster than the link', () => {
  it('is not dated by its arrival', () => {
    const story = new Story({ engine: 'vllm' }).emptyLog().later(60).alive(10);
    const lines = [{ number: 1, text: undatedReady }];
    story.event({ type: 'log-lines', at: story.now, lines, offset: 100, size: 50_000_000 });
    expect(story.outcome).toBe('loading');
  });
});

describe('a server that was READY by its port alone', () => {
  const ready = (): Story =>
    new Story().emptyLog().alive(60).write('quiet').answer(200).later(6).answer(200).later(1);

  it('is not LOADING after the reconnect, and READY only after 5 s of fresh answers', () => {
    const story = ready();
    expect(story.outcome).toBe('ready');
    resumed(back(lose(story).later(20)).alive(87));
    expect(story.state.verdict).toMatchObject({
      outcome: 'unknown',
      provisional: true,
      summary: 'was READY before the connection broke; looking again',
    });
    expect(story.answer(200).later(3).answer(200).outcome).toBe('unknown');
    expect(story.state.verdict.summary).toContain('its port answers again: 5 s of that are READY');
    expect(story.later(1.75).outcome).toBe('unknown');
    // As soon as they are over: no further answer is waited for.
    expect(story.later(0.25).outcome).toBe('ready');
  });

  it('is not READY by answers of a stranger, or with one bad answer among them', () => {
    const story = resumed(back(lose(ready()).later(20)).alive(87)).answer(200, false);
    expect(story.later(6).answer(200, false).outcome).not.toBe('ready');
    const shaken = resumed(back(lose(ready()).later(20)).alive(87))
      .answer(200)
      .later(3)
      .answer(503);
    expect(shaken.later(3).answer(200).outcome).toBe('unknown');
    expect(shaken.later(5).outcome).toBe('ready');
  });

  it('is LOADING where it does not answer for long', () => {
    const story = resumed(back(lose(ready()).later(20)).alive(87)).answer(503);
    expect(story.outcome).toBe('unknown');
    expect(story.later(31).answer(503).outcome).toBe('loading');
  });

  it('is LOADING where another process has taken its place', () => {
    const story = resumed(back(lose(ready()).later(20)).alive(5, 5000));
    expect(story.outcome).toBe('loading');
  });
});
