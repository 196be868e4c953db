import { readAll } from '../../src/triage/reading.js';
import type { Report } from '../../src/triage/report.js';
import { linesOf } from './case-files.js';

/** The report over a log of these lines. */
export const judge = (...lines: readonly string[]): Report => readAll(linesOf(lines.join('\n'))).report();

/** A traceback of one frame, in `file`, that ends in `end`. */
export const traceback = (end: string, file = '/srv/job.py'): string[] => [
  'Traceback (most recent call last):',
  `  File "${file}", line 7, in main`,
  '    run()',
  end,
];
