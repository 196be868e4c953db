import { PythonError } from './python-error.js';

const overrideName = 'SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN';

/** What SGLang's `_derive_context_length` does with a wish that is longer than the model's own length. */
export type ContextCheck =
  | { readonly kind: 'fits' }
  | { readonly kind: 'overridden'; readonly warning: string }
  | { readonly kind: 'refused'; readonly error: PythonError };

/** `whose` is the text's own word for where the wish comes from; `env` decides whether it may be granted. */
export function checkContextLength(
  whose: "Target model's" | 'User-specified',
  wished: number,
  derived: number,
  env: NodeJS.ProcessEnv,
): ContextCheck {
  if (wished <= derived) return { kind: 'fits' };
  const text =
    `Warning: ${whose} context_length (${wished}) is greater than the derived context_length (${derived}). ` +
    'This may lead to incorrect model outputs or CUDA errors. Note that the derived context_length may differ ' +
    "from max_position_embeddings in the model's config.";
  if (/^(1|true|yes|y)$/i.test(env[overrideName] ?? '')) return { kind: 'overridden', warning: text };
  const error = new PythonError(
    'ValueError',
    `${text} To allow overriding this maximum, set the env var ${overrideName}=1`,
    [],
  );
  return { kind: 'refused', error };
}
