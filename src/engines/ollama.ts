import type { EndedRule, EngineProfile, LineRule } from './profile.js';
import { sharedEnded, stoppedFromOutside } from './shared/consequences.js';
import { environmentFailures } from './shared/environment-failures.js';
import { ggmlConsequences, ggmlDeath, ggmlFailures } from './shared/ggml.js';

const minutes = 60_000;

/** A model's runner says that it dies, or the daemon says so of it. */
const runnerEnds: readonly LineRule[] = [
  {
    pattern:
      '(?:llama-server|llama runner) process has terminated|msg="llama runner terminated"|model runner has unexpectedly stopped|timed out waiting for llama',
    samples: [
      'time=2026-01-25T21:59:34.411-05:00 level=ERROR source=server.go:273 msg="llama runner terminated" error="exit status 2"',
    ],
  },
  {
    pattern: '^panic: |^fatal error: |SIGSEGV: segmentation violation',
    samples: ['panic: runtime error: x'],
  },
  ...ggmlDeath,
];

/** A frame below a panic that is the daemon's own: a runner's process has none of them. gin catches those of requests. */
const daemonFell: EndedRule = {
  afterReady: 'only',
  pattern: String.raw`^(?:created by )?github\.com/(?:ollama|jmorganca)/ollama/(?:server\.|cmd\.RunServer)`,
  samples: [
    'github.com/ollama/ollama/server.(*Scheduler).processPending(0xc000126000, {0x1, 0x2})',
    'created by github.com/ollama/ollama/server.(*Scheduler).Run in goroutine 1',
  ],
};

/** `ollama serve` up to 0.33: the daemon is ready at once, models load on their first request. */
export const ollama: EngineProfile = {
  id: 'ollama',
  title: 'Ollama',
  detect: [
    {
      weight: 80,
      pattern: String.raw`\btime=\S+ level=\w+ source=\S+\.go:\d+ msg=|routes\.go:\d+: INFO server config env=`,
      samples: [
        'time=2026-08-21T10:00:00.000Z level=INFO source=routes.go:2008 msg="x"',
        '2025/03/05 06:19:02 routes.go:1215: INFO server config env="map[OLLAMA_HOST:]"',
      ],
    },
    {
      weight: 20,
      pattern: String.raw`\[GIN\] \d{4}/\d\d/\d\d|ollama serve|\.ollama/|Error: listen tcp \S+:11434: `,
      samples: ['[GIN] 2026/08/21 - 10:00:00 | 200 | 1.2ms | 127.0.0.1 | POST "/api/chat"'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`time=(?<stamp>\S+) level=(?<level>\w+) source=\S+ `,
      repeats: false,
      depth: 0,
      samples: ['time=2026-08-21T10:00:00.000Z level=INFO source=routes.go:2008 msg="x"'],
    },
    {
      pattern: String.raw`\[GIN\] `,
      repeats: false,
      depth: 0,
      samples: ['[GIN] 2026/08/21 - 10:00:00 | 200'],
    },
    {
      // Up to 0.6 some lines are of Go's own logger.
      pattern: String.raw`(?<stamp>\d{4}/\d\d/\d\d \d\d:\d\d:\d\d) \w+\.go:\d+: (?:(?<level>INFO|WARN|ERROR) )?`,
      repeats: false,
      depth: 0,
      samples: ['2025/03/05 06:19:02 routes.go:1215: INFO server config env="map[OLLAMA_HOST:]"'],
    },
  ],
  checklist: [
    { id: 'init', model: null, title: 'Start daemon', quietLimitMs: 2 * minutes },
    { id: 'weights', model: 'target', title: 'Load model', quietLimitMs: 6 * minutes, optional: true },
    { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
  ],
  phases: [
    {
      phase: 'init',
      event: 'begin',
      model: null,
      pattern: 'msg="server config"|INFO server config env=|msg="total blobs',
      samples: [
        'time=2026-08-21T10:00:00.000Z level=INFO source=routes.go:1 msg="server config" env="map[]"',
      ],
    },
    {
      phase: 'weights',
      event: 'begin',
      model: 'target',
      pattern:
        'msg="starting (?:llama[ -]server|runner)|msg="loading model via llama-server"|msg="waiting for (?:server|llama)|msg="found tensor"|llama_model_loader: ',
      samples: [
        'time=2026-08-21T10:00:00.000Z level=INFO source=server.go:1 msg="starting llama server" cmd="x"',
      ],
    },
    {
      phase: 'weights',
      event: 'end',
      model: 'target',
      pattern: 'msg="(?:llama runner|llama-server) started in ',
      samples: [
        'time=2026-08-21T10:00:09.000Z level=INFO source=server.go:1 msg="llama runner started in 3.20 seconds"',
      ],
    },
  ],
  progress: [],
  runStart: [
    {
      pattern: 'msg="server config"|INFO server config env=',
      samples: [
        'time=2026-08-21T10:00:00.000Z level=INFO source=routes.go:1 msg="server config" env="map[]"',
        '2025/03/05 06:19:02 routes.go:1215: INFO server config env="map[OLLAMA_HOST:]"',
      ],
    },
  ],
  args: [],
  version: [
    {
      pattern: String.raw`Listening on \S+ \(version (?<v>[^)]+)\)`,
      samples: ['msg="Listening on 127.0.0.1:11434 (version 0.30.1)"'],
    },
  ],
  port: [
    {
      pattern: String.raw`Listening on \S+:(?<port>\d+) \(version`,
      samples: ['msg="Listening on 127.0.0.1:11434 (version 0.30.1)"'],
    },
  ],
  ready: [
    {
      // Proof enough where the head of the log is missing, or a second daemon has written into the log of the first.
      pattern: String.raw`\| 200 \|.{1,80}\| POST +"/(?:api/(?:chat|generate|embed|embeddings)|v1/\S+)"`,
      samples: ['[GIN] 2026/08/21 - 10:00:00 | 200 | 12.43s | 127.0.0.1 | POST     "/api/chat"'],
    },
    {
      pattern: String.raw`Listening on \S+ \(version `,
      samples: [
        'time=2026-08-21T10:00:00.000Z level=INFO source=routes.go:2008 msg="Listening on 127.0.0.1:11434 (version 0.30.1)"',
      ],
    },
  ],
  death: [
    {
      // A second daemon, where the first one listens already.
      afterReady: 'never',
      pattern: 'Error: listen tcp',
      samples: ['Error: listen tcp 127.0.0.1:11434: bind: address already in use'],
    },
  ],
  // A runner is a process of its own, of one model: the daemon answers 500, lives on and starts another one.
  ended: [
    ...runnerEnds.map((rule) => ({ ...rule, afterReady: 'never' as const })),
    daemonFell,
    ...sharedEnded,
  ],
  stopped: stoppedFromOutside('[Oo]llama', 'ollama.service - Ollama Service'),
  hang: [],
  benign: [
    {
      pattern:
        'GPU discovery|unable to refresh free memory|truncating input prompt|user overrode visible devices|entering low vram mode|retrying once',
      samples: ['msg="failure during llama-server GPU discovery"'],
    },
  ],
  consequences: [
    {
      pattern: 'runner terminated|msg="Load failed"',
      samples: ['msg="llama runner terminated" error="exit status 2"'],
    },
    {
      soft: true,
      pattern: String.raw`process has terminated(?!: (?!exit status|signal|%)\S)|model runner has unexpectedly stopped`,
      samples: ['llama runner process has terminated: exit status 2'],
    },
    ...ggmlConsequences,
  ],
  hints: [],
  failures: [
    ...ggmlFailures,
    ...environmentFailures,
    {
      category: 'runner-terminated',
      on: 'line',
      pattern:
        '(?:llama-server|llama runner) process has terminated: (?<words>[^"]+)|model runner has unexpectedly stopped',
      samples: ['Error: llama runner process has terminated: cudaMalloc failed: out of memory'],
      remedies: [
        {
          id: 'smaller-model',
          title: 'Take a smaller model or context',
          why: 'The runner ended while it loaded: {words}.',
        },
      ],
    },
    {
      category: 'go-panic',
      on: 'line',
      pattern: '^(?:panic|fatal error): .|SIGSEGV: segmentation violation',
      samples: ['panic: runtime error: invalid memory address or nil pointer dereference'],
      remedies: [
        {
          id: 'other-version',
          title: 'Take another version of Ollama',
          why: 'Its program fell over a fault of its own; the goroutine below names the place.',
        },
      ],
    },
  ],
  frames: [],
  codePath: '^(.*)$',
  readyPath: { path: '/api/version' },
  argKeys: {},
};
