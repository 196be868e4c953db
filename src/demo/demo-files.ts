import type { Card } from './gpu-files.js';
import type { DemoFile } from './scenario.js';
import { sitePackages } from './site-packages.js';

/** Eight H200 with made-up serial numbers. */
export const cards: readonly Card[] = Array.from({ length: 8 }, (_, index) => ({
  index,
  uuid: `GPU-5e1f0d3a-${(0x4a10 + index * 0x1357).toString(16)}-9c2b-71d4-0a6be8f3c${(0x1d0 + index).toString(16)}`,
  totalMiB: 143771,
  name: 'NVIDIA H200',
}));

export const modelFile = `${sitePackages}/sglang/srt/models/demo_vl.py`;

/** What pip leaves beside a package: the version that the engine says it is. */
export const packageInfo: DemoFile = {
  path: `${sitePackages}/sglang-0.5.9.dist-info/METADATA`,
  text: 'Metadata-Version: 2.4\nName: sglang\nVersion: 0.5.9\n',
};
export const targetClass = 'DemoVLForConditionalGeneration';

const shardBytes = 512 * 1024;

/** A model folder of 547 GB as far as its index says, whose shards are small. */
export function targetModel(shards: number): DemoFile[] {
  return [
    json('models/demo-vl/config.json', {
      architectures: [targetClass],
      model_type: 'demo_vl',
      max_position_embeddings: 262144,
      num_hidden_layers: 61,
      kv_lora_rank: 512,
      qk_rope_head_dim: 64,
      torch_dtype: 'bfloat16',
    }),
    json('models/demo-vl/model.safetensors.index.json', { metadata: { total_size: 547_000_000_000 } }),
    ...Array.from({ length: shards }, (_, index) => shard(`models/demo-vl/${shardName(index + 1, shards)}`)),
  ];
}

/** The EAGLE-3 draft: one layer, one shard. */
export function draftModel(maxPositions: number): DemoFile[] {
  return [
    json('models/demo-vl-eagle3/config.json', {
      architectures: ['LlamaForCausalLMEagle3'],
      model_type: 'llama',
      max_position_embeddings: maxPositions,
      num_hidden_layers: 1,
      num_key_value_heads: 8,
      head_dim: 128,
      torch_dtype: 'bfloat16',
    }),
    json('models/demo-vl-eagle3/model.safetensors.index.json', { metadata: { total_size: 5_100_000_000 } }),
    shard('models/demo-vl-eagle3/model.safetensors'),
  ];
}

/** The target's class in the simulated package, with or without the method that EAGLE-3 asks for. */
export function modelSource(withEagle3: boolean): DemoFile {
  return { path: modelFile, text: withEagle3 ? `${classText}\n${eagle3Text}` : classText };
}

/** A shell command that adds the missing method and clears the cache that would hide it. Running it twice does no harm. */
export const patchModelCommand =
  '# The demo brings this fix along\n' +
  `cd '{folder}/${sitePackages}/sglang/srt/models' &&\n{ grep -q 'def set_eagle3_layers_to_capture' demo_vl.py ||\n` +
  `printf '\\n    def set_eagle3_layers_to_capture(self, layer_ids=None):\\n` +
  `        self.language_model.set_eagle3_layers_to_capture(layer_ids)\\n' >>demo_vl.py; } && rm -rf __pycache__`;

const classText = `# A model of the firedup demo. The simulated engine reads which methods the class has.
import torch
from torch import nn


class ${targetClass}(nn.Module):
    def __init__(self, config, quant_config=None, prefix=""):
        super().__init__()
        self.config = config
        self.vision_tower = build_vision_tower(config)
        self.language_model = build_language_model(config, quant_config)

    def get_input_embeddings(self):
        return self.language_model.get_input_embeddings()

    def forward(self, input_ids, positions, forward_batch):
        return self.language_model(input_ids, positions, forward_batch)

    def load_weights(self, weights):
        self.language_model.load_weights(weights)
`;

const eagle3Text = `    def set_eagle3_layers_to_capture(self, layer_ids=None):
        self.language_model.set_eagle3_layers_to_capture(layer_ids)
`;

const json = (path: string, value: object): DemoFile => ({
  path,
  text: `${JSON.stringify(value, null, 2)}\n`,
});

const shard = (path: string): DemoFile => ({ path, text: '', sparseBytes: shardBytes });

const shardName = (number: number, of: number): string =>
  `model-${String(number).padStart(5, '0')}-of-${String(of).padStart(5, '0')}.safetensors`;
