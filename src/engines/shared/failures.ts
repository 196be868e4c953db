import type { FailureRule } from '../profile.js';
import { distributedFailures } from './distributed-failures.js';
import { environmentFailures } from './environment-failures.js';
import { gpuFailures } from './gpu-failures.js';
import { hubFailures } from './hub-failures.js';

/** Failures of torch, NCCL, CUDA, the hub and the host, whatever the engine. */
export const sharedFailures: readonly FailureRule[] = [
  ...gpuFailures,
  ...hubFailures,
  ...environmentFailures,
  ...distributedFailures,
];
