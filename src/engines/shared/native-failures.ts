import type { FailureRule, RemedyRule } from '../profile.js';

const matchBuilds: RemedyRule = {
  id: 'native-crash',
  title: 'Match torch, NCCL and driver',
  why: 'Native code crashed; the first named frame below the line is the culprit.',
};

/** Deaths of C and C++ code, by the words of glibc, LLVM, ROCm, UCX, Open MPI and the shells; the special ones first. */
export const nativeFailures: readonly FailureRule[] = [
  {
    category: 'segfault',
    on: 'line',
    pattern: String.raw`Fatal Python error: (?:Segmentation fault|Bus error|Illegal instruction|Floating)|!!!!!!! Segfault encountered|[Ss]egmentation fault +\(core dumped\)|(?:^|\s)Segmentation fault(?:: 11)?\s*$|(?:\bzsh: |(?:^|\s)\[\d+\] +(?:[+-] +)?(?:\d+ +)?)segmentation fault\b|terminated by signal SIGSEGV|Caught signal (?:4|7|8|11) \(|Signal: Segmentation fault \(11\)`,
    samples: [
      'Fatal Python error: Segmentation fault',
      'zsh: segmentation fault (core dumped)  llama-server -m demo.gguf',
      '[gpu-1:811  :0:811] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x17)',
    ],
    remedies: [matchBuilds],
  },
  {
    category: 'gpu-memory-fault',
    on: 'line',
    pattern: 'Memory access fault by GPU node',
    samples: ['Memory access fault by GPU node-2 (Agent handle: 0x9f73a80) on address 0x7ef9eb704000.'],
    remedies: [matchBuilds],
  },
  {
    category: 'heap-corruption',
    on: 'line',
    pattern: String.raw`double free (?:or corruption|detected)|(?:malloc|realloc|free|munmap_chunk)\(\): (?:invalid|corrupted|unaligned|mismatching)|corrupted size vs\. prev_size|stack smashing detected|buffer overflow detected`,
    samples: ['free(): double free detected in tcache 2', 'malloc(): invalid size (unsorted)'],
    remedies: [matchBuilds],
  },
  {
    category: 'native-assertion',
    on: 'line',
    // glibc: `program: file:line: function: Assertion …`. CUDA kernels' own, by the thousand, have no program in front.
    pattern: String.raw`(?:^|\s)[^\s:]+: \S+:\d+: .{0,400}?Assertion .(?<words>.*). failed\.`,
    samples: ['python3: /src/pass.cpp:66: run(): Assertion `order && "no order"\' failed.'],
    remedies: [{ ...matchBuilds, why: 'Native code demands: {words}' }],
  },
  {
    category: 'kernel-compile',
    on: 'line',
    pattern: 'LLVM ERROR: (?<words>.+)',
    samples: ['LLVM ERROR: Unsupported rounding mode for conversion.'],
    remedies: [
      {
        id: 'matching-compiler',
        title: 'Use a build for this GPU',
        why: 'The kernel compiler gave up: {words}. Another Triton, torch or toolkit version, or another attention backend, avoids it.',
      },
    ],
  },
  {
    category: 'native-abort',
    on: 'line',
    // libstdc++, and libc++ on a Mac.
    pattern: String.raw`(?:^|\s)what\(\):\s+(?<words>\S.*)|libc\+\+abi: terminating (?:with|due to) uncaught exception of type (?<type>.+)`,
    samples: [
      '  what():  something that no other rule knows',
      'libc++abi: terminating due to uncaught exception of type std::out_of_range: vector',
    ],
    remedies: [{ ...matchBuilds, why: 'Native code ended the process: {words}' }],
  },
  {
    category: 'native-abort',
    on: 'line',
    pattern: 'Fatal Python error: Aborted',
    samples: ['Fatal Python error: Aborted'],
    remedies: [matchBuilds],
  },
  {
    category: 'gpu-launch-failure',
    on: 'line',
    pattern: 'aborting with error : (?<words>HSA_STATUS_ERROR.*)',
    samples: [
      ':0:rocdevice.cpp :2778: 81421: Callback: Queue 0x7ed86a000000 aborting with error : HSA_STATUS_ERROR_EXCEPTION: An HSAIL operation resulted in a hardware exception.',
    ],
    remedies: [{ id: 'gpu-error', title: 'Match driver and build', why: 'The GPU said: {words}' }],
  },
];
