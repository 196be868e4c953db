import type { EngineProfile } from './profile.js';
import { sharedBenign } from './shared/benign.js';
import { sharedConsequences, sharedDeath, sharedEnded, stoppedFromOutside } from './shared/consequences.js';
import { sharedFailures } from './shared/failures.js';
import { sharedHints } from './shared/hints.js';

const minutes = 60_000;

/** Hugging Face text-generation-inference up to 3.3.7. */
export const tgi: EngineProfile = {
  id: 'tgi',
  title: 'TGI',
  detect: [
    {
      weight: 60,
      pattern: 'text_generation_launcher|text_generation_router|text-generation-launcher',
      samples: ['2026-01-08T12:00:00.123456Z  INFO text_generation_launcher: Starting shard'],
    },
    {
      weight: 20,
      pattern: 'text_generation_server/',
      samples: ['  File "/opt/text_generation_server/cli.py", line 1, in f'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`(?<stamp>\d{4}-\d\d-\d\dT[\d:.]+Z) +(?<level>TRACE|DEBUG|INFO|WARN|ERROR) (?:[\w-]+(?:\{[^}]*\})?: )*[\w:]+: `,
      repeats: false,
      depth: 0,
      samples: ['2026-01-08T12:00:00.123456Z  INFO shard-manager: text_generation_launcher: x rank=0'],
    },
  ],
  checklist: [
    { id: 'args', model: null, title: 'Read arguments', quietLimitMs: 2 * minutes },
    { id: 'download', model: null, title: 'Download weights', quietLimitMs: 10 * minutes },
    { id: 'distributed', model: null, title: 'Join ranks', quietLimitMs: 5 * minutes, optional: true },
    { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 15 * minutes },
    { id: 'warmup', model: null, title: 'Warm up', quietLimitMs: 20 * minutes },
    { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 3 * minutes, optional: true },
    { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
  ],
  phases: [
    {
      phase: 'args',
      event: 'begin',
      model: null,
      pattern: String.raw`Args \{`,
      samples: ['2026-01-08T12:00:00.123456Z  INFO text_generation_launcher: Args {'],
    },
    {
      phase: 'download',
      event: 'begin',
      model: null,
      pattern: 'Starting (?:check and )?download process',
      samples: [
        '2026-01-08T12:00:00.1Z  INFO text_generation_launcher: Starting check and download process for demo',
      ],
    },
    {
      phase: 'download',
      event: 'end',
      model: null,
      pattern: 'Successfully downloaded weights',
      samples: [
        '2026-01-08T12:00:00.1Z  INFO text_generation_launcher: Successfully downloaded weights for demo',
      ],
    },
    {
      phase: 'weights',
      event: 'begin',
      model: 'target',
      pattern: 'Starting shard(?: |"|$)|Waiting for shard to be ready',
      samples: [
        '2026-01-08T12:00:00.1Z  INFO shard-manager: text_generation_launcher: Starting shard rank=0',
      ],
    },
    {
      phase: 'weights',
      event: 'end',
      model: 'target',
      pattern: 'Shard ready in ',
      samples: [
        '2026-01-08T12:00:00.1Z  INFO shard-manager: text_generation_launcher: Shard ready in 12.3s rank=0',
      ],
    },
    {
      phase: 'warmup',
      event: 'begin',
      model: null,
      pattern: 'Warming up model|Starting Webserver',
      samples: ['2026-01-08T12:00:00.1Z  INFO text_generation_launcher: Starting Webserver'],
    },
    {
      phase: 'serving',
      event: 'begin',
      model: null,
      pattern: 'Using backend V3|Setting max batch total tokens',
      samples: [
        '2026-01-08T12:00:00.1Z  INFO text_generation_router_v3: backends/v3/src/lib.rs:125: Setting max batch total tokens to 16000',
      ],
    },
  ],
  progress: [],
  runStart: [
    {
      pattern: String.raw`Args \{`,
      samples: ['2026-01-08T12:00:00.123456Z  INFO text_generation_launcher: Args {'],
    },
  ],
  args: [],
  version: [],
  port: [
    {
      pattern: String.raw`Args \{.* port: (?<port>\d+)`,
      samples: ['Args { model_id: "demo", port: 80, x: 1 }'],
    },
  ],
  ready: [
    {
      pattern: String.raw`text_generation_router\S*: (?:\S+:\d+: )?Connected\s*$`,
      samples: [
        '2026-01-08T12:00:00.1Z  INFO text_generation_router::server: Connected',
        '2026-01-08T12:00:00.1Z  INFO text_generation_router::server: router/src/server.rs:2302: Connected',
      ],
    },
  ],
  death: [
    {
      pattern: String.raw`Shard \d+ (?:failed to start|crashed)|Webserver Crashed|Download encountered an error|Error: (?:ShardCannotStart|ShardFailed|DownloadError|WebserverFailed|NotEnoughCUDADevices|ArgumentValidation)|Shard process was signaled to shutdown with signal`,
      samples: [
        'Error: ShardCannotStart',
        '2026-01-08T12:00:00.1Z ERROR text_generation_launcher: Shard 0 failed to start',
      ],
    },
    ...sharedDeath,
  ],
  ended: sharedEnded,
  stopped: [
    ...stoppedFromOutside('text-generation|tgi', 'text-generation-inference.service'),
    {
      afterReady: 'only',
      pattern: 'signal received, starting graceful shutdown',
      samples: [
        '2026-01-08T12:00:00.1Z  INFO text_generation_router::server: router/src/server.rs:2485: signal received, starting graceful shutdown',
      ],
    },
  ],
  hang: [],
  benign: [
    {
      traceback: true,
      pattern: 'Decode cuda graph warmup failed',
      samples: ['2026-01-08T12:00:00.1Z ERROR text_generation_launcher: Decode cuda graph warmup failed'],
    },
    {
      pattern:
        'Could not parse config|no pipeline tag found|Odd tokenizer detected|Failed to import python tokenizer|Invalid hostname, defaulting',
      samples: ['2026-01-08T12:00:00.1Z  WARN text_generation_router: no pipeline tag found for model demo'],
    },
    ...sharedBenign,
  ],
  consequences: [
    {
      soft: true,
      pattern: 'signaled to shutdown',
      samples: ['Shard process was signaled to shutdown with signal 9 rank=0'],
    },
    {
      pattern: String.raw`Error: ShardCannotStart|Shard \d+ (?:failed to start|crashed)|Webserver Crashed`,
      samples: ['Error: ShardCannotStart'],
    },
    ...sharedConsequences,
  ],
  hints: sharedHints,
  failures: [
    {
      category: 'oom-warmup',
      on: 'both',
      pattern: String.raw`Not enough memory to handle (?<tokens>\d+) prefill tokens`,
      samples: [
        'RuntimeError: Not enough memory to handle 4096 prefill tokens. You need to decrease `--max-batch-prefill-tokens`',
      ],
      remedies: [
        {
          id: 'fewer-prefill-tokens',
          title: 'Lower --max-batch-prefill-tokens',
          why: '{tokens} of them do not fit.',
        },
      ],
    },
    {
      category: 'killed-by-signal',
      on: 'line',
      pattern: String.raw`Shard process was signaled to shutdown with signal (?<signal>\d+)`,
      samples: ['Shard process was signaled to shutdown with signal 9 rank=0'],
      remedies: [
        {
          id: 'signal',
          title: 'Look at the signal',
          why: 'Signal {signal} ended a shard: 9 is most often the OOM killer, 4 a CPU without the wheel’s instructions, 11 native code.',
        },
      ],
    },
    {
      category: 'bad-arguments',
      on: 'line',
      pattern: String.raw`Error: (?:NotEnoughCUDADevices|ArgumentValidation)\((?<words>.*)\)`,
      samples: ['Error: NotEnoughCUDADevices("sharded is true but only found 1 CUDA devices")'],
      remedies: [{ id: 'fix-arguments', title: 'Correct the arguments', why: '{words}' }],
    },
    ...sharedFailures,
  ],
  frames: [
    { pattern: 'initialize_torch_distributed|init_process_group', phase: 'distributed' },
    { pattern: 'get_model|load_weights', phase: 'weights' },
  ],
  codePath: '(?:^|/)text_generation_server/(.*)$',
  readyPath: { path: '/health' },
  argKeys: {},
};
