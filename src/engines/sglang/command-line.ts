import type { CommandLine } from '../command-line.js';

/** Command lines of SGLang, v0.3 to v0.5.18 (`server_args.py`, `model_config.py`). */
export const sglangCommandLine: CommandLine = {
  engine: 'sglang',
  title: 'SGLang',
  starts: [
    {
      pattern: String.raw`^(?:\S*/)?sglang serve(?= |$)`,
      thenModel: true,
      samples: ['sglang serve --model-path /m', '/opt/venv/bin/sglang serve'],
    },
    {
      pattern: String.raw`^(?:\S*/)?python[\d.]*(?: -[A-Za-z]+)* -m sglang\.launch_server(?= |$)`,
      samples: ['python3 -u -m sglang.launch_server --tp 8', '/venv/bin/python -m sglang.launch_server'],
    },
    {
      pattern: String.raw`^(?:\S*/)?python[\d.]*(?: -[A-Za-z]+)* \S*sglang/launch_server\.py(?= |$)`,
      samples: ['python /sgl-workspace/sglang/python/sglang/launch_server.py --tp 8'],
    },
  ],
  flags: {
    model: ['--model-path', '--model'],
    draft: ['--speculative-draft-model-path', '--speculative-draft-model'],
    draftAlgorithm: ['--speculative-algorithm'],
    tensorParallel: ['--tp-size', '--tp', '--tensor-parallel-size'],
    pipelineParallel: ['--pp-size', '--pp', '--pipeline-parallel-size'],
    dataParallel: ['--dp-size', '--dp', '--data-parallel-size'],
    dataParallelAttention: ['--enable-dp-attention'],
    nodes: ['--nnodes'],
    nodeRank: ['--node-rank'],
    baseGpu: ['--base-gpu-id'],
    port: ['--port'],
    address: ['--host'],
    device: ['--device'],
    contextLength: ['--context-length'],
    memFraction: ['--mem-fraction-static'],
    quantization: ['--quantization', '--torchao-config'],
    loadFormat: ['--load-format'],
    cpuOffload: ['--cpu-offload-gb'],
    noGraphs: ['--disable-cuda-graph'],
    downloadFolder: ['--download-dir'],
    argumentFile: ['--config'],
  },
  underscores: false,
  port: 30_000,
  address: '127.0.0.1',
  pythonPackage: 'sglang',
  needsGpu: true,
  portFlag: '--port',
  memFractionDefault: 0.88,
  // `_derive_context_length`: an error in 0.3.6–0.4.3 and again since 0.5.1 (pull 9388); a warning in between. The draft
  // is loaded with the target's context length.
  contextRule: {
    overrideVariable: 'SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN',
    contextFlag: '--context-length',
    refusesIn: [
      ['0.3.6', '0.4.4'],
      ['0.5.1', null],
    ],
    draftMustMatch: true,
    lengthKeys: [
      'max_sequence_length',
      'seq_length',
      'max_seq_len',
      'model_max_length',
      'max_position_embeddings',
    ],
  },
  // Called before CUDA graphs are captured; a class that wraps a language model must hand it on.
  draftHook: {
    method: 'set_eagle3_layers_to_capture',
    modelsFolder: 'srt/models',
    algorithms: ['EAGLE3'],
    classSince: { KimiK25ForConditionalGeneration: '0.5.10' },
    url: 'https://github.com/sgl-project/sglang/pull/19689',
  },
};
