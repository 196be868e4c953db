import { describe, expect, it } from 'vitest';
import type { Intent } from '../../src/core/intents.js';
import { crashedRun, readyRun, Story } from './fold.js';

/** What `y` copies now; null when it says that there is nothing. */
function copied(
  story: Story,
  ...intents: readonly Intent[]
): { what: string; lines: readonly string[] } | null {
  for (const intent of intents) story.key(intent);
  const before = story.effects.length;
  story.key({ kind: 'copy' });
  const effect = story.effects.slice(before).find(({ type }) => type === 'copy');
  return effect?.type === 'copy' ? { what: effect.what, lines: effect.lines } : null;
}

const numbered = (count: number): Story =>
  new Story().emptyLog().write(...Array.from({ length: count }, (_, index) => `line ${index + 1}`));

const crashed = (): Story =>
  new Story()
    .emptyLog()
    .alive(60)
    .write(...crashedRun(0));

describe('y in the log', () => {
  it('copies the last forty lines as the log has them, down to the lowest in sight', () => {
    expect(copied(numbered(3))).toEqual({ what: '3 lines', lines: ['line 1', 'line 2', 'line 3'] });
    const held = copied(numbered(90), { kind: 'scroll', lines: -10 });
    expect([held?.lines.length, held?.lines[0], held?.lines.at(-1)]).toEqual([40, 'line 41', 'line 80']);
    const folded = new Story()
      .emptyLog()
      .write(...[0, 1].map((rank) => `[2026-03-01 12:00:00 TP${rank}] begin`));
    expect(copied(folded, { kind: 'scroll-to', end: 'top' })?.lines).toHaveLength(1);
    expect(copied(folded, { kind: 'scroll-to', end: 'bottom' })?.lines).toHaveLength(2);
  });

  it('copies no line that a filter keeps back', () => {
    const story = numbered(30);
    expect(copied(story, { kind: 'filter-text', text: '7' }, { kind: 'filter-done' })).toEqual({
      what: '3 lines',
      lines: ['line 7', 'line 17', 'line 27'],
    });
  });

  it('copies the line found, and rather than that the marked ones', () => {
    const story = numbered(30);
    const find = [
      { kind: 'filter-text', text: '7' },
      { kind: 'match', direction: -1 },
    ] as const;
    expect(copied(story, ...find, { kind: 'match', direction: -1 })).toEqual({
      what: 'the chosen line',
      lines: ['line 17'],
    });
    expect(copied(story, { kind: 'mark' })).toEqual({ what: 'the marked line', lines: ['line 17'] });
    expect(copied(story, { kind: 'match', direction: -1 }, { kind: 'mark' })).toEqual({
      what: '2 marked lines',
      lines: ['line 7', 'line 17'],
    });
  });

  it('says so where there is nothing', () => {
    const story = new Story().emptyLog();
    expect(copied(story)).toBeNull();
    expect(story.state.notice?.text).toContain('nothing to copy');
    expect(copied(numbered(3), { kind: 'overlay', overlay: 'help' })).toBeNull();
  });
});

describe('y elsewhere', () => {
  it('copies the card: the cause as the log has it, where, and the remedies', () => {
    const story = crashed();
    const standing = copied(story);
    expect(standing?.what).toBe('the triage card');
    expect(standing?.lines[0]).toBe(story.state.reading.report().rootCause?.line);
    expect(standing?.lines[1]).toMatch(/^ {2}TP\d+ · .* · line \d+ · /);
    expect(standing?.lines.join('\n')).toMatch(/\nremedy: .+\n {2}/);
    expect(copied(story, { kind: 'overlay', overlay: 'triage' })).toEqual(standing);
    expect(copied(story, { kind: 'back' }, { kind: 'filter-clear' })?.what).toMatch(/lines/);
  });

  it('copies the attempt that is chosen, the arguments, and the focused pane', () => {
    const story = crashed();
    const attempt = copied(story, { kind: 'overlay', overlay: 'history' });
    expect(attempt?.lines[0]).toBe(attempt?.what);
    expect(attempt?.lines).toContainEqual(expect.stringMatching(/^cause: /));
    expect(attempt?.lines.slice(-1)[0]).toBe(story.state.log.ring.get(story.state.log.ring.end - 1)?.text);
    expect(copied(story, { kind: 'overlay', overlay: 'arguments' })?.lines).toContainEqual(
      expect.stringMatching(/^tp_size: \d+$/),
    );
    const ready = new Story()
      .emptyLog()
      .alive(60)
      .write(...readyRun(0));
    const phases = copied(ready, { kind: 'focus', pane: 'phases' });
    expect(phases?.what).toBe('the phases');
    expect(phases?.lines).toContainEqual(expect.stringMatching(/^Load weights · done/));
    expect(copied(ready, { kind: 'focus', pane: 'gpus' })).toBeNull();
  });
});
