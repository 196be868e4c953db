import type { BenignRule } from '../profile.js';

/** Harmless lines of Python, torch, NCCL, Hugging Face and uvicorn, whatever the engine. */
export const sharedBenign: readonly BenignRule[] = [
  {
    traceback: true,
    mayMatter: true,
    pattern: 'Task exception was never retrieved|Exception in thread ',
    samples: ['Task exception was never retrieved', 'Exception in thread Thread-5 (worker):'],
  },
  {
    traceback: true,
    pattern: 'Exception ignored in|--- Logging error ---|Exception in callback |ERROR:asyncio',
    samples: ['Exception ignored in: <function Pool.__del__ at 0x7f>'],
  },
  {
    // uvicorn's, of a request that failed in a server that goes on.
    traceback: true,
    mayMatter: true,
    pattern: 'Exception in ASGI application',
    samples: ['ERROR:    Exception in ASGI application'],
  },
  {
    pattern: String.raw`resource_tracker: There appear to be|\.py:\d+: \w*Warning: |warnings\.warn\(`,
    samples: [
      '/usr/lib/python3.12/multiprocessing/resource_tracker.py:279: UserWarning: resource_tracker: There appear to be 1 leaked',
    ],
  },
  {
    pattern: String.raw`destroy_process_group\(\) was not called|process group has NOT been destroyed|Failed to check the "should dump" flag`,
    samples: [
      '[rank0]:[W1021 10:42:01.7 ProcessGroupNCCL.cpp:1496] Warning: WARNING: destroy_process_group() was not called before program exit',
    ],
  },
  {
    pattern:
      'Unable to register cu(?:DNN|BLAS|FFT) factory|before absl::InitializeLog|Logging before InitGoogleLogging|computation placer already registered',
    samples: [
      'E0000 00:00:1772623611.351652   18908 cuda_dnn.cc:8579] Unable to register cuDNN factory: Attempting',
    ],
  },
  {
    pattern: String.raw`rdma_context\.cpp:\d+\] Failed to register memory|\[c10d\] The (?:hostname of the client socket|client socket has failed to connect).*(?:err=-3|errno: 97)|failed to bind.*errno: 97`,
    samples: [
      'E0101 23:22:59.553362 67580 rdma_context.cpp:203] Failed to register memory 0x7c1cda000000: Bad address [14]',
    ],
  },
  {
    pattern: String.raw`NCCL INFO |NET/Plugin|NET/OFI|Failed to open libibverbs|ras/client_support|\[Gloo\] Rank \d+ is connected to`,
    samples: ['node-0:75204:75204 [0] NCCL INFO NET/Plugin: No plugin found (libnccl-net.so)'],
  },
  {
    pattern: String.raw`is deprecated|unauthenticated requests to the HF Hub|of type \S* ?to instantiate a model of type|Unrecognized keys in|sequence length is longer than the specified maximum|no scaling factors provided`,
    samples: ['`torch_dtype` is deprecated! Use `dtype` instead!'],
  },
  {
    pattern: String.raw`Trying to resume download|thrown while requesting|Retrying in \d+s \[Retry|Error retrieving file list`,
    samples: ['Retrying in 1s [Retry 1/5].'],
  },
  {
    pattern: String.raw`Ignoring this choice|Reducing block sizes or num_stages may help\.$|Skipping tactic`,
    samples: ['Runtime error during autotuning: out of resource. Ignoring this choice.'],
  },
  {
    pattern: String.raw`HTTP/1\.[01]" \d{3}|Invalid HTTP request received`,
    samples: ['INFO:     127.0.0.1:38222 - "POST /generate HTTP/1.1" 500 Internal Server Error'],
  },
  {
    // A kernel or a graph that torch's compiler gives up; what it raises in the end is thrown once more.
    traceback: true,
    mayMatter: true,
    pattern: String.raw`\d{6} \d+ \S*torch/_(?:inductor|dynamo|functorch|higher_order_ops)/\S+\.py:\d+\] `,
    samples: [
      '[rank2]:E0716 18:21:22.792000 132331 torch/_inductor/runtime/triton_heuristics.py:874] Triton compilation failed: triton_poi_fused_1',
    ],
  },
  {
    pattern: 'Extension modules: ',
    samples: ['Extension modules: numpy.core._multiarray_umath, _errors (total: 168)'],
  },
];
