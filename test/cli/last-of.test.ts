import { expect, it } from 'vitest';
import { lastOf } from '../../src/cli/last-of.js';

it('the last so many of a list are none for 0, and all of it at most', () => {
  expect([0, 1, 2, 9].map((count) => lastOf(['a', 'b', 'c'], count).join(''))).toEqual([
    '',
    'c',
    'bc',
    'abc',
  ]);
});
