import { describe, expect, it } from 'vitest';
import { evidenceLine } from '../../src/core/evidence-line.js';
import { lastLogLines } from '../../src/core/last-lines.js';
import { currentEntry } from '../../src/core/run-entry.js';
import { selectScreen } from '../../src/core/select/screen.js';
import type { LogPaneModel } from '../../src/core/view-models/log.js';
import { crashedRun, Story } from './fold.js';
import { launched } from './launched.js';

const log = (story: Story): LogPaneModel => selectScreen(story.state).log;
const texts = (story: Story, height = 50): readonly string[] =>
  log(story)
    .rows(height)
    .map(({ text }) => text);

const error = "KeyError: 'lm_head.weight'";
const second = '── attempt 2 · /logs/server.2.log ──';

/** An attempt that crashed, and the next one. */
function relaunched(...lines: readonly string[]): Story {
  const story = launched(new Story(), 1)
    .write(...crashedRun(0))
    .process({ status: 'gone', pid: 4711, exit: null })
    .later(60);
  return launched(story, 2).write(...lines);
}

const fine = ['[2026-03-01 12:00:01 TP0] Init torch distributed begin.', 'nothing to see'];

/** The log of the container `web` begins with another run of it. */
const runs = (story: Story, run: string, size = 0): Story =>
  story.fromTheTop().opened('web', { size, modifiedAt: null, run });

describe('the log after a relaunch', () => {
  it('counts the lines of this attempt, and parts it from those before', () => {
    const story = relaunched(...fine);
    expect(log(story)).toMatchObject({ total: 2, matched: null, title: '/logs/server.2.log' });
    expect(texts(story).slice(-3)).toEqual([second, ...fine]);
  });

  it('parts the attempts in every filtered view, and counts this one, with how many are earlier', () => {
    const story = relaunched(...fine).key({ kind: 'toggle', what: 'errors-only' });
    expect(texts(story).slice(-2)).toEqual([expect.stringContaining('Received sigquit'), second]);
    const earlier = log(story).matched?.earlier ?? 0;
    expect(earlier).toBeGreaterThan(0);
    expect(log(story).matched).toEqual({ count: 0, of: 2, earlier, share: 1 });
    story.write(...crashedRun(0).slice(3));
    expect(texts(story).indexOf(second)).toBeLessThan(texts(story).lastIndexOf(error));
    expect(log(story).matched).toMatchObject({ count: earlier, earlier });
    story.key({ kind: 'toggle', what: 'errors-only' }).key({ kind: 'toggle', what: 'milestones-only' });
    // The parting line is a row, and no milestone of the engine.
    expect(texts(story).filter((text) => text === second)).toHaveLength(1);
    expect(log(story).matched?.count).toBe(1);
    story.key({ kind: 'toggle', what: 'milestones-only' }).key({ kind: 'filter-text', text: 'see' });
    expect(texts(story)).toEqual([second, 'nothing to see']);
    expect(texts(story.key({ kind: 'filter-text', text: 'no such word' }))).toEqual([second]);
    expect(log(story).matched).toMatchObject({ count: 0, earlier: 0 });
  });

  it('scrolls over the parting lines as over rows, up and down', () => {
    const story = relaunched(...fine, 'x1', 'x2');
    story.key({ kind: 'filter-text', text: '^x|KeyError|sigquit' });
    const all = texts(story);
    for (let up = 1; up < all.length; up += 1) {
      story.key({ kind: 'scroll', lines: -1 });
      expect(texts(story, 1)).toEqual(all.slice(-1 - up).slice(0, 1));
    }
    for (let down = all.length - 2; down > 0; down -= 1) {
      story.key({ kind: 'scroll', lines: 1 });
      expect(log(story).rowsBelow(50)).toHaveLength(down);
    }
  });

  it('goes from match to match across the attempts, says where one is earlier, and stops at no parting line', () => {
    const story = relaunched(...fine, 'begin again').key({ kind: 'filter-text', text: 'begin|attempt' });
    story.key({ kind: 'toggle-filter-mode' });
    const found: (string | undefined)[] = [];
    for (let step = 0; step < 3; step += 1) {
      story.key({ kind: 'match', direction: -1 });
      found.push(story.state.log.ring.get(story.state.view.found ?? -1)?.text);
      if (step === 1) expect(story.state.notice?.text).toBe('this match is in the log of an earlier attempt');
    }
    expect(found).toEqual([
      fine[0],
      expect.stringContaining('Load weight begin'),
      expect.stringContaining('Init torch distributed begin'),
    ]);
  });

  it('is what is dumped, kept and quoted: nothing of the attempt before', () => {
    const story = relaunched(...fine);
    expect(lastLogLines(story.state, 40)).toEqual(fine);
    expect(currentEntry(story.state)?.lastLines).toEqual(fine);
    const silent = relaunched()
      .process({ status: 'gone', pid: 4712, exit: { code: 1, signal: null, at: null, oomKills: null } })
      .later(5);
    expect(silent.state.verdict).toMatchObject({
      outcome: 'crashed',
      summary: 'the process is gone (exit 1) with no word in the log',
    });
    expect(silent.key({ kind: 'dump' }).effects).toEqual([]);
    expect(silent.state.notice?.text).toBe('there is no line to dump: the log is empty');
  });

  it('is where the evidence of its verdict is looked for', () => {
    const story = relaunched(...crashedRun(0)).later(1);
    const seq = evidenceLine(story.state)?.seq;
    expect(seq).toBeGreaterThan(story.state.log.runFrom);
    expect(story.state.log.ring.get(seq ?? -1)?.text).toBe(error);
  });

  it('parts the runs of a container, too', () => {
    const story = new Story({ log: 'web' });
    runs(story, 'one').write('an old word');
    runs(story, 'two').write('a new word').key({ kind: 'filter-text', text: 'word' });
    expect(texts(story)).toEqual(['an old word', '── started again · web ──', 'a new word']);
    expect(log(story).matched).toEqual({ count: 1, of: 1, earlier: 1, share: 1 });
  });

  it('shows no newest lines of the run before in the log of the next one', () => {
    const story = new Story({ log: 'web' });
    runs(story, 'one', 1).write('first');
    for (const change of [
      { kind: 'began', skippedBytes: null, fromStart: false },
      { kind: 'lines', lines: ['newest of the first run'], partial: '', isLive: true },
    ] as const)
      story.event({ type: 'log-ahead', at: story.now, change });
    expect(texts(story)).toEqual([
      'first',
      '── lines between here and the newest lines are still being read ──',
      'newest of the first run',
    ]);
    runs(story, 'two', 1).write('second');
    expect(texts(story)).toEqual(['first', '── started again · web ──', 'second']);
    expect(story.state.log.ahead).toBeNull();
    expect(story.state.reading.findings().lines).toBe(1);
  });
});
