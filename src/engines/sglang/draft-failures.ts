import type { FailureRule } from '../profile.js';

/** Draft models: missing hooks, lengths and weights that do not fit. */
export const draftFailures: readonly FailureRule[] = [
  {
    category: 'missing-method-eagle3',
    on: 'exception',
    pattern: String.raw`AttributeError: '(?<class>\w+)' object has no attribute 'set_eagle3_layers_to_capture'`,
    samples: [
      "AttributeError: 'KimiK25ForConditionalGeneration' object has no attribute 'set_eagle3_layers_to_capture'",
    ],
    remedies: [
      {
        id: 'upgrade-sglang-eagle3',
        title: 'Upgrade SGLang to 0.5.10 or later',
        why: '{class} got set_eagle3_layers_to_capture in 0.5.10; without it EAGLE-3 cannot tap the hidden states of the target.',
        url: 'https://github.com/sgl-project/sglang/pull/19689',
      },
      {
        id: 'delegate-eagle3',
        title: 'Delegate the method to the inner language model',
        why: 'The wrapper class only has to hand the call on: def set_eagle3_layers_to_capture(self, layer_ids=None): self.language_model.set_eagle3_layers_to_capture(layer_ids).',
      },
      {
        id: 'clear-stale-bytecode',
        title: 'Clear stale .pyc files and old processes',
        why: 'If the method is already in the source, an old __pycache__ or a server left running still holds the class without it.',
      },
      {
        id: 'drop-eagle3',
        title: 'Start without speculative decoding',
        why: 'The server works without the draft model, only slower: leave out --speculative-algorithm EAGLE3.',
      },
    ],
  },
  {
    category: 'missing-method-eagle3',
    on: 'exception',
    pattern: String.raw`language_model does not support EAGLE3 speculative decoding|implements neither\s+set_dspark_layers_to_capture`,
    samples: ['AttributeError: language_model does not support EAGLE3 speculative decoding.'],
    remedies: [
      {
        id: 'drop-eagle3',
        title: 'Choose another draft algorithm, or none',
        why: 'The inner language model has no hook for EAGLE-3 in this version.',
      },
    ],
  },
  {
    category: 'context-length-mismatch',
    on: 'exception',
    pattern: String.raw`context_length \((?<asked>\d+)\) is greater than the derived context_length \((?<derived>\d+)\).*SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1`,
    samples: [
      "ValueError: Warning: Target model's context_length (262144) is greater than the derived context_length (131072). This may lead to incorrect model outputs or CUDA errors. To allow overriding this maximum, set the env var SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1",
    ],
    remedies: [
      {
        id: 'allow-longer-context',
        title: 'Allow the longer context length',
        why: 'The draft (or the model) was trained for {derived} tokens and {asked} are asked for; the variable turns the refusal into a warning. Drafts beyond {derived} tokens are accepted less often.',
        change: { env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' } },
        url: 'https://github.com/sgl-project/sglang/pull/9388',
      },
      {
        id: 'lower-context-length',
        title: 'Serve {derived} tokens of context',
        why: 'Keeps target and draft within what the shorter of them was trained for.',
        change: { args: ['--context-length', '{derived}'] },
      },
    ],
  },
  {
    category: 'draft-weight-mismatch',
    on: 'exception',
    model: 'draft',
    pattern:
      "^KeyError: '|mat1 and mat2 shapes cannot be multiplied|size of tensor a .* must match|has no attribute 'weight_loader'",
    samples: ["KeyError: 'model.layers.0.mlp.gate_up_proj.weight'"],
    remedies: [
      {
        id: 'matching-draft',
        title: 'Use the draft that was trained for this target',
        why: 'The draft’s tensors do not fit the class that the server loads them into.',
      },
    ],
  },
];
