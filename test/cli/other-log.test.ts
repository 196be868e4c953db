import { describe, expect, it } from 'vitest';
import { otherLogText } from '../../src/cli/other-log.js';

describe('a log with the number of the attempt behind it', () => {
  it('is said, and only where it differs from the one that was given', () => {
    expect(otherLogText({ number: 2, log: '/x/y.log.2' }, '/x/y.log')).toContain(
      'the log of attempt 2 is /x/y.log.2: /x/y.log is that of the first',
    );
    expect(otherLogText({ number: 1, log: '/x/y.log' }, '/x/y.log')).toBeNull();
    expect(otherLogText({ number: 2, log: '/x/y-2.log' }, '/x/y-{attempt}.log')).toBeNull();
    expect(otherLogText({ number: 2, log: '/state/2/log' }, null)).toBeNull();
  });
});
