import { describe, expect, it } from 'vitest';
import { phaseTookMs } from '../../src/core/phase-times.js';
import { selectScreen } from '../../src/core/select/screen.js';
import type { PhaseFinding } from '../../src/triage/findings.js';
import { crashedRun, readyRun, Story } from './fold.js';

const phase = (
  [startedAt, endedAt]: readonly [number | null, number | null],
  [startedLogMs, endedLogMs]: readonly [number | null, number | null],
): PhaseFinding => ({
  id: 'weights',
  title: 'Load weights',
  model: null,
  status: 'done',
  progress: null,
  detail: null,
  startedAt,
  endedAt,
  startedLogMs,
  endedLogMs,
});

describe('the time of a phase', () => {
  it('is what was seen, which is finer than the stamps', () => {
    expect(phaseTookMs(phase([1000, 3400], [1000, 4000]))).toBe(2400);
    expect(phaseTookMs(phase([1000, 3400], [null, null]))).toBe(2400);
  });

  it("is the log's where its lines came all at once", () => {
    expect(phaseTookMs(phase([90_000, 90_000], [1000, 61_000]))).toBe(60_000);
    expect(phaseTookMs(phase([1000, 90_000], [1000, 5000]))).toBe(4000);
    expect(phaseTookMs(phase([null, 90_000], [1000, 5000]))).toBe(4000);
  });

  it('believes no clock that was set back', () => {
    expect(phaseTookMs(phase([1000, 9000], [5000, 1000]))).toBe(8000);
    expect(phaseTookMs(phase([null, null], [5000, 1000]))).toBeNull();
    expect(phaseTookMs(phase([9000, 1000], [null, null]))).toBe(0);
  });

  it('is right after a stop, in which the launch went on', () => {
    const [first = '', ...others] = readyRun(0);
    const story = new Story()
      .emptyLog()
      .alive(1)
      .write(first)
      .later(60)
      .write(...others);
    const weights = selectScreen(story.state).phases.find(({ id }) => id === 'weights');
    expect(weights).toMatchObject({ status: 'done', seconds: 25 });
  });
});

describe('the clock of a log that nobody writes any more', () => {
  it.each([
    ['was ready', readyRun, 60],
    ['crashed', crashedRun, 70],
  ] as const)('stands at its last line: one that %s', (_, run, seconds) => {
    const story = new Story().oldLog(run(7200), 7200).process({ status: 'absent' }).later(20);
    const { status, phases } = selectScreen(story.state);
    expect(status.summary).toContain('finished log');
    expect(status.elapsedMs).toBeLessThanOrEqual(seconds * 1000);
    for (const phase of phases) expect(phase.seconds ?? 0).toBeLessThanOrEqual(seconds);
    // It runs on where the process may be there, though nobody sees it.
    const unseen = new Story()
      .oldLog(run(7200).slice(0, 3), 7200)
      .process({ status: 'unknown', reason: 'hidden' });
    expect(selectScreen(unseen.later(20).state).status.elapsedMs).toBeGreaterThan(7_000_000);
  });
});
