import type { EngineProfile } from './profile.js';
import { sharedBenign } from './shared/benign.js';
import {
  sharedConsequences,
  sharedDeath,
  sharedEnded,
  stoppedFromOutside,
  uvicornStopped,
} from './shared/consequences.js';
import { sharedFailures } from './shared/failures.js';
import { sharedHints } from './shared/hints.js';
import { programEnds } from './shared/orderly-ends.js';

const minutes = 60_000;

/** `lmdeploy serve api_server` up to 0.16; its default log level hides nearly all of the start. */
export const lmdeploy: EngineProfile = {
  id: 'lmdeploy',
  title: 'LMDeploy',
  detect: [
    {
      weight: 60,
      pattern: String.raw` - lmdeploy - [A-Z]+ - |\[TM\]\[(?:DEBUG|INFO|WARN\w*|ERROR|FATAL)\]|lmdeploy serve`,
      samples: [
        '2026-08-21 12:00:00,123 - lmdeploy - WARNING - engine.py:448 - x',
        '[TM][ERROR] CUDA runtime error: out of memory',
      ],
    },
    {
      weight: 20,
      pattern: '/lmdeploy/|Convert to turbomind format',
      samples: ['  File "/opt/lmdeploy/serve/a.py", line 1, in f'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`(?<stamp>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d{3} - lmdeploy - (?<level>[A-Z]+) - (?:\[[^\]]*\] - )?(?:[\w.]+:\d+ - )?`,
      repeats: false,
      depth: 0,
      samples: ['2026-08-21 12:00:00,123 - lmdeploy - WARNING - engine.py:448 - x'],
    },
    {
      pattern: String.raw`\[TM\]\[(?<level>\w+)\](?:\[[\d.:]+\]\[[^\]]+\])? ?`,
      repeats: false,
      depth: 0,
      samples: ['[TM][ERROR] x'],
    },
    {
      pattern: String.raw`(?<level>INFO|WARNING|ERROR): {2,5}(?=\S)`,
      repeats: false,
      depth: 0,
      samples: ['INFO:     Application startup complete.'],
    },
  ],
  checklist: [
    { id: 'init', model: null, title: 'Start engine', quietLimitMs: 10 * minutes },
    { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 15 * minutes },
    { id: 'kv-cache', model: null, title: 'Allocate KV cache', quietLimitMs: 5 * minutes, optional: true },
    { id: 'warmup', model: null, title: 'Warm up', quietLimitMs: 20 * minutes, optional: true },
    { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 3 * minutes },
    { id: 'ready', model: null, title: 'Ready', quietLimitMs: 60 * minutes },
  ],
  phases: [
    {
      phase: 'init',
      event: 'begin',
      model: null,
      pattern: 'input backend=',
      samples: [
        '2026-08-21 12:00:00,123 - lmdeploy - INFO - engine.py:448 - input backend=turbomind, backend_config=x',
      ],
    },
    {
      phase: 'weights',
      event: 'begin',
      model: 'target',
      pattern: String.raw`Building Model\.`,
      samples: ['2026-08-21 12:00:00,123 - lmdeploy - INFO - executor.py:1 - Building Model.'],
    },
    {
      phase: 'kv-cache',
      event: 'begin',
      model: null,
      pattern: 'Building CacheEngine with config',
      samples: [
        '2026-08-21 12:00:00,123 - lmdeploy - INFO - executor.py:1 - Building CacheEngine with config:',
      ],
    },
    {
      phase: 'warmup',
      event: 'begin',
      model: null,
      pattern: String.raw`Warming up model\.|Starting engine warmup`,
      samples: ['2026-08-21 12:00:00,123 - lmdeploy - INFO - executor.py:1 - Warming up model.'],
    },
    {
      phase: 'serving',
      event: 'begin',
      model: null,
      pattern: 'HINT: +Please open |INFO: {5}Started server process',
      samples: ['HINT:    Please open http://0.0.0.0:23333 in a browser for detailed api usage!!!'],
    },
  ],
  progress: [
    {
      phase: 'weights',
      unit: '',
      begins: true,
      pattern: 'Convert to turbomind format|^Loading$|Loading weights from safetensors',
      samples: ['Convert to turbomind format', 'Loading weights from safetensors'],
    },
  ],
  runStart: [
    {
      pattern: 'input backend=',
      samples: [
        '2026-08-21 12:00:00,123 - lmdeploy - INFO - engine.py:448 - input backend=turbomind, backend_config=x',
      ],
    },
  ],
  args: [],
  version: [],
  port: [
    {
      pattern: String.raw`Uvicorn running on https?://\S+:(?<port>\d+)`,
      samples: ['INFO:     Uvicorn running on http://0.0.0.0:23333 (Press CTRL+C to quit)'],
    },
  ],
  // uvicorn binds after `Application startup complete`, so that line alone is no proof.
  ready: [
    {
      pattern: 'Uvicorn running on ',
      samples: ['INFO:     Uvicorn running on http://0.0.0.0:23333 (Press CTRL+C to quit)'],
    },
  ],
  death: [
    {
      // Its checker exits behind this line.
      pattern: ' - lmdeploy - ERROR - .*check failed!',
      samples: ['2026-03-23 09:48:17,048 - lmdeploy - ERROR - base.py:56 - <Model> check failed!'],
    },
    {
      pattern: String.raw`Server process failed during startup or serving|Server process \d+ exited with code|ZMQ engine process is not alive|\[TM\]\[(?:ERROR|FATAL)\].*CUDA runtime error`,
      samples: ['[TM][ERROR] CUDA runtime error: out of memory /tmp/a.cc:1'],
    },
    ...sharedDeath,
  ],
  ended: sharedEnded,
  stopped: [
    ...uvicornStopped,
    ...programEnds,
    ...stoppedFromOutside('[Ll][Mm][Dd]eploy', 'lmdeploy.service'),
  ],
  hang: [],
  benign: sharedBenign,
  consequences: [
    {
      pattern: String.raw`Server process \d+ exited with code|engine process is not alive`,
      samples: ['Server process 12 exited with code 1'],
    },
    ...sharedConsequences,
  ],
  hints: sharedHints,
  failures: [
    {
      category: 'unsupported-model',
      on: 'line',
      pattern: String.raw` - lmdeploy - ERROR - base\.py:\d+ - (?<words>\w+(?:Error|Exception): .+)`,
      samples: [
        '2026-03-23 09:48:17,048 - lmdeploy - ERROR - base.py:55 - AssertionError: this model requires flash_mla to be available.',
      ],
      remedies: [{ id: 'check-environment', title: 'Give it what its check asks for', why: '{words}' }],
    },
    {
      category: 'engine-loop-failed',
      on: 'line',
      pattern: String.raw` - lmdeploy - ERROR - (?:[\w.]+:\d+ - )?(?:rank\[\d+\]|Engine (?:main )?loop) failed with error: (?<words>.+)`,
      samples: [
        '2024-04-13 09:59:48,000 - lmdeploy - ERROR - rank[0] failed with error: a weight does not have any device set.',
      ],
      remedies: [{ id: 'engine-loop-failed', title: 'Read what the engine said', why: '{words}' }],
    },
    {
      category: 'oom',
      on: 'both',
      pattern: String.raw`\[TM\]\[(?:ERROR|FATAL)\].*CUDA runtime error: out of memory`,
      samples: ['[TM][ERROR] CUDA runtime error: out of memory /tmp/a.cc:1'],
      remedies: [
        {
          id: 'smaller-cache',
          title: 'Take a smaller share for the cache',
          why: 'TurboMind asked for more than was free.',
          change: { args: ['--cache-max-entry-count', '0.5'] },
        },
      ],
    },
    ...sharedFailures,
  ],
  frames: [{ pattern: 'load_weights|load_model_weights', phase: 'weights' }],
  codePath: '(?:^|/)lmdeploy/(.*)$',
  readyPath: { path: '/v1/models' },
  argKeys: {},
};
