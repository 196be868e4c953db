import type { ConsequenceRule, EndedRule, LineRule } from '../profile.js';

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
    soft: true,
    pattern: String.raw`^(?:\S*\.)?KeyboardInterrupt\b`,
    samples: ['KeyboardInterrupt: terminated'],
  },
];

/** Native deaths that any engine's process may print. */
export const sharedDeath: readonly LineRule[] = [
  {
    pattern:
      'Fatal Python error: |terminate called (?:after throwing|without an active exception|recursively)',
    samples: [
      'Fatal Python error: Segmentation fault',
      "terminate called after throwing an instance of 'c10::DistBackendError'",
    ],
  },
  {
    pattern: String.raw`!!!!!!! Segfault encountered|\(core dumped\)|\*\*\* stack smashing detected|pure virtual method called`,
    samples: ['!!!!!!! Segfault encountered !!!!!!!', 'Segmentation fault (core dumped)'],
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
    // docker compose, systemd, mpirun, Kubernetes and the kernel, where their words are in the same file.
    pattern: String.raw`\bexited with code [1-9]|Main process exited, code=|mpirun noticed that process rank|OOMKilled|Out of memory: Killed process|oom-kill:`,
    samples: [
      'sglang-1 exited with code 137',
      'mpirun noticed that process rank 6 with PID 0 on node gpu exited on signal 9 (Killed).',
    ],
  },
  {
    afterReady: 'never',
    pattern: String.raw`resource_tracker: There appear to be \d+ leaked|destroy_process_group\(\) was not called before program exit|process group has NOT been destroyed`,
    samples: [
      'UserWarning: resource_tracker: There appear to be 1 leaked shared_memory objects to clean up at shutdown',
    ],
  },
  {
    pattern: String.raw`(?:^|Z |: line \d+: +)(?:\d+ +)?(?:Killed|Terminated|Aborted|Bus error|Segmentation fault|Illegal instruction)(?:\s*$|\s{2,}|\s+\S*(?:python|vllm|sglang|nohup|llama|sh )|\s+\(core dumped\))`,
    samples: ['Killed', './entrypoint.sh: line 47: 28 Killed python3 -m sglang.launch_server ...'],
  },
  {
    pattern: String.raw`Application startup failed\. Exiting|FATA\[\d+\]|: command not found|python[\d.]*: No module named |docker: Error response from daemon|OCI runtime create failed`,
    samples: ['ERROR:    Application startup failed. Exiting.'],
  },
];

/** uvicorn's orderly end; after ready it means that somebody stopped the server, unless the engine died before. */
export const uvicornStopped: readonly EndedRule[] = [
  {
    afterReady: 'only',
    pattern: 'INFO: {5}(?:Shutting down|Application shutdown complete|Finished server process)',
    samples: ['INFO:     Shutting down'],
  },
];
