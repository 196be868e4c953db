/** Beginnings of repository ids that the hub gives only to those who have accepted a licence. */
export const gatedRepositories: readonly string[] = [
  'meta-llama/',
  'google/gemma-',
  'mistralai/Mistral-',
  'mistralai/Mixtral-',
  'CohereForAI/',
  'CohereLabs/',
  'nvidia/Llama-',
];
