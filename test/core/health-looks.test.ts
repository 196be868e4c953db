import { describe, expect, it } from 'vitest';
import { describeChanges } from '../../src/cli/changes.js';
import { foldAt, standsForItself } from '../../src/core/fold-view.js';
import { wantedProbes } from '../../src/core/wanted.js';
import { readyRun, Story } from './fold.js';

const look = (port: number, path = '/health', code = 200): string =>
  `INFO:     127.0.0.1:${port} - "GET ${path} HTTP/1.1" ${code}${code === 200 ? ' OK' : ''}`;

describe('looks at the readiness path', () => {
  const shown = (...lines: readonly string[]): readonly (readonly [number, number])[] => {
    const { ring } = new Story().emptyLog().write(...lines).state.log;
    const rows = lines.map((_, seq) => seq).filter((seq) => standsForItself(ring, seq, ring.end - 1));
    return rows.map((seq) => [seq, foldAt(ring, seq, ring.end - 1)?.copies ?? 1]);
  };

  it('are one row, however many of them follow one another', () => {
    const many = Array.from({ length: 500 }, (_, index) => look(50_000 + index));
    expect(shown('Ready', ...many, 'A request')).toEqual([
      [0, 1],
      [1, 500],
      [501, 1],
    ]);
  });

  it('are rows of their own where something stands between, or the answer is another', () => {
    expect(shown(look(1), look(2), 'A request', look(3), look(4, '/health', 503))).toEqual([
      [0, 2],
      [2, 1],
      [3, 1],
      [4, 1],
    ]);
    expect(shown(look(1, '/v1/models'), look(2, '/v1/models'))).toHaveLength(2);
  });

  it('are few once it is ready and answers, and as many as before when it is not', () => {
    const story = new Story({ port: 30000 }).emptyLog().alive(60);
    expect(wantedProbes(story.answer(503).state).isReady).toBe(false);
    story
      .write(...readyRun(0))
      .answer(200)
      .later(1);
    expect(story.outcome).toBe('ready');
    expect(wantedProbes(story.state).isReady).toBe(true);
    expect(wantedProbes(story.answer('refused').state).isReady).toBe(false);
  });
});

describe("a stranger on the server's port", () => {
  it('is told once as a suspicion with what to do, and stays a stranger after the death', () => {
    const story = new Story({ port: 30000 }).emptyLog().alive(10);
    const before = story.state;
    const told = describeChanges(before, story.answer(200, false).state, null);
    const suspicion = told.filter(({ kind }) => kind === 'suspicion').map(({ text }) => text);
    expect(suspicion).toEqual([expect.stringContaining("ss -ltnp 'sport = :30000'")]);
    const again = story.state;
    expect(describeChanges(again, story.later(3).answer(200, false).state, null)).not.toContainEqual(
      expect.objectContaining({ kind: 'suspicion' }),
    );
    story.process({ status: 'gone', pid: 4711, exit: null });
    expect(story.answer(200, null).state.health?.answer.owned).toBe(false);
  });
});
