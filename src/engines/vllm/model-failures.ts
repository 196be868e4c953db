import type { FailureRule } from '../profile.js';

/** Models that this version cannot load or split as asked. */
export const modelFailures: readonly FailureRule[] = [
  {
    category: 'tp-divisibility',
    on: 'exception',
    pattern: String.raw`Total number of attention heads \((?<heads>\d+)\) must be divisible by tensor parallel size \((?<tp>\d+)\)`,
    samples: [
      'ValueError: Total number of attention heads (28) must be divisible by tensor parallel size (8).',
    ],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: '{heads} heads do not divide by {tp}.',
        change: { args: ['--tensor-parallel-size', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
    ],
  },
  {
    category: 'quant-unsupported',
    on: 'exception',
    pattern: String.raw`Quantization method specified in the model config \((?<model>.+?)\) does not match|Unknown quantization method`,
    samples: [
      'ValueError: Quantization method specified in the model config (awq) does not match the quantization method specified in the `quantization` argument (gptq).',
    ],
    remedies: [
      {
        id: 'drop-quantization',
        title: 'Leave out --quantization',
        why: 'The checkpoint says itself how it is quantised.',
      },
    ],
  },
  {
    category: 'quant-tp-divisibility',
    on: 'exception',
    pattern: String.raw`is not divisible by\s+(?:weight quantization block_|min_thread_)|not aligned with the quantized weight shape`,
    samples: [
      'ValueError: The input size is not aligned with the quantized weight shape. This can be caused by too large tensor parallel size.',
    ],
    remedies: [
      {
        id: 'smaller-tp',
        title: 'Split over fewer GPUs',
        why: 'A quantisation block does not fit into one GPU’s part of the matrix.',
        change: { args: ['--tensor-parallel-size', '{tensorParallel}'] },
        compute: 'halve-tp',
      },
      {
        id: 'expert-parallel',
        title: 'Split experts instead of matrices',
        why: 'Each expert stays whole.',
        change: { args: ['--enable-expert-parallel'] },
      },
    ],
  },
  {
    category: 'unsupported-architecture',
    on: 'exception',
    pattern: String.raw`Model architectures \[.*?\] (?:are not supported for now|failed to be inspected)|was supported in vLLM until v|Config' object has no attribute 'num_attention_heads'`,
    samples: [
      "ValueError: Model architectures ['DemoForCausalLM'] are not supported for now.",
      "AttributeError: 'DemoConfig' object has no attribute 'num_attention_heads'",
    ],
    remedies: [
      {
        id: 'upgrade-vllm',
        title: 'Upgrade vLLM',
        why: 'This version has no class for the model; --model-impl transformers may run it. If it `failed to be inspected`, the traceback above that line names the missing package.',
      },
    ],
  },
  {
    category: 'weight-mismatch',
    on: 'exception',
    pattern: String.raw`There is no module or parameter named|weights were not initialized from checkpoint|KeyError: '(?:model\.|layers\.|language_model\.)`,
    samples: ["ValueError: There is no module or parameter named 'model.vision' in DemoForCausalLM"],
    remedies: [
      {
        id: 'match-version',
        title: 'Match model and version',
        why: 'The checkpoint’s tensors are not those that this class knows.',
      },
    ],
  },
  {
    category: 'dtype-unsupported',
    on: 'exception',
    pattern: String.raw`Bfloat16 is only supported on GPUs\s+with compute capability of at least 8\.0`,
    samples: ['ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0.'],
    remedies: [
      {
        id: 'half-precision',
        title: 'Use half precision',
        why: 'This GPU has no bfloat16.',
        change: { args: ['--dtype', 'half'] },
      },
    ],
  },
  {
    category: 'attention-backend',
    on: 'exception',
    pattern: String.raw`No valid attention backend found for|Selected backend \S+ is not valid for this configuration`,
    samples: ['ValueError: No valid attention backend found for cuda with head_size 80'],
    remedies: [
      {
        id: 'drop-backend',
        title: 'Do not force a backend',
        why: 'Head size, dtype or block size do not go with it.',
      },
    ],
  },
  {
    category: 'speculative-config',
    on: 'exception',
    pattern:
      'should have the same vocabulary size|num_speculative_tokens was provided but without|speculative model was provided, but|must be divisible by n_predict',
    samples: ['ValueError: Target and draft model should have the same vocabulary size.'],
    remedies: [
      {
        id: 'fix-speculative',
        title: 'Correct --speculative-config',
        why: 'Draft and target do not go together.',
      },
    ],
  },
];
