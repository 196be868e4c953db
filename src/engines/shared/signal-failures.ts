import type { FailureRule } from '../profile.js';

const job = String.raw`(?:\bzsh: |(?:^|\s)\[\d+\] +(?:[+-] +)?(?:\d+ +)?)`;
const shell = String.raw`(?:^|Z |: line \d+: +)(?:\d+ +)?`;
const behind = String.raw`(?:\s*$|\s{2,}|\s+\S*(?:python|vllm|sglang|nohup|llama|sh ))`;

const killed = String.raw`\bexited with code 137|^command terminated with (?:non-zero )?exit code 137|srun: error: \S+: tasks? [\d,-]+: Killed|${shell}Killed${behind}|${job}killed\b|(?:^|\s)Killed: 9\s*$|terminated by signal SIGKILL`;
const terminated = String.raw`\bexited with code 143|^command terminated with (?:non-zero )?exit code 143|srun: error: \S+: tasks? [\d,-]+: Terminated|${shell}Terminated${behind}|${job}terminated\b|terminated by signal SIGTERM`;

const core = String.raw`(?:\s*$|\s{2,}|\s+\S*(?:python|vllm|sglang|nohup|llama|sh )|\s+\(core dumped\))`;
const illegal = String.raw`${shell}Illegal instruction${core}|${job}illegal hardware instruction\b|terminated by signal SIGILL`;
const bus = String.raw`${shell}Bus error${core}|${job}bus error\b|(?:^|\s)Bus error: 10\s*$|terminated by signal SIGBUS`;

/** The words of shells, docker compose, kubectl and Slurm for a program that somebody's SIGKILL or SIGTERM ended. */
export const signalWords = `${killed}|${terminated}`;

export const signalSamples: readonly string[] = [
  'Killed',
  'Terminated',
  './entrypoint.sh: line 47: 28 Killed python3 -m sglang.launch_server ...',
  'sglang-1 exited with code 137',
  'command terminated with exit code 137',
  'srun: error: node-1: task 0: Killed',
  '[1]    2095823 killed     vllm serve demo',
];

/** Named where the log of such an end holds nothing else: they say what ended it, not why. `Aborted` says neither. */
export const signalFailures: readonly FailureRule[] = [
  {
    category: 'killed',
    on: 'exception',
    pattern: killed,
    samples: ['Killed', 'sglang-1 exited with code 137'],
    remedies: [
      {
        id: 'look-for-oom',
        title: 'Ask the kernel who killed it',
        why: 'SIGKILL ended it, without a word of its own: somebody sent it, or the kernel did for want of host memory (dmesg -T | grep -iE "oom|killed process").',
      },
    ],
  },
  {
    category: 'terminated',
    on: 'exception',
    pattern: terminated,
    samples: [
      'Terminated',
      './run.sh: line 9: 4711 Terminated              python3 -m vllm.entrypoints.openai.api_server',
    ],
    remedies: [
      {
        id: 'who-sent-it',
        title: 'Find out who sent SIGTERM',
        why: 'Another user, a script that gave up waiting, a job scheduler at its time limit, or the end of the login that started it.',
      },
    ],
  },
  {
    category: 'illegal-instruction',
    on: 'exception',
    pattern: illegal,
    samples: [
      'Illegal instruction (core dumped)',
      'zsh: illegal hardware instruction  llama-server -m demo.gguf',
    ],
    remedies: [
      {
        id: 'matching-cpu-build',
        title: 'Take a build for this CPU',
        why: 'It uses instructions that this processor has not: most often AVX2, AVX-512 or AMX.',
      },
    ],
  },
  {
    category: 'bus-error',
    on: 'exception',
    pattern: bus,
    samples: ['Bus error (core dumped)'],
    remedies: [
      {
        id: 'shared-memory',
        title: 'Look at /dev/shm',
        why: 'SIGBUS is most often a full /dev/shm (df /dev/shm, --shm-size), or a file that was cut while it was mapped.',
      },
    ],
  },
];
