import type { PhaseRule } from '../profile.js';

/** Phase lines of v0.3.0 to v0.5.18. Their order changed in 0.5.14: draft weights come before the caches and graphs. */
export const phases: readonly PhaseRule[] = [
  {
    phase: 'args',
    event: 'begin',
    model: null,
    pattern: String.raw`server_args=(?:ServerArgs\(|\{)`,
    samples: [
      "[2026-02-22 23:29:11] server_args=ServerArgs(model_path='/models/demo', tp_size=8, port=30000)",
    ],
  },
  {
    phase: 'args',
    event: 'mark',
    model: null,
    pattern: String.raw`Attention backend not (?:set|(?:explicitly )?specified)\. Use \w+ backend by default`,
    samples: ['[2026-02-22 23:29:10] Attention backend not specified. Use fa3 backend by default.'],
  },
  {
    phase: 'args',
    event: 'mark',
    model: null,
    since: '0.5.7',
    pattern: String.raw`Attention backend not specified\.`,
    samples: ['[2026-02-22 23:29:10] Attention backend not specified. Use fa3 backend by default.'],
  },
  {
    phase: 'args',
    event: 'mark',
    model: null,
    since: '0.5.10',
    pattern: String.raw`'python -m sglang\.launch_server' is still supported`,
    samples: [
      "UserWarning: 'python -m sglang.launch_server' is still supported, but 'sglang serve' is the recommended entrypoint.",
    ],
  },
  {
    phase: 'distributed',
    event: 'begin',
    model: null,
    pattern: String.raw`Init (?:torch distributed|nccl) begin\.`,
    samples: ['[2026-02-22 23:29:22 TP0] Init torch distributed begin.', '[23:29:22 TP0] Init nccl begin.'],
  },
  {
    phase: 'distributed',
    event: 'mark',
    model: null,
    pattern: 'sglang is using nccl==',
    samples: ['[2026-02-22 23:29:24 TP0] sglang is using nccl==2.27.5'],
  },
  {
    phase: 'distributed',
    event: 'end',
    model: null,
    pattern: String.raw`Init torch distributed ends\.`,
    samples: ['[2025-11-09 16:19:37 TP0] Init torch distributed ends. mem usage=0.25 GB'],
  },
  {
    phase: 'distributed',
    event: 'end',
    model: null,
    since: '0.5.9',
    pattern: String.raw`Init torch distributed ends\. elapsed=`,
    samples: ['[2026-02-22 23:29:27 TP0] Init torch distributed ends. elapsed=4.81 s, mem usage=0.60 GB'],
  },
  {
    phase: 'weights',
    event: 'begin',
    model: 'auto',
    pattern: String.raw`Load weight begin\.`,
    samples: ['[2026-02-22 23:29:28 TP0] Load weight begin. avail mem=94.43 GB'],
  },
  {
    phase: 'weights',
    event: 'begin',
    model: 'draft',
    pattern: 'Using draft model load_format: ',
    samples: ["[2026-02-22 23:34:02 TP0] Using draft model load_format: 'auto'"],
  },
  {
    phase: 'weights',
    event: 'end',
    model: 'auto',
    pattern: String.raw`Load weight end\. (?:elapsed|type)=`,
    samples: [
      '[2025-08-04 20:33:21 TP0] Load weight end. type=DeepseekV2ForCausalLM, dtype=torch.bfloat16, avail mem=14.34 GB',
    ],
  },
  {
    phase: 'weights',
    event: 'end',
    model: 'auto',
    since: '0.5.9',
    pattern: String.raw`Load weight end\. elapsed=`,
    samples: [
      '[2026-08-26 21:50:58] Load weight end. elapsed=618.01 s, type=LlamaForCausalLM, quant=fp8, avail mem=22.10 GB, mem usage=93.16 GB.',
    ],
  },
  {
    phase: 'weights',
    event: 'mark',
    model: 'auto',
    pattern: String.raw`Loading weights with BitsAndBytes|Loading weights from remote instance|Using model weights format \[`,
    samples: ["[2026-02-22 23:29:29 TP0] Using model weights format ['*.safetensors']"],
  },
  {
    phase: 'kv-cache',
    event: 'mark',
    model: 'auto',
    pattern: String.raw`KV Cache is allocated\.|Mamba Cache is allocated\.|(?:s|S)liding window memory pool\. full_layer_tokens=`,
    samples: [
      '[2025-11-09 16:21:21 TP1] KV Cache is allocated. #tokens: 10240, K size: 0.47 GB, V size: 0.47 GB',
    ],
  },
  {
    phase: 'kv-cache',
    event: 'end',
    model: 'auto',
    pattern: String.raw`Memory pool end\.`,
    samples: ['[2025-11-09 16:21:21 TP1] Memory pool end. avail mem=22.59 GB'],
  },
  {
    phase: 'compile',
    event: 'begin',
    model: null,
    pattern: 'Running FlashInfer autotune',
    samples: ['[2026-04-05 10:00:00 TP0] Running FlashInfer autotune...'],
  },
  {
    phase: 'compile',
    event: 'end',
    model: null,
    pattern: 'FlashInfer autotune completed',
    samples: ['[2026-04-05 10:01:00 TP0] FlashInfer autotune completed.'],
  },
  {
    phase: 'graphs',
    event: 'begin',
    model: 'target',
    pattern: String.raw`Capture (?:cuda|cpu|npu) graph (?:begin|bs \[)|Capture piecewise CUDA graph begin|Capture cuda graph num tokens \[`,
    samples: [
      '[2025-11-09 16:21:21 TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=21.96 GB',
      '[2025-11-09 16:21:21 TP0] Capture cuda graph bs [1, 2, 4, 8]',
    ],
  },
  {
    phase: 'graphs',
    event: 'begin',
    model: 'target',
    since: '0.5.14',
    pattern: 'Capture target (?:prefill|decode|verify) (?:CUDA|CPU|NPU|XPU) graph begin',
    samples: [
      '[2026-08-26 21:51:16] Capture target prefill CUDA graph begin. backend=breakable, num_tokens=[4, 8], avail mem=12.49 GB',
    ],
  },
  {
    phase: 'graphs',
    event: 'end',
    model: 'target',
    pattern: String.raw`Capture (?:cuda|cpu|npu) graph end\.|Capture piecewise CUDA graph end|Capture target (?:prefill|decode|verify) (?:CUDA|CPU|NPU|XPU) graph end`,
    samples: [
      '[2025-11-09 16:21:31 TP1] Capture cuda graph end. Time elapsed: 9.40 s. avail mem=18.57 GB. mem usage=3.38 GB.',
    ],
  },
  {
    phase: 'graphs',
    event: 'begin',
    model: 'draft',
    pattern:
      'Capture draft (?:extend )?(?:cuda|npu) graph begin|Capture draft (?:prefill|decode|verify|extend) (?:CUDA|CPU|NPU|XPU) graph begin|Capture single-CG draft extend begin|Capture Frozen-KV MTP draft cuda graph begin',
    samples: [
      '[2026-02-22 23:35:01 TP0] Capture draft cuda graph begin. This can take up to several minutes. avail mem=9.22 GB',
      '[2026-08-26 21:53:16] Capture draft extend CUDA graph begin. backend=full, avail mem=8.1 GB',
    ],
  },
  {
    phase: 'graphs',
    event: 'end',
    model: 'draft',
    pattern:
      'Capture draft (?:extend )?(?:cuda|npu) graph end|Capture draft (?:prefill|decode|verify|extend) (?:CUDA|CPU|NPU|XPU) graph end|Capture single-CG draft extend end|Capture Frozen-KV MTP draft cuda graph end',
    samples: [
      '[2026-02-22 23:35:09 TP0] Capture draft cuda graph end. Time elapsed: 8.10 s. mem usage=0.40 GB. avail mem=8.82 GB.',
    ],
  },
  {
    phase: 'serving',
    event: 'begin',
    model: null,
    pattern: String.raw`max_total_num_tokens=\d+, `,
    samples: [
      '[2025-11-09 16:21:31 TP0] max_total_num_tokens=10240, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=2049, context_len=131072',
    ],
  },
  {
    phase: 'serving',
    event: 'mark',
    model: null,
    pattern: String.raw`INFO: {5}(?:Started server process \[|Waiting for application startup)|Starting standalone gRPC server on `,
    samples: ['[2025-11-09 16:21:31] INFO:     Started server process [2696108]'],
  },
  {
    phase: 'serving',
    event: 'end',
    model: null,
    pattern: 'Uvicorn running on |Starting embedded Granian|gRPC server listening on ',
    samples: [
      '[2025-11-09 16:21:31] INFO:     Uvicorn running on http://127.0.0.1:30001 (Press CTRL+C to quit)',
    ],
  },
  {
    phase: 'warmup',
    event: 'begin',
    model: null,
    pattern: '"GET /(?:get_)?model_info HTTP/|Start of (?:prefill|pd disaggregation) warmup|Running warmup ',
    samples: ['[2025-11-09 16:21:32] INFO:     127.0.0.1:51288 - "GET /get_model_info HTTP/1.1" 200 OK'],
  },
  {
    phase: 'warmup',
    event: 'mark',
    model: null,
    since: '0.5.7',
    pattern: String.raw`"GET /model_info HTTP/1\.1" 200`,
    samples: ['[2026-11-06 09:47:30] INFO:     127.0.0.1:55180 - "GET /model_info HTTP/1.1" 200 OK'],
  },
];
