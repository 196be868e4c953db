import type { ProgressRule } from '../profile.js';

/** Wordings of v0.4.3–0.5.18; a bare bar (≤ 0.4.4) belongs to the graphs. */
export const progress: readonly ProgressRule[] = [
  {
    phase: 'weights',
    unit: 'shards',
    begins: true,
    pattern:
      'Loading (?:safetensors|pt|np_cache) checkpoint shards|Multi-thread loading (?:pt )?(?:checkpoint )?shards|Loading safetensors using',
    samples: ['Loading safetensors checkpoint shards', 'Loading safetensors using Runai Model Streamer'],
  },
  {
    phase: 'weights',
    unit: 'shards',
    begins: true,
    since: '0.5.10',
    pattern: '^Multi-thread loading shards',
    samples: ['Multi-thread loading shards'],
  },
  {
    phase: 'graphs',
    unit: 'graphs',
    begins: true,
    pattern: 'Capturing (?:batches|num tokens)|Compiling num tokens',
    samples: [
      'Capturing batches (bs=160 avail_mem=9.53 GB)',
      'Capturing num tokens (num_tokens=8192 avail_mem=11.78 GB)',
    ],
  },
  { phase: 'graphs', unit: 'graphs', begins: false, pattern: '^$', samples: [''] },
  {
    phase: 'compile',
    unit: 'kernels',
    begins: true,
    pattern: 'DeepGEMM warmup',
    samples: ['DeepGEMM warmup'],
  },
  {
    phase: 'download',
    unit: 'files',
    begins: true,
    pattern: String.raw`^Fetching \d+ files$`,
    samples: ['Fetching 61 files'],
  },
  {
    phase: 'download',
    unit: '',
    begins: true,
    pattern: String.raw`\.(?:safetensors|bin|gguf|pt)$`,
    samples: ['model-00001-of-00061.safetensors'],
  },
];
