import type { EndedRule } from '../profile.js';

/** Last words of a Python program that came to its end by itself: yielding to an exception and to a sign of life. */
export const programEnds: readonly EndedRule[] = [
  {
    // Of torch's destructor, which a process that was killed, or that fell, does not come to.
    orderly: true,
    pattern: String.raw`destroy_process_group\(\) was not called|process group has NOT been destroyed`,
    samples: [
      '[rank0]:[W1021 10:42:01.7 ProcessGroupNCCL.cpp:1496] Warning: WARNING: destroy_process_group() was not called before program exit',
      '[rank0]:[W718 05:11:50.8 ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT been destroyed before we destruct ProcessGroupNCCL.',
    ],
  },
  {
    // The engine's processes were ended with their work done; before that, whoever leaves this behind was killed.
    orderly: true,
    afterReady: 'never',
    afterWork: 'only',
    pattern: String.raw`resource_tracker: There appear to be \d+ leaked`,
    samples: [
      'UserWarning: resource_tracker: There appear to be 2 leaked shared_memory objects to clean up at shutdown',
    ],
  },
];
