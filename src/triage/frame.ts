import type { Prefix } from '../ingest/prefix.js';
import type { LineRef } from './report.js';

/** One frame of one line with what stands before its message. */
export interface Frame {
  readonly text: string;
  readonly number: number;
  /** Arrival, ms. */
  readonly at: number | null;
  readonly prefix: Prefix;
  readonly line: LineRef;
}
