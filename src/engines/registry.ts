import type { EngineId } from './ids.js';
import type { EngineProfile } from './profile.js';
import { python } from './python.js';
import { sglang } from './sglang/profile.js';

/** The built-in engines; a new one is one more line. */
export const engineProfiles: readonly EngineProfile[] = [sglang, python];

/** The profile of `id`; that of any Python program where the engine is unknown. */
export function profileOf(id: EngineId): EngineProfile {
  return engineProfiles.find((profile) => profile.id === id) ?? python;
}
