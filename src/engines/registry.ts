import type { EngineId } from './ids.js';
import { llamaCpp } from './llama-cpp.js';
import { lmdeploy } from './lmdeploy.js';
import { ollama } from './ollama.js';
import type { EngineProfile } from './profile.js';
import { python } from './python.js';
import { sglang } from './sglang/profile.js';
import { tgi } from './tgi.js';
import { trtllm } from './trtllm.js';
import { vllm } from './vllm/profile.js';

/** The built-in engines; a new one is one more line. */
export const engineProfiles: readonly EngineProfile[] = [
  sglang,
  vllm,
  llamaCpp,
  trtllm,
  tgi,
  lmdeploy,
  ollama,
  python,
];

/** The profile of `id` among `profiles`; that of any Python program where the engine is unknown. */
export function profileOf(id: EngineId, profiles: readonly EngineProfile[] = engineProfiles): EngineProfile {
  const find = (wanted: EngineId) => profiles.find((profile) => profile.id === wanted);
  return find(id) ?? find('python') ?? python;
}
