import type { EngineProfile } from '../profile.js';
import { sharedBenign } from '../shared/benign.js';
import {
  sharedConsequences,
  sharedDeath,
  sharedEnded,
  stoppedFromOutside,
  uvicornStopped,
} from '../shared/consequences.js';
import { sharedFailures } from '../shared/failures.js';
import { sharedHints } from '../shared/hints.js';
import { programEnds } from '../shared/orderly-ends.js';
import { benign } from './benign.js';
import { checklist } from './checklist.js';
import { failures } from './failures.js';
import { phases } from './phases.js';
import { progress } from './progress.js';
import { consequences, death, ended, frames, hang, ready, stopped } from './verdicts.js';

/** SGLang, wordings of v0.3.0 to v0.5.18. */
export const sglang: EngineProfile = {
  id: 'sglang',
  title: 'SGLang',
  detect: [
    {
      weight: 100,
      pattern: String.raw`server_args=(?:ServerArgs\(|\{)`,
      samples: ["server_args=ServerArgs(model_path='/m')"],
    },
    {
      weight: 60,
      pattern: 'The server is fired up and ready to roll!',
      samples: ['[2025-08-04 20:33:34] The server is fired up and ready to roll!'],
    },
    {
      weight: 30,
      pattern: String.raw`(?:Init torch distributed|Load weight|Capture (?:draft )?cuda graph) (?:begin|end)|Memory pool end\.`,
      samples: ['[2025-08-04 20:33:13 TP0] Load weight begin. avail mem=43.85 GB'],
    },
    {
      weight: 30,
      pattern: String.raw`launch_server\.py|sglang/srt/|sglang/launch_server|sglang\.launch_server|sglang serve|sglang::`,
      samples: ['  File "/opt/sglang/srt/utils.py", line 1, in f'],
    },
    {
      weight: 20,
      pattern: String.raw`^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: (?:DP|PP|ATTN_CP|MOE_DP|TP|EP)\d+)+\] `,
      samples: ['[2025-08-04 20:33:13 TP0] hello'],
    },
    {
      // v0.1 and v0.2 on rpyc.
      weight: 30,
      pattern: String.raw`new fill batch\. #seq: |(?:router|detoken) init state: |Rank \d+: [Ll]oad weight (?:begin|end)`,
      samples: ['new fill batch. #seq: 1. #cached_token: 0. #new_token: 27.', 'Rank 0: load weight begin.'],
    },
    {
      weight: 20,
      pattern: 'Received sigquit from a child proces|(?:Scheduler|DetokenizerManager) hit an exception',
      samples: ['[2025-08-04 20:33:13] Received sigquit from a child process.'],
    },
    {
      weight: 3,
      pattern: String.raw`^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?\] (?:INFO: {5}|[A-Z])`,
      samples: ['[2025-08-04 20:33:13] INFO:     Started server process [1]'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`\[(?<stamp>(?:\d{4}-\d\d-\d\d )?\d\d:\d\d:\d\d(?:\.\d{3})?)(?<rank>(?: (?:DP|PP|ATTN_CP|MOE_DP|TP|EP)\d+| encode_server| encode_dp_worker\[\d+\])*)\] `,
      repeats: false,
      depth: 0,
      samples: [
        '[2026-02-22 23:29:22 TP0] Load weight begin.',
        '[23:29:22 DP0 TP3] x',
        '[2026-02-22 23:29:22.123 DP0 TP0 EP0] x',
      ],
    },
  ],
  checklist,
  phases,
  progress,
  runStart: [
    {
      pattern: String.raw`server_args=(?:ServerArgs\(|\{)`,
      samples: ["server_args=ServerArgs(model_path='/m')", "server_args={'model_path': '/m'}"],
    },
  ],
  args: [
    {
      pattern: String.raw`server_args=(?:ServerArgs(?=\()|(?=\{))`,
      samples: ["server_args=ServerArgs(model_path='/m')"],
    },
  ],
  version: [
    {
      pattern: String.raw`(?:sglang==|sglang version:? |SGLang v)(?<v>\d+\.\d+[\w.]*)`,
      samples: ['sglang==0.5.9'],
    },
  ],
  port: [
    {
      pattern: String.raw`Uvicorn running on https?://\S+:(?<port>\d+)`,
      samples: ['INFO:     Uvicorn running on http://127.0.0.1:30001 (Press CTRL+C to quit)'],
    },
  ],
  ready,
  death: [...death, ...sharedDeath],
  ended: [...ended, ...sharedEnded],
  stopped: [
    ...stopped,
    ...uvicornStopped,
    ...programEnds,
    ...stoppedFromOutside('[Ss][Gg][Ll]ang', 'sglang.service'),
  ],
  hang,
  benign: [...benign, ...sharedBenign],
  consequences: [...consequences, ...sharedConsequences],
  hints: [
    {
      category: 'unsupported-architecture',
      pattern: 'Ignore import error when loading ',
      samples: [
        "[2026-02-22 23:29:10] Ignore import error when loading sglang.srt.models.demo: No module named 'demo'",
      ],
    },
    ...sharedHints,
  ],
  failures: [...failures, ...sharedFailures],
  frames,
  codePath: String.raw`(?:^|/)sglang/((?:srt|lang|launch_server|multimodal_gen|jit_kernel)\b.*)$`,
  // Before 0.5.1 `/health` answers 200 as soon as the port is bound; `/health_generate` makes one token in every version.
  readyPath: { path: '/health_generate', newer: { since: '0.5.1', path: '/health' } },
  argKeys: {
    port: 'port',
    speculative: ['speculative_algorithm'],
    tensorParallel: 'tp_size',
    tensorParallelFlag: '--tp',
    memFraction: 'mem_fraction_static',
    memFractionDefault: 0.88,
  },
};
