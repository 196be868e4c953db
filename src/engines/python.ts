import type { EngineProfile } from './profile.js';
import { sharedBenign } from './shared/benign.js';
import { sharedConsequences, sharedDeath, sharedEnded, uvicornStopped } from './shared/consequences.js';
import { sharedFailures } from './shared/failures.js';
import { sharedHints } from './shared/hints.js';
import { programEnds } from './shared/orderly-ends.js';

/** Any Python server: no phases but uvicorn's, and the structure of its end. */
export const python: EngineProfile = {
  id: 'python',
  title: 'Python',
  detect: [
    {
      weight: 1,
      pattern: String.raw`Traceback \(most recent call last\)`,
      samples: ['Traceback (most recent call last):'],
    },
    {
      weight: 1,
      pattern: 'Uvicorn running on ',
      samples: ['INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL): {1,5}(?=\S)`,
      repeats: false,
      depth: 0,
      samples: ['INFO:     Started server process [1]'],
    },
  ],
  checklist: [
    { id: 'launch', model: null, title: 'Start', quietLimitMs: 300_000 },
    { id: 'weights', model: 'target', title: 'Load weights', quietLimitMs: 600_000, optional: true },
    { id: 'serving', model: null, title: 'Start HTTP server', quietLimitMs: 180_000 },
    { id: 'ready', model: null, title: 'Ready', quietLimitMs: 3_600_000 },
  ],
  phases: [
    {
      phase: 'serving',
      event: 'begin',
      model: null,
      pattern: 'INFO: {5}(?:Started server process|Waiting for application startup)',
      samples: ['INFO:     Started server process [1]'],
    },
  ],
  progress: [
    {
      phase: 'weights',
      unit: 'shards',
      begins: true,
      pattern: 'checkpoint shards|Loading weights',
      samples: ['Loading checkpoint shards'],
    },
  ],
  runStart: [],
  args: [],
  version: [],
  port: [
    {
      pattern: String.raw`Uvicorn running on https?://\S+:(?<port>\d+)`,
      samples: ['INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)'],
    },
  ],
  ready: [
    {
      pattern: 'Uvicorn running on ',
      samples: ['INFO:     Uvicorn running on http://127.0.0.1:8000 (Press CTRL+C to quit)'],
    },
  ],
  death: sharedDeath,
  ended: sharedEnded,
  stopped: [...uvicornStopped, ...programEnds],
  hang: [],
  benign: sharedBenign,
  consequences: sharedConsequences,
  hints: sharedHints,
  failures: sharedFailures,
  frames: [],
  codePath: '^(?!.*(?:site-packages|dist-packages|/lib/python3))(.*)$',
  readyPath: { path: '/health' },
  argKeys: {},
};
