import type { ContextRule } from '../engines/command-line.js';

type Config = Readonly<Record<string, unknown>>;

/**
 * The context that a model bears by its `config.json`, as SGLang's `get_context_length` works it out: the first key that
 * is there, times the factor of a rope scaling that does not name its original length. Null where it cannot be told.
 */
export function contextOf(config: Config, { lengthKeys }: ContextRule): number | null {
  const text = textConfig(config);
  // Of transformers 5, which engines read in more than one way.
  if (isRecord(text.rope_parameters) && typeof text.rope_parameters.factor === 'number') return null;
  const length = lengthKeys.map((key) => text[key]).find((value) => typeof value === 'number');
  return typeof length === 'number' ? Math.floor(length * ropeFactor(text.rope_scaling)) : null;
}

/** Of a model with pictures or sound the part that speaks. */
function textConfig(config: Config): Config {
  for (const key of ['text_config', 'llm_config', 'language_config', 'thinker_config']) {
    const inner = config[key];
    if (isRecord(inner)) return textConfig(inner);
  }
  return config;
}

function ropeFactor(scaling: unknown): number {
  if (!isRecord(scaling)) return 1;
  const type = scaling.rope_type ?? scaling.type;
  if ('original_max_position_embeddings' in scaling || type === 'llama3') return 1;
  return typeof scaling.factor === 'number' ? scaling.factor : 1;
}

const isRecord = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
