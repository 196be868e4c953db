import type { Reading } from '../triage/findings.js';
import { slowPatternText } from '../triage/own-pattern.js';
import { remark } from './remark.js';

/** What the user's own rules may have missed in what was read, because they took too long. */
export function remarkSlow(reading: Reading): void {
  for (const slow of reading.findings().slowPatterns) remark(slowPatternText(slow));
}
