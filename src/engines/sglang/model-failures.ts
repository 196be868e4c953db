import type { FailureRule } from '../profile.js';

/** Models that this version cannot load or split as asked. */
export const modelFailures: readonly FailureRule[] = [
  {
    category: 'graph-prefill',
    on: 'exception',
    pattern: 'Piecewise CUDA Graph failed with error: |Capture prefill CUDA graph failed: ',
    samples: ['RuntimeError: Piecewise CUDA Graph failed with error: unsupported'],
    remedies: [
      {
        id: 'no-piecewise',
        title: 'Start without prefill graphs',
        why: 'Only prefill graphs fail; decode graphs stay on.',
        change: { args: ['--disable-piecewise-cuda-graph'] },
      },
    ],
  },
  {
    category: 'unsupported-architecture',
    on: 'exception',
    pattern: String.raw`Model architectures \[(?<class>.*?)\] are not supported for now|has no SGlang implementation and the Transformers implementation is not compatible`,
    samples: [
      "ValueError: Model architectures ['DemoForCausalLM'] are not supported for now. Supported architectures: dict_keys",
    ],
    remedies: [
      {
        id: 'upgrade-sglang',
        title: 'Upgrade SGLang',
        why: 'This version has no class for the model. Look above for `Ignore import error when loading`: a missing package hides the class too.',
      },
    ],
  },
  {
    category: 'quant-tp-divisibility',
    on: 'exception',
    pattern: String.raw`is not divisible by (?:weight quantization block_[nk]|min_thread_)|(?:out|in)put_size of gate's and up's weight = \d+ is not divisible`,
    samples: [
      'ValueError: Weight output_partition_size = 192 is not divisible by weight quantization block_n = 128.',
    ],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: 'A quantisation block does not fit into one GPU’s part of the matrix.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
      {
        id: 'expert-parallel',
        title: 'Split experts instead of matrices',
        why: 'With expert parallelism each expert stays whole.',
        change: { args: ['--ep', '{tensorParallelNow}'] },
      },
    ],
  },
  {
    category: 'tp-divisibility',
    on: 'exception',
    pattern: String.raw`AssertionError: \d+ is not divisible by \d+|tp_size must be divisible by|world_size .* is not equal to tensor_model_parallel_size`,
    samples: ['AssertionError: 28 is not divisible by 8'],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: 'Heads or layers do not divide evenly over the ranks.',
        change: { args: ['--tp', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
    ],
  },
  {
    category: 'weight-mismatch',
    on: 'exception',
    pattern: String.raw`^KeyError: '(?:model\.|layers\.|lm_head\.|language_model\.|visual\.)|mat1 and mat2 shapes cannot be multiplied|size of tensor a .* must match|has no attribute 'weight_loader'`,
    samples: ["KeyError: 'model.layers.78.mlp.gate_up_proj.input_scale'"],
    remedies: [
      {
        id: 'fix-quantization',
        title: 'Check --quantization and the version',
        why: 'The checkpoint holds tensors that this class does not know: a wrong quantisation flag or a version too old for the model.',
      },
    ],
  },
  {
    category: 'bad-chat-template',
    on: 'exception',
    pattern: 'Chat template .* is not a built-in template name or a valid chat template file path',
    samples: [
      'RuntimeError: Chat template demo is not a built-in template name or a valid chat template file path.',
    ],
    remedies: [
      {
        id: 'fix-chat-template',
        title: 'Correct --chat-template',
        why: 'It is neither a built-in name nor a file on the host.',
      },
    ],
  },
];
