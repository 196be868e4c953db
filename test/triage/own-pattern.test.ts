import { describe, expect, it } from 'vitest';
import { engineProfiles } from '../../src/engines/registry.js';
import { applyUserRules } from '../../src/engines/user-rules.js';
import { timeBox } from '../../src/runtime/time-box.js';
import { slowPatternText } from '../../src/triage/own-pattern.js';
import { stepBound } from '../../src/triage/pattern-steps.js';
import { createReading } from '../../src/triage/reading.js';

const unlucky = (length: number): string => `[2026-03-01 12:00:00] went wrong ${'a'.repeat(length)}b`;

describe("the user's own patterns", () => {
  const reading = (rules: object) => {
    const { profiles, problems } = applyUserRules({ sglang: rules }, engineProfiles, timeBox);
    expect(problems).toEqual([]);
    const made = createReading({ engine: 'sglang', profiles });
    let number = 0;
    return { made, read: (text: string) => made.read({ number: ++number, text }, null) };
  };

  it('match as they would by themselves', () => {
    const { made, read } = reading({
      failures: [{ id: 'ours', when: 'went (?<how>\\w+) (a+)+$', title: 'It went {how}', why: 'so' }],
      death: ['launcher: rank \\d+ is gone'],
    });
    read('[2026-03-01 12:00:00] went wrong aaaa');
    read('launcher: rank 3 is gone');
    const { rootCause, remedies, outcome } = made.report();
    expect(outcome).toBe('crashed');
    expect(rootCause?.category).toBe('ours');
    expect(remedies[0]?.title).toBe('It went wrong');
    expect(made.findings().slowPatterns).toEqual([]);
  });

  it('hold up no line that they would never be done with, and say so', () => {
    const { made, read } = reading({
      death: ['(a+)+$'],
      phases: [{ when: '(\\w+\\s?)+:$', phase: 'weights' }],
    });
    const began = performance.now();
    read(unlucky(60));
    read('[2026-03-01 12:00:00] The server is fired up and ready to roll!');
    // 40 ms of CPU each; without a limit it would be years.
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(made.findings().ready).not.toBeNull();
    const slow = made.findings().slowPatterns.find(({ pattern }) => pattern === '(a+)+$');
    expect(slow).toMatchObject({ lines: 1, isOff: false });
    expect(slow && slowPatternText(slow)).toBe("your rule '(a+)+$' takes too long: not tried on 1 line");
  });

  it('are left out where they go on so', () => {
    const slowBox: typeof timeBox = (work, limitMs) => ({
      ...timeBox(work, Math.min(limitMs, 3)),
      cpuMs: 400,
    });
    const { profiles } = applyUserRules({ sglang: { death: ['(a+)+$'] } }, engineProfiles, slowBox);
    const made = createReading({ engine: 'sglang', profiles });
    for (let number = 1; number <= 20; number += 1) made.read({ number, text: unlucky(60) }, null);
    const [slow] = made.findings().slowPatterns;
    expect(slow).toEqual({ pattern: '(a+)+$', lines: 3, isOff: true });
    expect(slow && slowPatternText(slow)).toContain('left out from now on');
  });

  it('are refused where their own sample takes too long', () => {
    const sample = `${'a'.repeat(60)}b`;
    const { problems } = applyUserRules(
      { sglang: { death: [{ when: '(a+)+$', sample }] } },
      engineProfiles,
      timeBox,
    );
    expect(problems[0]).toMatchObject({
      path: ['sglang', 'death', 0],
      text: expect.stringContaining('takes too long for its own sample'),
    });
  });
});

describe('the bound for the steps of a pattern', () => {
  const bound = (source: string): number => stepBound(source)(100);

  it('is small for what is read in one go', () => {
    for (const source of [
      'plain words',
      'rank \\d{1,3} is gone',
      '[(+*]x',
      '\\(a\\+\\)\\+',
      'a|b|c',
      '(?:one|two) of',
    ])
      expect([source, bound(source) <= 1e6]).toEqual([source, true]);
  });

  it('grows with each repeat, and has no end for repeats within repeats', () => {
    expect(bound('a.*b')).toBeGreaterThan(bound('ab'));
    expect(bound('a.*b.*c.*d')).toBeGreaterThan(1e6);
    expect(bound('(a)\\1+')).toBeGreaterThan(bound('(a)+'));
    for (const source of [
      '(a+)+$',
      '(.*)*x',
      '(?:a|aa)+$',
      '(\\w+\\s?)+:$',
      '(?=(a+)+$)',
      '((a?b?)){40}',
      '(?:(?:a|b)c){2,}',
    ])
      expect([source, bound(source)]).toEqual([source, Number.POSITIVE_INFINITY]);
    // Many choices one behind the other multiply as well.
    expect(bound('a?'.repeat(40))).toBeGreaterThan(1e12);
  });
});
