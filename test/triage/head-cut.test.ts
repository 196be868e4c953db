import { describe, expect, it } from 'vitest';
import { readAll } from '../../src/triage/reading.js';
import { labelledLogs, linesOf } from '../support/case-files.js';

const crashed = labelledLogs().filter(
  ({ name, label }) => label.root_cause_line !== null && !name.includes('newest-first'),
);

describe('a log whose head was cut off', () => {
  // What people paste begins with the traceback, or one line before it.
  it.each(crashed)('still names its cause: $name', ({ text }) => {
    const lines = linesOf(text);
    const { outcome, rootCause } = readAll(lines).report();
    const at = rootCause?.lineNumber ?? 0;
    const header = lines.findLastIndex(
      (line) => line.number < at && line.text.includes('Traceback (most recent'),
    );
    const from = header >= 0 && at - header < 160 ? header : at - 1;
    const cut = readAll(lines.slice(Math.max(0, from - 1))).report();
    expect(cut).toMatchObject({ outcome, rootCause: { lineNumber: at } });
  });
});
