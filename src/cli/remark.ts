import { sanitize } from '../ingest/sanitize.js';

/** A word on stderr beside the result; it may hold names from outside. */
export function remark(text: string): void {
  process.stderr.write(`firedup: ${sanitize(text)}\n`);
}
