import type { PhaseId, PhaseModel } from '../engines/ids.js';

/** A phase as people call it: `Load weights`, `Load weights (draft)`. */
export function phaseTitle(phase: { readonly title: string; readonly model: PhaseModel | null }): string {
  const { title, model } = phase;
  return model === 'draft' && !/draft/i.test(title) ? `${title} (draft)` : title;
}

/** The same of a phase by its id alone, whatever the engine. */
export const phaseWords = ({
  id,
  model,
}: {
  readonly id: PhaseId;
  readonly model: PhaseModel | null;
}): string => phaseTitle({ title: titles[id], model });

const titles: Readonly<Record<PhaseId, string>> = {
  launch: 'Start the process',
  args: 'Read arguments',
  init: 'Set up the engine',
  distributed: 'Join ranks',
  download: 'Download',
  weights: 'Load weights',
  compile: 'Compile',
  profile: 'Profile memory',
  'kv-cache': 'Allocate KV cache',
  graphs: 'Capture graphs',
  serving: 'Start HTTP server',
  warmup: 'Warm up',
  ready: 'Ready',
};
