import type { FailureRule } from '../profile.js';

/** What does not fit into the GPUs, or into the host. */
export const memoryFailures: readonly FailureRule[] = [
  {
    category: 'oom-kv-cache',
    phase: 'kv-cache',
    on: 'exception',
    pattern: String.raw`Not enough memory\. Please try to increase --mem-fraction-static|Loaded weights leave no GPU memory for the KV cache`,
    samples: ['RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.'],
    remedies: [
      {
        id: 'raise-mem-fraction',
        title: 'Give weights and KV cache a larger share',
        why: 'The weights alone fill the share that --mem-fraction-static sets aside.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'raise-mem-fraction',
      },
      {
        id: 'more-gpus',
        title: 'Spread the model over more GPUs',
        why: 'Half of the weights a GPU leaves room for the cache.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'double-tp',
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    phase: 'kv-cache',
    on: 'exception',
    pattern:
      'SWA pool .*cannot hold even one request|state cache is too small|Memory pool size is too small|max_running_request is zero',
    samples: ['RuntimeError: Memory pool size is too small'],
    remedies: [
      {
        id: 'raise-mem-fraction',
        title: 'Give weights and KV cache a larger share',
        why: 'The pool that is left does not hold one request.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'raise-mem-fraction',
      },
    ],
  },
  {
    category: 'oom-kv-cache',
    on: 'exception',
    during: ['kv-cache'],
    pattern: 'out of memory|OutOfMemoryError',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.44 GiB.'],
    remedies: [
      {
        id: 'lower-mem-fraction',
        title: 'Take a smaller share for the cache',
        why: 'The share that --mem-fraction-static asks for is not free.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'lower-mem-fraction',
      },
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'The message lists what each process has in use.',
      },
    ],
  },
  {
    category: 'oom-graph-capture',
    on: 'exception',
    during: ['graphs', 'warmup'],
    pattern: 'out of memory|OutOfMemoryError',
    samples: ['torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.'],
    remedies: [
      {
        id: 'lower-mem-fraction',
        title: 'Leave more memory for the graphs',
        why: 'Capture runs in what --mem-fraction-static leaves over.',
        change: { args: ['--mem-fraction-static', '{memFraction}'] },
        compute: 'lower-mem-fraction',
      },
      {
        id: 'smaller-graph-batch',
        title: 'Capture smaller batches',
        why: 'Each captured batch size holds memory of its own.',
        change: { args: ['--cuda-graph-max-bs', '16'] },
      },
    ],
  },
  {
    category: 'memory-unbalanced',
    on: 'exception',
    pattern: '(?:ValueError|RuntimeError): The memory capacity is unbalanced',
    samples: ['ValueError: The memory capacity is unbalanced. Some GPUs may be occupied by other processes.'],
    remedies: [
      {
        id: 'free-gpus',
        title: 'Free the GPUs that another process holds',
        why: 'An old server or a neighbour has memory on some of them; look at the GPU pane.',
      },
      {
        id: 'skip-balance-check',
        title: 'Skip the check',
        why: 'Works where the neighbour is meant to stay (0.4.6–0.5.6).',
        change: { env: { SGL_DISABLE_TP_MEMORY_INBALANCE_CHECK: '1' } },
      },
    ],
  },
  {
    category: 'host-memory',
    on: 'both',
    pattern: String.raw`(?:died during initialization \(exit code: -9\)|Exit code: -9\b|crashed with exit code -9\b|failed with (?:an exit code 9|exitcode=9)\b)`,
    samples: [
      '[2026-01-01 10:00:00] Exit code: -9',
      'RuntimeError: Rank 0 scheduler died during initialization (exit code: -9).',
    ],
    remedies: [
      {
        id: 'host-memory',
        title: 'Look for the OOM killer',
        why: 'A rank was killed with SIGKILL and no word of its own: dmesg -T | grep -i oom. More host RAM, a larger cgroup limit or fewer loader threads help.',
      },
    ],
  },
];
