import type { FailureRule } from '../profile.js';

/** Ranks that do not find, or lose, each other. NCCL's own words stand last: most often another cause is named beside them. */
export const distributedFailures: readonly FailureRule[] = [
  {
    category: 'dist-rendezvous-timeout',
    phase: 'distributed',
    on: 'exception',
    pattern: String.raw`DistNetworkError|DistStoreError|wait timeout after \d+ms|client socket has timed out after|Gloo connectFullMesh failed`,
    samples: [
      'torch.distributed.DistStoreError: wait timeout after 1800000ms, keys: /default_pg/0//38//cpu//0/0',
    ],
    remedies: [
      {
        id: 'network-interface',
        title: 'Name the network interface',
        why: 'The nodes did not find each other: set the interface that reaches the peers, and open the firewall.',
        change: { env: { GLOO_SOCKET_IFNAME: 'eth0', NCCL_SOCKET_IFNAME: 'eth0' } },
      },
    ],
  },
  {
    category: 'nccl-timeout',
    phase: 'distributed',
    on: 'line',
    pattern: String.raw`\[Rank \d+\] Watchdog caught collective operation timeout: WorkNCCL`,
    samples: [
      '[rank6]:[E326 01:29:36.7 ProcessGroupNCCL.cpp:616] [Rank 6] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=2, OpType=ALLREDUCE',
    ],
    remedies: [
      {
        id: 'find-slow-rank',
        title: 'Find the rank that is behind',
        why: 'One rank did not join the collective: look at the ranks in the phase list and at that rank’s own error.',
      },
    ],
  },
  {
    category: 'expert-parallel-timeout',
    on: 'both',
    pattern: 'DeepEP (?:error: .*)?timeout',
    samples: [
      'RuntimeError: DeepEP error: timeout (dispatch CPU)',
      'RuntimeError: DeepEP error: CPU recv timeout',
    ],
    remedies: [
      {
        id: 'warm-kernels-first',
        title: 'Let every rank compile its kernels first',
        why: 'One rank waited for tokens of another that was not there: still compiling (DeepGEMM), or gone. Compile ahead, or look at the other ranks’ logs.',
      },
    ],
  },
  {
    category: 'remote-peer-died',
    on: 'exception',
    pattern: 'Connection (?:closed by peer|reset by peer)|remote process exited',
    samples: ['RuntimeError: [../gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.1]:45492'],
    remedies: [
      {
        id: 'other-node-log',
        title: 'Read the other node’s log',
        why: 'A peer went away first; its own log holds the cause.',
      },
    ],
  },
  {
    category: 'nccl-init',
    on: 'exception',
    pattern:
      'NCCL error|ncclSystemError|ncclInternalError|ncclUnhandledCudaError|unhandled (?:cuda|system) error|DistBackendError',
    samples: [
      'torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:268, unhandled system error',
    ],
    remedies: [
      {
        id: 'nccl-debug',
        title: 'Let NCCL say why',
        why: 'The true reason is in its own warnings.',
        change: { env: { NCCL_DEBUG: 'WARN' } },
      },
    ],
  },
];
