/** What a line is for, and the line, as they stand in `--help`; each is parsed by a test. */
type Example = readonly [what: string, line: string];

/** The examples of each command, by its whole name. */
export const examples: Readonly<Record<string, readonly Example[]>> = {
  firedup: [
    ['The whole thing on a simulated box', 'firedup demo'],
    ['A server that someone has started', "firedup watch gpu-17 --log '~/logs/server.log'"],
    ['Start one that lives on when you leave', 'firedup launch gpu-17 -- vllm serve /models/m'],
    ['In a script', 'firedup wait gpu-17 --timeout 30m && ./run-my-benchmark'],
    ['What happened here?', 'firedup triage crash.log'],
  ],
  'firedup demo': [
    ['An evening of crashes and relaunches: R, then y', 'firedup demo'],
    ['Ten times as fast, without a screen', 'firedup demo --scenario oom --speed 10 --headless'],
  ],
  'firedup watch': [
    ['The server that firedup launched there', 'firedup watch gpu-17'],
    ['One that someone else starts', "firedup watch gpu-17 --log '~/logs/server.log' --port 30000"],
    ['In a container, over a jump host', 'firedup watch ops@10.0.0.7:2222 -J gate --container vllm'],
  ],
  'firedup wait': [
    ['Go on when it is ready', 'firedup wait gpu-17 --timeout 30m && ./run-my-benchmark'],
    ['For another program', 'firedup wait gpu-17 --log /var/log/vllm.log --json'],
  ],
  'firedup launch': [
    [
      'Words after -- are run as they are',
      'firedup launch gpu-17 --port 30000 -- vllm serve /models/m --port 30000',
    ],
    ['A line for the shell', "firedup launch gpu-17 --shell -- 'source venv/bin/activate && vllm serve m'"],
    ['What the config says of the target "big"', 'firedup launch big --env HF_HOME=/data/hf --detach'],
  ],
  'firedup status': [
    ['All targets of the config', 'firedup status'],
    ['What firedup has launched on a host', 'firedup status gpu-17 --json'],
  ],
  'firedup triage': [
    ['A log of this machine, packed or not', 'firedup triage crash.log.gz'],
    ['One that lies on the host', 'firedup triage gpu-17:/var/log/vllm.log --json'],
    ['From another program', 'kubectl logs vllm-0 | firedup triage -'],
  ],
  'firedup dump': [
    ['The last 40 lines of the server there', 'firedup dump gpu-17'],
    ['More of another log', "firedup dump gpu-17 --log '~/logs/server.log' -n 200"],
  ],
  'firedup tail': [
    ['From now on, until it ends', 'firedup tail gpu-17 --until-exit'],
    ['All of it, into a file', 'firedup tail gpu-17 -n +1 > server.log'],
  ],
  'firedup history': [
    ['Why the attempts failed and what helped', 'firedup history gpu-17'],
    ['Of one of several servers there', 'firedup history gpu-17 --name big -n 5'],
  ],
  'firedup doctor': [
    ['The host', 'firedup doctor gpu-17'],
    ['Would this start?', 'firedup doctor gpu-17 --port 30000 -- vllm serve /models/m --tp 8'],
  ],
  'firedup kill': [
    ['Shows what will end, and asks', 'firedup kill gpu-17'],
    ['In a script', 'firedup kill gpu-17 --name big --yes --grace 30s'],
  ],
  'firedup relaunch': [
    ['The same again', 'firedup relaunch gpu-17'],
    ['With a change', 'firedup relaunch gpu-17 --env SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1'],
    [
      'A step before the start',
      "firedup relaunch gpu-17 --before 'find . -name __pycache__ -exec rm -rf {} +'",
    ],
  ],
  'firedup engines': [
    ['What is known of one', 'firedup engines show sglang'],
    ['Which rule knows which line of a log', 'firedup engines check crash.log'],
  ],
  'firedup engines show': [['Its lines, failures and remedies', 'firedup engines show vllm']],
  'firedup engines check': [
    ['A log of this machine', 'firedup engines check crash.log'],
    ['With rules of your own', 'firedup engines check gpu-17:/var/log/vllm.log --config firedup.yaml'],
  ],
  'firedup config': [
    ['Is it right?', 'firedup config check'],
    ['What holds for the target "big"', 'firedup config print big'],
  ],
  'firedup config check': [['A config before it counts', 'firedup config check firedup.yaml']],
  'firedup config print': [['With the options of a command line', 'firedup config print big --port 30000']],
};
