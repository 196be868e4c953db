import type { FailureRule } from '../profile.js';

const job = String.raw`(?:\bzsh: |(?:^|\s)\[\d+\] +(?:[+-] +)?(?:\d+ +)?)`;
const shell = String.raw`(?:^|Z |: line \d+: +)(?:\d+ +)?`;
const behind = String.raw`(?:\s*$|\s{2,}|\s+\S*(?:python|vllm|sglang|nohup|llama|sh ))`;

const killed = String.raw`\bexited with code 137|^command terminated with (?:non-zero )?exit code 137|srun: error: \S+: tasks? [\d,-]+: Killed|${shell}Killed${behind}|${job}killed\b|(?:^|\s)Killed: 9\s*$|terminated by signal SIGKILL`;
const terminated = String.raw`\bexited with code 143|^command terminated with (?:non-zero )?exit code 143|srun: error: \S+: tasks? [\d,-]+: Terminated|${shell}Terminated${behind}|${job}terminated\b|terminated by signal SIGTERM`;

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

/** Named where the log of such an end holds nothing else. They say that it was ended, not by whom. */
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
];
