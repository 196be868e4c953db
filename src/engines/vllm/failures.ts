import type { FailureRule } from '../profile.js';
import { configFailures } from './config-failures.js';
import { memoryFailures } from './memory-failures.js';
import { modelFailures } from './model-failures.js';

/** vLLM’s own start-up failures; the first match counts, so the more special stand first. */
export const failures: readonly FailureRule[] = [...memoryFailures, ...modelFailures, ...configFailures];
