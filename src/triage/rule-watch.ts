import type { Suspect } from './evidence.js';
import type { LineLevel } from './findings.js';
import type { LineRef } from './report.js';
import type { Rule } from './rule-kinds.js';

/** Hears how the rules took each line that met one, or that is an error or part of a traceback. */
export type RuleWatch = (step: RuleStep) => void;

export interface RuleStep {
  readonly line: LineRef;
  /** The rules that matched it: valid during the call only. */
  readonly matched: readonly Rule[];
  readonly level: LineLevel;
  readonly inTraceback: boolean;
  /** The exception that ends here. Its `traceback.more` fills with the lines that follow. */
  readonly suspect: Suspect | null;
}
