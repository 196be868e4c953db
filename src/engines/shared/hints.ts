import type { HintRule } from '../profile.js';

/** The true reason of a general failure, printed above it. */
export const sharedHints: readonly HintRule[] = [
  {
    category: 'nccl-init',
    pattern: 'NCCL WARN (?!NET/|NET OFI|Call to bind failed)',
    samples: [
      'gpu-1:849:1185 [0] transport/p2p.cc:275 NCCL WARN Cuda failure 217 peer access is not supported',
    ],
  },
  {
    category: 'jit-toolchain-missing',
    pattern: 'nvcc fatal|: fatal error: |ninja: build stopped|ptxas fatal',
    samples: ["nvcc fatal   : Unsupported gpu architecture 'compute_100f'"],
  },
];
