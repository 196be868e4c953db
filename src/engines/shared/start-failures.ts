import type { EndedRule, FailureRule } from '../profile.js';

/**
 * The server's program was never started. The words are those of the shells (bash and ksh; dash and busybox; zsh; fish),
 * of coreutils (`env`, `nohup`, `timeout`, `stdbuf`), of CPython's own start, of argparse, and of docker.
 */
export const startFailures: readonly FailureRule[] = [
  {
    category: 'command-not-found',
    phase: 'launch',
    on: 'line',
    pattern: String.raw`(?:^|: )(?<words>\S+: command not found)|^\S*sh: (?:\d+: |line \d+: )?(?:exec: )?(?<dash>\S+: not found)|zsh: (?:command not found|no such file or directory): (?<zsh>\S+)|fish: Unknown command: (?<fish>\S+)|^(?:env|nohup|timeout|nice|stdbuf|setsid|taskset|numactl)\b.*?['‘"]?(?<program>[^'‘’" ]+)['’"]?: No such file or directory`,
    samples: [
      'bash: line 1: vllm: command not found',
      'sh: 1: exec: sglang: not found',
      'sh: vllm: not found',
      'zsh: command not found: sglang',
      'env: ‘sglang’: No such file or directory',
      "nohup: failed to run command 'vllm': No such file or directory",
    ],
    remedies: [
      {
        id: 'activate-environment',
        title: 'Activate the environment first',
        why: 'The engine is not on the path of the shell that started it: source venv/bin/activate, or give the full path.',
      },
    ],
  },
  {
    category: 'command-not-found',
    phase: 'launch',
    on: 'line',
    pattern: String.raw`python[\d.]*: (?<module>No module named \S+)|python[\d.]*: (?<spec>Error while finding module specification for '[^']+')`,
    samples: [
      '/usr/bin/python3: No module named sglang',
      "/usr/bin/python3: Error while finding module specification for 'sglang.launch_server' (ModuleNotFoundError: No module named 'sglang')",
    ],
    remedies: [
      {
        id: 'activate-environment',
        title: 'Activate the environment first',
        why: 'This Python does not have the engine: source venv/bin/activate, or start it with the Python that has it.',
      },
    ],
  },
  {
    category: 'command-not-found',
    phase: 'launch',
    on: 'line',
    pattern: String.raw`can't open file '(?<file>[^']+)': \[Errno \d+\]|^(?:\S*sh: (?:line )?(?:\d+: )?)(?<path>/?\S*/\S+): No such file or directory`,
    samples: [
      "python3: can't open file '/srv/serve.py': [Errno 2] No such file or directory",
      'bash: line 1: /srv/run.sh: No such file or directory',
    ],
    remedies: [
      {
        id: 'correct-path',
        title: 'Correct the path',
        why: 'The file that was to be started is not there. A relative path begins in --cwd, or in the home folder.',
      },
    ],
  },
  {
    category: 'not-executable',
    phase: 'launch',
    on: 'line',
    pattern: String.raw`^(?:\S*sh: (?:line )?(?:\d+: )?(?:exec: )?|(?:env|nohup|timeout|nice|stdbuf|setsid): .*?)['‘"]?(?<words>[^'‘’" ]*/[^'‘’" ]+)['’"]?: (?:Permission denied|cannot execute|Exec format error|bad interpreter)`,
    samples: ['bash: line 1: /srv/run.sh: Permission denied', 'sh: 1: ./run.sh: Permission denied'],
    remedies: [
      {
        id: 'make-executable',
        title: 'Make it executable, or start it by its interpreter',
        why: 'The file is there and may not be run as it is: chmod +x, or `bash FILE`; on a volume mounted noexec only the latter.',
      },
    ],
  },
  {
    category: 'bad-arguments',
    phase: 'launch',
    on: 'line',
    // argparse since Python 2.7; it exits with status 2 after this line.
    pattern: String.raw`^\S+(?: \S+)?: error: (?<words>(?:unrecognized arguments|ambiguous option|argument \S+|the following arguments are required|one of the arguments|expected (?:one|at least)|invalid choice).*)`,
    samples: ['sglang: error: unrecognized arguments: --tpp 8'],
    remedies: [
      {
        id: 'fix-arguments',
        title: 'Correct the arguments',
        why: '{words}. The flag may be newer, or older, than this version.',
      },
    ],
  },
  {
    category: 'container-start',
    phase: 'launch',
    on: 'line',
    pattern: 'docker: Error response from daemon: (?<words>.+)|OCI runtime create failed: (?<oci>.+)',
    samples: [
      'docker: Error response from daemon: could not select device driver "" with capabilities: [[gpu]].',
    ],
    remedies: [
      {
        id: 'container-runtime',
        title: 'Repair the container start',
        why: 'Docker refused it: {words}. For GPUs install nvidia-container-toolkit.',
      },
    ],
  },
];

/** Programs that a server consists of, or is started by: nothing comes of a start where one of them is missing. */
const ours =
  'vllm|sglang|python[\\d.]*|llama-server|ollama|trtllm-serve|text-generation-(?:launcher|router)|lmdeploy|ray|torchrun|mpirun|srun|uvx?|docker|podman|apptainer|singularity';

/**
 * Each of them is the last thing that a start which failed has to say. Of another program, or a file, it may be said by a
 * script that goes on without it (`nvidia-smi: command not found`), so there hardly a line may follow.
 */
export const startEnded: readonly EndedRule[] = [
  ...startFailures.map(({ category, pattern, samples }) => ({
    // The server's own parser may come to its end behind its first lines.
    ...(category === 'bad-arguments' ? {} : { beforeStart: true }),
    ...(isOfAnyProgram(category) ? { last: true } : {}),
    // Names of groups may be there once in a joined pattern.
    pattern: pattern.replaceAll(/\?<\w+>/g, '?:'),
    samples: [...samples],
  })),
  {
    beforeStart: true,
    pattern: String.raw`(?:^|[ :'"‘/])(?:${ours})['"’]?: (?:command )?not found|(?:command not found:|Unknown command:|failed to run command) ['"‘]?(?:\S*/)?(?:${ours})\b|python[\d.]*: (?:No module named|Error while finding module specification for '?)(?: ?)(?:vllm|sglang|lmdeploy|tensorrt_llm|text_generation_server)\b`,
    samples: [
      'bash: line 1: vllm: command not found',
      'zsh: command not found: sglang',
      "nohup: failed to run command 'vllm': No such file or directory",
      '/usr/bin/python3: No module named sglang',
    ],
  },
];

function isOfAnyProgram(category: string): boolean {
  return category === 'command-not-found' || category === 'not-executable';
}
