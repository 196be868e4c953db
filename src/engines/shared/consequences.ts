import type { ConsequenceRule, EndedRule, LineRule } from '../profile.js';
import { kernelKill } from './kernel-kill.js';
import { signalSamples, signalWords } from './signal-failures.js';
import { startEnded } from './start-failures.js';
import { uvicornSays } from './uvicorn.js';

/** What processes print because another one died. Soft ones are named where the log holds nothing deeper. */
export const sharedConsequences: readonly ConsequenceRule[] = [
  { pattern: String.raw`^\S*EOFError\b`, samples: ['EOFError'] },
  {
    pattern: String.raw`^\S*(?:SystemExit|CancelledError|BrokenPipeError|ContextTerminated)\b|^KeyError: '/(?:mp|psm_)|resource_tracker: `,
    samples: ['SystemExit: 15', 'asyncio.exceptions.CancelledError', "KeyError: '/mp-abc'"],
  },
  {
    soft: true,
    pattern:
      'monitoredBarrier|Connection (?:closed by peer|reset by peer)|recvValue failed|sendBytes failed|Broken ?pipe|NCCL communicator was aborted|ncclRemoteError|remote process exited or there was a network error|Gloo.*(?:Application timeout|Read error|Socket closed)',
    samples: ['RuntimeError: [../gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.1]:45492'],
  },
  {
    // Groups and wrappers: what they hold comes with a traceback of its own.
    soft: true,
    pattern: String.raw`^(?:\S*\.)?(?:Base)?ExceptionGroup\b`,
    samples: ['ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)'],
  },
  {
    // C++ says before it aborts why, unless it says nothing at all.
    soft: true,
    pattern:
      'Fatal Python error: Aborted|aborting with error : HSA_STATUS_ERROR|watchdog thread terminated with exception: (?:CUDA|HIP) error: (?:an illegal|unspecified|device-side)',
    samples: ['Fatal Python error: Aborted'],
  },
  {
    soft: true,
    pattern: String.raw`^(?:\S*\.)?KeyboardInterrupt\b`,
    samples: ['KeyboardInterrupt: terminated'],
  },
];

/** Native deaths that any engine's process may print. */
export const sharedDeath: readonly LineRule[] = [
  {
    pattern:
      'Fatal Python error: |terminate called (?:after throwing|without an active exception|recursively)|libc\\+\\+abi: terminating',
    samples: [
      'Fatal Python error: Segmentation fault',
      'libc++abi: terminating due to uncaught exception of type std::out_of_range: vector',
      "terminate called after throwing an instance of 'c10::DistBackendError'",
    ],
  },
  {
    pattern: String.raw`!!!!!!! Segfault encountered|\((?:core dumped|Speicherabzug geschrieben)\)|\*\*\* stack smashing detected|pure virtual method called|Caught signal (?:4|6|7|8|11) \(|\*\*\* (?:Process received signal|SIG(?:SEGV|ABRT|BUS|FPE|ILL) received)|Memory access fault by GPU node`,
    samples: [
      '!!!!!!! Segfault encountered !!!!!!!',
      'Segmentation fault (core dumped)',
      '[gpu-1:811  :0:811] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x17)',
      '*** SIGABRT received at time=1708511498 on cpu 37 ***',
    ],
  },
  {
    // Ray's core worker, of C++ that nobody caught.
    pattern: String.raw`\d \d+\] (?:\([\w-]+\) )?logging\.cc:\d+: Unhandled exception: `,
    samples: [
      '(RayWorker pid=940) [2026-12-07 06:56:42,105 E 940 962] logging.cc:97: Unhandled exception: St13runtime_error. what(): demo',
    ],
  },
  {
    pattern: 'we are taking the entire process down',
    samples: [
      '[rank6]:[E326 01:29:36.7 ProcessGroupNCCL.cpp:636] [Rank 6] To avoid data inconsistency, we are taking the entire process down.',
    ],
  },
];

/** Lines after which a process is at its end, if nothing of the engine follows. */
export const sharedEnded: readonly EndedRule[] = [
  {
    // docker compose, systemd, mpirun, Slurm, Kubernetes and the kernel, where their words are in the same file.
    pattern: String.raw`\bexited with code (?!137|143)[1-9]|^command terminated with (?:non-zero )?exit code (?!137|143)[1-9]|srun: error: \S+: tasks? [\d,-]+: (?:Exited with exit code [1-9]|Out Of Memory|Segmentation fault|Aborted|Bus error)|slurmstepd: error: Detected \d+ oom.kill event|Main process exited, code=|mpirun noticed that process rank|OOMKilled|${kernelKill}`,
    samples: [
      'sglang-1 exited with code 1',
      'command terminated with exit code 1',
      'srun: error: node-[1-2]: tasks 0-1: Out Of Memory',
      'slurmstepd: error: Detected 1 oom_kill event in StepId=967403.0. Some of the step tasks have been OOM Killed.',
      'mpirun noticed that process rank 6 with PID 0 on node gpu exited on signal 9 (Killed).',
      'Memory cgroup out of memory: Killed process 4711 (VLLM::EngineCor) total-vm:1kB, anon-rss:2kB',
      'oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=a,task_memcg=/a,task=python3,pid=4711,uid=0',
    ],
  },
  {
    afterReady: 'never',
    afterWork: 'never',
    pattern: String.raw`resource_tracker: There appear to be \d+ leaked`,
    samples: [
      'UserWarning: resource_tracker: There appear to be 1 leaked shared_memory objects to clean up at shutdown',
    ],
  },
  {
    bySignal: true,
    pattern: signalWords,
    samples: [...signalSamples],
  },
  {
    pattern: String.raw`(?:^|Z |: line \d+: +)(?:\d+ +)?(?:Aborted|Bus error|Segmentation fault|Illegal instruction)(?:\s*$|\s{2,}|\s+\S*(?:python|vllm|sglang|nohup|llama|sh )|\s+\(core dumped\))`,
    samples: [
      'Aborted (core dumped)',
      './entrypoint.sh: line 47: 28 Bus error python3 -m sglang.launch_server ...',
    ],
  },
  {
    // zsh, fish and macOS.
    pattern: String.raw`(?:\bzsh: |(?:^|\s)\[\d+\] +(?:[+-] +)?(?:\d+ +)?)(?:abort|segmentation fault|bus error|illegal hardware instruction|trace trap|IOT instruction)\b|(?:^|\s)(?:Segmentation fault: 11|Abort trap: 6|Bus error: 10)\s*$|terminated by signal SIG(?:SEGV|ABRT|BUS|ILL|FPE)`,
    samples: [
      'zsh: segmentation fault (core dumped)  llama-server -m demo.gguf',
      'Segmentation fault: 11',
      "fish: Job 1, 'llama-server -m demo.gguf' terminated by signal SIGSEGV (Address boundary error)",
    ],
  },
  {
    pattern: String.raw`Application startup failed\. Exiting|FATA\[\d+\]`,
    samples: ['ERROR:    Application startup failed. Exiting.'],
  },
  ...startEnded,
];

/**
 * Who runs it ends it. systemd ends the unit; after it the engine may say nothing at all. `names` is a pattern for what
 * such a unit is called: a journal tells of the units of other engines as well. `unit` is one, for the pattern's sample.
 */
export function stoppedFromOutside(names: string, unit: string): readonly EndedRule[] {
  return [
    {
      bySignal: true,
      pattern: String.raw`systemd\[\d+\]: Stopping .*(?:${names})`,
      samples: [`Jun 01 13:56:03 node-1 systemd[1]: Stopping ${unit}...`],
    },
    {
      // Slurm: by scancel, at the time limit, or because its user interrupted srun. A step may be another one's.
      orderly: true,
      pattern: String.raw`slurmstepd: error: \*\*\* (?:JOB|STEP) \S+ ON \S+ CANCELLED AT |srun: forcing job termination`,
      samples: [
        'slurmstepd: error: *** STEP 967403.32 ON node-1 CANCELLED AT 2026-07-18T00:40:30 ***',
        'slurmstepd: error: *** JOB 967403 ON node-1 CANCELLED AT 2026-07-18T00:40:30 DUE TO TIME LIMIT ***',
      ],
    },
  ];
}

/** uvicorn's orderly end; after ready it means that somebody stopped the server, unless the engine died before. */
export const uvicornStopped: readonly EndedRule[] = [
  {
    afterReady: 'only',
    pattern: uvicornSays(String.raw`Shutting down\s*$|Application shutdown complete|Finished server process`),
    samples: ['INFO:     Shutting down', '2026-03-01 10:01:00,003 - uvicorn.error - INFO - Shutting down'],
  },
  {
    // Python's tracker outlives them all; as a last word it says that a server is gone which had no time to tidy up.
    afterReady: 'only',
    orderly: true,
    pattern: String.raw`resource_tracker: There appear to be \d+ leaked`,
    samples: [
      'UserWarning: resource_tracker: There appear to be 4 leaked semaphore objects to clean up at shutdown',
    ],
  },
];
