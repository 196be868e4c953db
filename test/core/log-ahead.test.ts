import { describe, expect, it } from 'vitest';
import { lastLogLines } from '../../src/core/last-lines.js';
import { selectLog } from '../../src/core/select/log.js';
import { selectCard } from '../../src/core/select/triage.js';
import { crashedRun, readyRun, Story } from './fold.js';

/** Long ago a run began; its first 7 lines are read, and the newest ones come ahead of the many in between. */
function largeLog(): Story {
  const story = new Story().alive(7200);
  story.opened('/logs/server.log', { size: 200_000_000 });
  return story.write(...readyRun(7000).slice(0, 3)).event({
    type: 'log-ahead',
    at: story.now,
    change: { kind: 'began', skippedBytes: 199_000_000, fromStart: true },
  });
}

const newest = (story: Story, lines: readonly string[], partial = ''): Story =>
  story.event({ type: 'log-ahead', at: story.now, change: { kind: 'lines', lines, partial, isLive: true } });
const reached = (story: Story): Story =>
  story.file({ kind: 'caught-up' }).event({ type: 'log-ahead', at: story.now, change: { kind: 'ended' } });
const shown = (story: Story): readonly (readonly [number | null, string])[] =>
  selectLog(story.state)
    .rows(50)
    .map(({ number, text }) => [number, text] as const);

describe('the newest lines of a large log', () => {
  it('stand below its head and a word about what is between, without numbers', () => {
    const story = newest(largeLog(), ['one', 'two'], 'unfinished');
    expect(shown(story)).toEqual([
      ...readyRun(7000)
        .slice(0, 3)
        .map((text, index) => [index + 1, text]),
      [0, '── 199 MB between here and the newest lines are still being read ──'],
      [null, 'one'],
      [null, 'two'],
      [null, 'unfinished'],
    ]);
    expect(selectLog(story.state).note).toMatch(/newest lines; \d+ % of the log read/);
    expect(lastLogLines(story.state, 2)).toEqual(['two', 'unfinished']);
  });

  it('are there once, with their numbers, when the order has come as far', () => {
    const story = newest(largeLog(), ['one', 'two']);
    story.write(...readyRun(7000).slice(3), 'middle', 'one', 'two');
    expect(shown(story).at(-1)).toEqual([null, 'two']);
    reached(story);
    const all = [...readyRun(7000), 'middle', 'one', 'two'];
    expect(shown(story)).toEqual(all.map((text, index) => [index + 1, text]));
    expect(story.state.reading.report().lines).toBe(all.length);
  });

  it('leave a line that was scrolled to where it is', () => {
    const lines = Array.from({ length: 100 }, (_, n) => `newest ${n}`);
    const story = newest(largeLog(), lines).key({ kind: 'scroll', lines: -30 });
    const before = selectLog(story.state).rows(5);
    expect(before.at(-1)?.text).toMatch(/^newest \d+$/);
    story.write(...Array.from({ length: 300 }, (_, n) => `middle ${n}`), ...lines, 'one more');
    reached(story);
    expect(
      selectLog(story.state)
        .rows(5)
        .map(({ text }) => text),
    ).toEqual(before.map(({ text }) => text));
  });

  it.each([
    ['ready', readyRun(30).slice(-1)],
    ['crashed', crashedRun(30).slice(-5)],
  ] as const)('make it %s for the time being, which ends no wait and enters no history', (outcome, lines) => {
    const story = newest(largeLog(), lines).later(20);
    expect(story.state.verdict).toMatchObject({ outcome, provisional: true });
    expect(story.state.verdict.evidence.map(({ lineNumber }) => lineNumber)).not.toContainEqual(
      expect.any(Number),
    );
    expect(selectCard(story.state).cause?.lineNumber ?? null).toBeNull();
    story.write('middle', ...lines);
    reached(story).later(1);
    expect(story.state.verdict).toMatchObject({ outcome, provisional: false });
    expect(story.state.verdict.evidence[0]?.lineNumber).toBeGreaterThan(3);
  });

  it('prove nothing once the middle says otherwise', () => {
    // Ready, and then a new run in the same file, of which the newest lines show nothing.
    const story = newest(largeLog(), readyRun(60).slice(-1)).later(1);
    expect(story.state.verdict).toMatchObject({ outcome: 'ready', provisional: true });
    story.write(...readyRun(60).slice(-1), ...readyRun(0).slice(0, 3));
    reached(story).later(1);
    expect(story.state.verdict).toMatchObject({ outcome: 'loading', provisional: false });
  });

  it('are no verdict while the link is down', () => {
    const story = newest(largeLog(), crashedRun(30).slice(-5)).later(5);
    expect(story.outcome).toBe('crashed');
    story.event({
      type: 'link',
      at: story.now,
      link: { status: 'down', reason: 'cut', retryAt: story.now + 1000 },
    });
    expect(story.state.verdict).toMatchObject({ outcome: 'unknown', provisional: true });
  });

  it('begin anew after a lost link, below the same head', () => {
    const story = newest(largeLog(), ['old', 'older']);
    story.write('middle 1', 'middle 2');
    story.event({
      type: 'log-ahead',
      at: story.now,
      change: { kind: 'began', skippedBytes: 150_000_000, fromStart: false },
    });
    newest(story, ['new']);
    expect(shown(story).map(([, text]) => text)).toEqual([
      ...readyRun(7000).slice(0, 3),
      'middle 1',
      'middle 2',
      '── 150 MB between here and the newest lines are still being read ──',
      'new',
    ]);
    expect(story.state.reading.report().engine).toBe('sglang');
    story.write('new');
    reached(story);
    expect(shown(story).at(-1)).toEqual([6, 'new']);
  });
});
