import { sanitize } from '../ingest/sanitize.js';
import type { Reading } from '../triage/findings.js';
import { slowPatternText } from '../triage/own-pattern.js';

/** A word on stderr beside the result; it may hold names from outside. */
export function remark(text: string): void {
  process.stderr.write(`firedup: ${sanitize(text)}\n`);
}

/** What the user's own rules may have missed in what was read, because they took too long. */
export function remarkSlow(reading: Reading): void {
  for (const slow of reading.findings().slowPatterns) remark(slowPatternText(slow));
}
