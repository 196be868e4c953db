import type { CommandLine } from '../command-line.js';

/** Command lines of vLLM, v0.5 to 0.28 (`arg_utils.py`, `cli_args.py`, `config/model.py`). */
export const vllmCommandLine: CommandLine = {
  engine: 'vllm',
  title: 'vLLM',
  starts: [
    {
      pattern: String.raw`^(?:\S*/)?vllm serve(?= |$)`,
      thenModel: true,
      samples: ['vllm serve org/model -tp 8', '/opt/venv/bin/vllm serve /models/m'],
    },
    {
      pattern: String.raw`^(?:\S*/)?python[\d.]*(?: -[A-Za-z]+)* -m vllm\.entrypoints\.(?:openai\.)?api_server(?= |$)`,
      samples: ['python -m vllm.entrypoints.openai.api_server --model /m'],
    },
    {
      pattern: String.raw`^(?:\S*/)?python[\d.]*(?: -[A-Za-z]+)* -m vllm\.entrypoints\.cli\.main serve(?= |$)`,
      thenModel: true,
      samples: ['python3 -m vllm.entrypoints.cli.main serve org/model'],
    },
  ],
  flags: {
    model: ['--model'],
    draft: ['--speculative-model'],
    draftConfig: ['--speculative-config', '-sc'],
    tensorParallel: ['--tensor-parallel-size', '-tp'],
    pipelineParallel: ['--pipeline-parallel-size', '-pp'],
    dataParallel: ['--data-parallel-size', '-dp'],
    dataParallelLocal: ['--data-parallel-size-local', '-dpl'],
    nodes: ['--nnodes', '-n'],
    nodeRank: ['--node-rank', '-r'],
    executor: ['--distributed-executor-backend', '--data-parallel-backend', '-dpb'],
    port: ['--port'],
    address: ['--host'],
    device: ['--device'],
    contextLength: ['--max-model-len'],
    memFraction: ['--gpu-memory-utilization'],
    quantization: ['--quantization', '-q'],
    loadFormat: ['--load-format'],
    cpuOffload: ['--cpu-offload-gb'],
    noGraphs: ['--enforce-eager'],
    downloadFolder: ['--download-dir'],
    argumentFile: ['--config'],
  },
  underscores: true,
  port: 8000,
  address: '0.0.0.0',
  pythonPackage: 'vllm',
  needsGpu: true,
  portFlag: '--port',
  memFractionDefault: 0.9,
  // `Free memory on device … is less than desired GPU memory utilization` (V1's gpu_worker.py).
  refusesBusyGpuSince: '0.10.0',
  // `_get_and_verify_max_len`; the draft's own length is cut to what it bears.
  contextRule: {
    overrideVariable: 'VLLM_ALLOW_LONG_MAX_MODEL_LEN',
    contextFlag: '--max-model-len',
    refusesIn: [],
    draftMustMatch: false,
    lengthKeys: [
      'max_position_embeddings',
      'n_positions',
      'max_seq_len',
      'seq_length',
      'model_max_length',
      'max_target_positions',
      'max_sequence_length',
      'max_seq_length',
      'seq_len',
    ],
  },
};
