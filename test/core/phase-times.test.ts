import { describe, expect, it } from 'vitest';
import { phaseTookMs } from '../../src/core/phase-times.js';
import { currentEntry } from '../../src/core/run-entry.js';
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

describe('the time of a launch', () => {
  const tookMs = ({ state }: Story): number | null => selectScreen(state).status.elapsedMs;
  const undated = (lines: readonly string[]): readonly string[] =>
    lines.map((line) =>
      line.replace(/^\[[^\]T]*?(?: (TP\d))?\]/, (_, rank) => (rank ? `[${rank}]` : '')).trim(),
    );

  it('is that from start to READY, however much later we come back', () => {
    const story = new Story().oldLog(readyRun(180), 180).alive(240).later(30);
    expect(story.outcome).toBe('ready');
    expect(tookMs(story)).toBe(60_000);
    expect(tookMs(story.later(60))).toBe(60_000);
  });

  it('is not told where nothing dates the ready moment', () => {
    const byPort = new Story({ port: 30000, log: null }).alive(240).answer(200).later(6).answer(200);
    expect(byPort.outcome).toBe('ready');
    expect(tookMs(byPort)).toBeNull();
    const plain = new Story({ port: 30000 })
      .oldLog(undated(readyRun(180)), 180)
      .alive(240)
      .answer(200)
      .later(6)
      .answer(200);
    expect(plain.outcome).toBe('ready');
    expect(tookMs(plain)).toBeNull();
  });

  it('is not told of a start that nobody knows', () => {
    const story = new Story({ port: 30000, log: null });
    const fact = story.alive(0).state.process.fact;
    if (fact?.status !== 'alive') throw new Error('not alive');
    const unknown = new Story({ port: 30000, log: null }).process({ ...fact, startedAt: null });
    unknown.answer('refused').later(3).answer(200).later(6).answer(200);
    expect(unknown.outcome).toBe('ready');
    expect(tookMs(unknown)).toBeNull();
  });

  it('is known where the port was seen to turn', () => {
    const story = new Story({ port: 30000, log: null }).alive(240).answer(503).later(3).answer(200);
    story.later(6).answer(200);
    expect(story.outcome).toBe('ready');
    expect(tookMs(story)).toBe(249_000);
    // An outage in between hides the moment.
    const hidden = new Story({ port: 30000, log: null }).alive(240).answer(503).later(300).answer(200);
    hidden.later(6).answer(200);
    expect(hidden.outcome).toBe('ready');
    expect(tookMs(hidden)).toBeNull();
  });

  it('is what an earlier view has kept', () => {
    const story = new Story({ port: 30000, log: null }).alive(240).answer(200).later(6).answer(200);
    const entry = currentEntry(story.state);
    if (entry === null || entry.startedAt === null) throw new Error('no entry');
    expect(entry.readyAt).toBeNull();
    const entries = [{ ...entry, readyAt: entry.startedAt + 11_000 }];
    story.event({ type: 'history', at: story.now, entries });
    expect(tookMs(story)).toBe(11_000);
  });

  it('is not told of a process that was gone when we came', () => {
    const late = new Story({ log: null }).process({ status: 'gone', pid: 4711, exit: null }).later(5);
    expect(tookMs(late)).toBeNull();
  });
});
