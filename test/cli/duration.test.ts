import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/cli/duration.js';

describe('a duration', () => {
  it.each([
    ['90', 90_000],
    ['10s', 10_000],
    ['1.5m', 90_000],
    ['2h', 7_200_000],
    ['250ms', 250],
    ['0', 0],
  ])('%s is %i ms', (text, ms) => expect(parseDuration(text, '--timeout')).toBe(ms));

  it.each(['', 'soon', '-1s', '10 minutes', '1e3', 'NaN'])(
    '%j is refused with the name of its option',
    (text) => {
      expect(() => parseDuration(text, '--grace')).toThrow(/--grace takes a duration/);
    },
  );
});
