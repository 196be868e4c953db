import type { FailureRule } from '../profile.js';

/** Ports, watchdogs, warm-up, compilers and arguments. */
export const processFailures: readonly FailureRule[] = [
  {
    category: 'deepgemm-jit',
    on: 'both',
    pattern: String.raw`NVCC version should be >= 12\.3|nvcc fatal\s*:|NVCC compilation failed|Unknown cases: sf\.dtype`,
    samples: ["nvcc fatal   : Unsupported gpu architecture 'compute_100f'"],
    remedies: [
      {
        id: 'no-deepgemm',
        title: 'Start without DeepGEMM’s compiler',
        why: 'The CUDA toolkit on the host is too old for its kernels.',
        change: { env: { SGLANG_ENABLE_JIT_DEEPGEMM: '0' } },
      },
    ],
  },
  {
    category: 'internal-port-in-use',
    on: 'exception',
    pattern: String.raw`\w+_port at \d+ is not available in \d+ seconds|Port is already in use\. dist_init_port=|engine_info_bootstrap_port \d+ is already in use`,
    samples: ['ValueError: nccl_port at 20123 is not available in 30 seconds.'],
    remedies: [
      {
        id: 'free-port',
        title: 'Stop the server that still holds the port',
        why: 'A rank of an earlier attempt is often still alive.',
      },
    ],
  },
  {
    category: 'watchdog-timeout',
    on: 'line',
    pattern: String.raw`Watchdog timeout \(self\.watchdog_timeout=(?<seconds>\d+)\)|Scheduler watchdog timeout \(self\.watchdog_timeout=\d+, self\.soft=False\)`,
    samples: ['[2025-11-09 16:29:01 TP0] Watchdog timeout (self.watchdog_timeout=300)'],
    remedies: [
      {
        id: 'no-custom-all-reduce',
        title: 'Start without the custom all-reduce',
        why: 'A batch hung for the whole watchdog time; peer access between the GPUs is the usual reason.',
        change: { args: ['--disable-custom-all-reduce'] },
      },
      {
        id: 'longer-watchdog',
        title: 'Raise the watchdog',
        why: 'If kernels were still compiling, the batch was slow and not stuck.',
        change: { args: ['--watchdog-timeout', '1800'] },
      },
    ],
  },
  {
    category: 'warmup-failed',
    on: 'both',
    pattern: String.raw`Initialization failed\. warmup error|Read timed out\. \(read timeout=600\)`,
    samples: [
      '[2025-05-01 12:00:00] Initialization failed. warmup error: Traceback (most recent call last):',
    ],
    remedies: [
      {
        id: 'bypass-proxy',
        title: 'Do not send the warm-up through a proxy',
        why: 'The warm-up calls the server on this host; http_proxy diverts it.',
        change: { env: { no_proxy: '127.0.0.1,localhost' } },
      },
      {
        id: 'skip-warmup',
        title: 'Skip the warm-up',
        why: 'Kernels may still be compiling when the request times out.',
        change: { args: ['--skip-server-warmup'] },
      },
    ],
  },
  {
    category: 'bad-arguments',
    on: 'line',
    pattern: String.raw`(?:launch_server\.py|sglang serve|sglang): error: (?<words>.*)`,
    samples: ['launch_server.py: error: unrecognized arguments: --tpp 8'],
    remedies: [
      {
        id: 'fix-arguments',
        title: 'Correct the arguments',
        why: '{words}. The flag may be newer, or older, than this version.',
      },
    ],
  },
  {
    category: 'prefill-registration',
    on: 'both',
    pattern:
      'Prefill instance failed to register to bootstrap server|Mooncake Transfer Engine initialization failed|NIXL_ERR_',
    samples: ['Prefill instance failed to register to bootstrap server after 5 retries'],
    remedies: [
      {
        id: 'bootstrap-address',
        title: 'Check bootstrap address and IB device',
        why: 'Prefill and decode nodes did not find each other.',
      },
    ],
  },
];
