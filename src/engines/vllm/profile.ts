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
import { failures } from './failures.js';
import { checklist, phases, progress } from './phases.js';
import { consequences, death, ended, frames, hang, ready, stopped } from './verdicts.js';

/** vLLM, V0 and V1, wordings of v0.5 to 0.28. */
export const vllm: EngineProfile = {
  id: 'vllm',
  title: 'vLLM',
  detect: [
    {
      weight: 100,
      pattern: String.raw`vLLM (?:API )?server version |Initializing an? (?:V[01] )?LLM engine \(v`,
      samples: ['INFO 06-18 18:43:50 [api_server.py:1034] vLLM API server version 0.8.3'],
    },
    {
      weight: 60,
      pattern: String.raw`^\((?:APIServer|ApiServer_\d+|EngineCore\w*|VllmWorker\w*|Worker\w*)(?: rank=\d+| TP\d+)? pid=\d+\)`,
      samples: ['(EngineCore_DP0 pid=9) INFO 10-01 08:42:35 [core.py:77] x'],
    },
    {
      weight: 20,
      pattern: String.raw`EngineCore (?:failed to start|encountered)|Starting vLLM |vllm serve|api_server\.py: error|vllm\.entrypoints|VLLM::`,
      samples: ['ERROR 10-21 10:42:00 [core.py:396] EngineCore failed to start.'],
    },
    {
      weight: 10,
      pattern: '/vllm/(?:v1|engine|worker|executor|entrypoints)/',
      samples: ['  File "/opt/site-packages/vllm/v1/engine/core.py", line 1, in f'],
    },
    {
      weight: 6,
      pattern: String.raw` vllm\.\w+(?:\.\w+)+ \d+ INFO`,
      samples: ['2025-08-07 09:37:40,924 vllm.worker.model_runner 849 INFO     Capturing'],
    },
    // SGLang up to 0.4 writes such lines too: its own evidence outweighs them.
    {
      weight: 2,
      pattern: String.raw`(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./]+\.py:\d+\] `,
      samples: ['INFO 06-18 18:43:47 [__init__.py:239] Automatically detected platform cuda.'],
    },
  ],
  prefixes: [
    {
      pattern: String.raw`(?:\x1b?\[[\d;]*m)?\((?<proc>(?:APIServer|ApiServer_\d+|DPSupervisor|RustFrontend))(?: pid=\d+)?\)(?:\x1b?\[[\d;]*m)* ?`,
      repeats: true,
      depth: 0,
      samples: ['(APIServer pid=1805) WARNING 11-15 08:50:55 [nixl_utils.py:34] NIXL is not available'],
    },
    {
      pattern: String.raw`(?:\x1b?\[[\d;]*m)?\((?<proc>EngineCore\w*) pid=\d+\)(?:\x1b?\[[\d;]*m)* ?`,
      repeats: true,
      depth: 2,
      samples: ['(EngineCore_DP0 pid=9) Process EngineCore_DP0:'],
    },
    {
      pattern: String.raw`(?:\x1b?\[[\d;]*m)?\((?<proc>(?<rank>(?:VllmWorker(?:Process)?|Worker\w*|RayWorker\w*)(?: rank=\d+| TP\d+)?)),? pid=\d+[^)]*\)(?:\x1b?\[[\d;]*m)* ?`,
      repeats: true,
      depth: 3,
      samples: [
        '(Worker_TP0 pid=12) INFO 10-01 08:42:36 [pynccl.py:103] x',
        '(VllmWorker rank=3 pid=9) INFO 06-18 18:44:07 [a.py:1] x',
      ],
    },
    // Where no process is named (V0, V1 up to 0.10 without workers), the file that logs an error tells whose it is.
    {
      pattern: String.raw`(?<level>ERROR|CRITICAL) (?<stamp>\d\d-\d\d \d\d:\d\d:\d\d) \[?(?:multiproc_executor|multiproc_worker_utils|(?:gpu_)?worker(?:_base)?)\.py:\d+\] ?`,
      repeats: true,
      depth: 3,
      samples: ['ERROR 11-29 12:00:00 [multiproc_executor.py:783] WorkerProc failed to start.'],
    },
    {
      pattern: String.raw`(?<level>ERROR|CRITICAL) (?<stamp>\d\d-\d\d \d\d:\d\d:\d\d) \[?(?:core|engine|async_llm_engine)\.py:\d+\] ?`,
      repeats: true,
      depth: 2,
      samples: ['ERROR 10-21 10:42:00 [core.py:396] EngineCore failed to start.'],
    },
    {
      pattern: String.raw`(?<level>DEBUG|INFO|WARNING|ERROR|CRITICAL) (?<stamp>\d\d-\d\d \d\d:\d\d:\d\d) \[?[^\s\]:]+:\d+\] ?`,
      repeats: true,
      depth: 0,
      samples: ['INFO 06-18 18:43:47 [__init__.py:239] x', 'ERROR 03-20 02:31:11 engine.py:389] x'],
    },
    {
      pattern: String.raw`(?<level>INFO|WARNING|ERROR|CRITICAL|DEBUG): {2,5}(?=\S)`,
      repeats: false,
      depth: 0,
      samples: ['INFO:     Application startup complete.'],
    },
    {
      pattern: String.raw`(?<stamp>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d),\d{3} vllm\.[\w.]+ \d+ (?<level>[A-Z]+) +`,
      repeats: true,
      depth: 0,
      samples: ['2025-08-07 09:37:40,924 vllm.worker.model_runner 849 INFO     Capturing'],
    },
  ],
  checklist,
  phases,
  progress,
  runStart: [
    {
      pattern: String.raw`vLLM (?:API )?server version |█\s+version\s+\d`,
      samples: [
        '(APIServer pid=238615) INFO 10-01 08:42:29 [api_server.py:1839] vLLM API server version 0.11.0',
      ],
    },
  ],
  args: [
    {
      pattern: String.raw`non-default args: (?=\{)|args: Namespace(?=\()`,
      samples: ["non-default args: {'model': 'm'}", 'args: Namespace(host=None, port=8000)'],
    },
  ],
  version: [
    {
      pattern: String.raw`(?:API server version |server version |█\s+version\s+|LLM engine \(v)(?<v>\d[\w.+-]*)`,
      samples: ['vLLM API server version 0.8.3', 'Initializing a V1 LLM engine (v0.8.3) with config:'],
    },
  ],
  port: [
    {
      pattern: String.raw`Starting vLLM (?:API )?server (?:\d+ )?on https?://\S+?:(?<port>\d+)`,
      samples: ['Starting vLLM API server on http://0.0.0.0:8000'],
    },
    {
      pattern: String.raw`Uvicorn running on https?://\S+:(?<port>\d+)`,
      samples: ['Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)'],
    },
  ],
  ready,
  death: [...death, ...sharedDeath],
  ended: [...ended, ...sharedEnded],
  stopped: [
    ...stopped,
    ...uvicornStopped,
    ...programEnds,
    ...stoppedFromOutside('v[Ll][Ll][Mm]|VLLM', 'vllm.service'),
  ],
  hang,
  benign: [...benign, ...sharedBenign],
  consequences: [...consequences, ...sharedConsequences],
  hints: sharedHints,
  failures: [...failures, ...sharedFailures],
  frames,
  codePath: String.raw`(?:^|/)vllm/((?:v1|engine|worker|executor|entrypoints|model_executor|models|attention|distributed|config|compilation|platforms|transformers_utils|utils|spec_decode|core|lora|multimodal|plugins)(?:/|\.py|$).*|[a-z_]+\.py)$`,
  readyPath: { path: '/health' },
  argKeys: {
    port: 'port',
    speculative: ['speculative_config', 'speculative_model'],
    tensorParallel: 'tensor_parallel_size',
    tensorParallelFlag: '--tensor-parallel-size',
    memFraction: 'gpu_memory_utilization',
    memFractionDefault: 0.9,
  },
};
