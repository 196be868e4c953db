import type { CommandLine } from './command-line.js';
import { sglangCommandLine } from './sglang/command-line.js';
import { vllmCommandLine } from './vllm/command-line.js';

const plain = { underscores: false, pythonPackage: null, needsGpu: true, portFlag: '--port' } as const;

/** The engines whose command lines can be read; those besides SGLang and vLLM by port, model and ranks. */
export const commandLines: readonly CommandLine[] = [
  sglangCommandLine,
  vllmCommandLine,
  {
    ...plain,
    engine: 'llama.cpp',
    title: 'llama.cpp',
    starts: [{ pattern: String.raw`^(?:\S*/)?llama-server(?= |$)`, samples: ['./llama-server -m m.gguf'] }],
    flags: {
      model: ['--model', '-m'],
      draft: ['--model-draft', '-md'],
      port: ['--port'],
      address: ['--host'],
    },
    port: 8080,
    address: '127.0.0.1',
    needsGpu: false,
  },
  {
    ...plain,
    engine: 'trtllm',
    title: 'TensorRT-LLM',
    starts: [
      {
        pattern: String.raw`^(?:\S*/)?trtllm-serve(?: serve)?(?= |$)`,
        thenModel: true,
        samples: ['trtllm-serve /m'],
      },
    ],
    flags: {
      tensorParallel: ['--tp_size', '--tensor_parallel_size'],
      pipelineParallel: ['--pp_size', '--pipeline_parallel_size'],
      port: ['--port'],
      address: ['--host'],
      argumentFile: ['--extra_llm_api_options', '--config'],
    },
    port: 8000,
    address: '127.0.0.1',
    pythonPackage: 'tensorrt_llm',
  },
  {
    ...plain,
    engine: 'tgi',
    title: 'TGI',
    starts: [
      {
        pattern: String.raw`^(?:\S*/)?text-generation-launcher(?= |$)`,
        samples: ['text-generation-launcher --model-id org/model'],
      },
    ],
    flags: {
      model: ['--model-id'],
      tensorParallel: ['--num-shard'],
      port: ['--port', '-p'],
      address: ['--hostname'],
    },
    port: 3000,
    address: '0.0.0.0',
  },
  {
    ...plain,
    engine: 'lmdeploy',
    title: 'LMDeploy',
    starts: [
      {
        pattern: String.raw`^(?:\S*/)?lmdeploy serve api_server(?= |$)`,
        thenModel: true,
        samples: ['lmdeploy serve api_server org/model --tp 2'],
      },
    ],
    flags: { tensorParallel: ['--tp'], port: ['--server-port'], address: ['--server-name'] },
    port: 23_333,
    address: '0.0.0.0',
    pythonPackage: 'lmdeploy',
    portFlag: '--server-port',
  },
];
