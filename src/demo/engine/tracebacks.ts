import { type Frame, PythonError } from './python-error.js';

const scheduler: Frame = [
  'sglang/srt/managers/scheduler.py',
  2986,
  'run_scheduler_process',
  'scheduler = Scheduler(',
];
const target: readonly Frame[] = [
  scheduler,
  ['sglang/srt/managers/scheduler.py', 366, '__init__', 'self.init_model_worker()'],
  ['sglang/srt/managers/scheduler.py', 561, 'init_model_worker', 'self.init_tp_model_worker()'],
  ['sglang/srt/managers/tp_worker.py', 247, '__init__', 'self._init_model_runner()'],
  ['sglang/srt/managers/tp_worker.py', 330, '_init_model_runner', 'self._model_runner = ModelRunner('],
  ['sglang/srt/model_executor/model_runner.py', 413, '__init__', 'self.initialize(min_per_gpu_memory)'],
];
const runner = 'sglang/srt/model_executor/model_runner.py';
const graphRunner = 'sglang/srt/model_executor/cuda_graph_runner.py';
const graphs: readonly Frame[] = [
  ...target,
  [runner, 609, 'initialize', 'self.init_device_graphs()'],
  [runner, 2185, 'init_device_graphs', 'self.graph_runner = graph_runners[self.device](self)'],
];
const captureHelp = [
  'Possible solutions:',
  '1. set --mem-fraction-static to a smaller value (e.g., 0.8 or 0.7)',
  '2. set --cuda-graph-max-bs to a smaller value (e.g., 16)',
  '3. disable torch compile by not using --enable-torch-compile',
  '4. disable CUDA graph by --disable-cuda-graph. (Not recommended. Huge performance loss)',
  'Open an issue on GitHub https://github.com/sgl-project/sglang/issues/new/choose ',
  '',
].join('\n');

/** Puts the way that SGLang 0.5.9 takes to that place before an exception; file and function names are its own. */
export const raised = {
  /** In the weight loader. */
  weights: (error: PythonError): PythonError =>
    at(error, [
      ...target,
      [runner, 552, 'initialize', 'self.load_model()'],
      [runner, 1031, 'load_model', 'self.model = self.loader.load_model('],
      ['sglang/srt/model_loader/loader.py', 656, 'load_model', 'self.load_weights_and_postprocess('],
    ]),
  /** While the KV pool is sized or taken. */
  memoryPool: (error: PythonError): PythonError =>
    at(error, [
      ...target,
      [runner, 585, 'initialize', 'self.init_memory_pool('],
      [
        'sglang/srt/model_executor/model_runner_kv_cache_mixin.py',
        402,
        'init_memory_pool',
        'raise RuntimeError(',
      ],
    ]),
  /** In `CudaGraphRunner.__init__`, before the first capture. */
  captureSetup: (error: PythonError): PythonError =>
    at(error, [
      ...graphs,
      [graphRunner, 523, '__init__', 'self.model_runner.model.set_eagle3_layers_to_capture()'],
      ['torch/nn/modules/module.py', 1962, '__getattr__', 'raise AttributeError('],
    ]),
  /** During a capture: SGLang wraps what it caught. */
  capture: (error: PythonError): PythonError =>
    wrapped(error, [
      [graphRunner, 889, 'capture_one_batch_size', 'run_once()'],
      [graphRunner, 873, 'run_once', 'logits_output_or_pp_proxy_tensors = forward('],
    ]),
  /** In the barrier before a capture. */
  captureBarrier: (error: PythonError): PythonError =>
    wrapped(error, [
      [graphRunner, 886, 'capture_one_batch_size', 'self.model_runner.tp_group.barrier()'],
      [
        'sglang/srt/distributed/parallel_state.py',
        1275,
        'barrier',
        'torch.distributed.barrier(group=self.cpu_group)',
      ],
    ]),
  /** In the draft worker's own model config. */
  draftConfig: (error: PythonError): PythonError =>
    at(error, [
      scheduler,
      ['sglang/srt/managers/scheduler.py', 366, '__init__', 'self.init_model_worker()'],
      ['sglang/srt/managers/scheduler.py', 562, 'init_model_worker', 'self.maybe_init_draft_worker()'],
      [
        'sglang/srt/managers/scheduler.py',
        552,
        'maybe_init_draft_worker',
        'self.draft_worker = DraftWorkerClass(',
      ],
      ['sglang/srt/speculative/eagle_worker.py', 154, '__init__', 'super().__init__('],
      ['sglang/srt/managers/tp_worker.py', 236, '__init__', 'self._init_model_config()'],
      [
        'sglang/srt/managers/tp_worker.py',
        318,
        '_init_model_config',
        'self.model_config = ModelConfig.from_server_args(',
      ],
      ['sglang/srt/configs/model_config.py', 253, 'from_server_args', 'return ModelConfig('],
      ['sglang/srt/configs/model_config.py', 149, '__init__', 'self._derive_context_length(context_length)'],
      ['sglang/srt/configs/model_config.py', 334, '_derive_context_length', 'raise ValueError('],
    ]),
  /** In the main process, while the arguments are checked. */
  mainConfig: (error: PythonError): PythonError =>
    at(error, [
      ['sglang/cli/main.py', 31, 'main', 'serve(args, extra_argv)'],
      ['sglang/cli/serve.py', 47, 'serve', 'server_args = prepare_server_args(dispatch_argv)'],
      ['sglang/srt/server_args.py', 5012, 'prepare_server_args', 'return ServerArgs.from_cli_args(raw_args)'],
      [
        'sglang/srt/server_args.py',
        4401,
        'from_cli_args',
        'return cls(**{attr: getattr(args, attr) for attr in attrs})',
      ],
      ['sglang/srt/server_args.py', 676, '__post_init__', 'self._handle_gpu_memory_settings(gpu_mem)'],
    ]),
  /** Where a rank chooses its card. */
  device: (error: PythonError): PythonError =>
    at(error, [
      ...target.slice(0, 5),
      [runner, 742, 'init_torch_distributed', 'torch.get_device_module(self.device).set_device(self.gpu_id)'],
    ]),
};

const at = (error: PythonError, frames: readonly Frame[]): PythonError =>
  new PythonError(error.type, error.message, frames, error.context);

function wrapped(error: PythonError, deepest: readonly Frame[]): PythonError {
  const inner = at(error, [
    [graphRunner, 545, '__init__', 'self.capture()'],
    [graphRunner, 702, 'capture', ') = self.capture_one_batch_size(bs, forward, stream_idx)'],
    ...deepest,
  ]);
  const text = `Capture cuda graph failed: ${error.message}\n${captureHelp}`;
  return at(new PythonError('Exception', text, [], inner), [
    ...graphs,
    [graphRunner, 547, '__init__', 'raise Exception('],
  ]);
}
