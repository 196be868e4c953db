import type { FailureRule } from '../profile.js';
import { draftFailures } from './draft-failures.js';
import { memoryFailures } from './memory-failures.js';
import { modelFailures } from './model-failures.js';
import { processFailures } from './process-failures.js';

/** SGLang’s own start-up failures; the first match counts, so the more special stand first. */
export const failures: readonly FailureRule[] = [
  ...draftFailures,
  ...memoryFailures,
  ...modelFailures,
  ...processFailures,
];
