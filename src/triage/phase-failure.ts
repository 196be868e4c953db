import type { PhaseId, PhaseModel } from '../engines/ids.js';
import type { PhaseFinding } from './findings.js';

/** The phase that a run had reached. */
export interface Place {
  readonly id: PhaseId | null;
  readonly model: PhaseModel | null;
}

/**
 * The checklist of a run that died at `at`: that phase failed, or, where every rank had ended it, the one that
 * was about to begin. What else was under way is over.
 */
export function withFailure(phases: readonly PhaseFinding[], at: Place): readonly PhaseFinding[] {
  const place = phaseAt(phases, at);
  const reached = place === undefined ? -1 : phases.indexOf(place);
  const next = phases.findIndex((phase) => phase.status === 'pending' && phase.id !== 'ready');
  const failed = phases[reached]?.status === 'done' && next >= 0 ? next : reached;
  return phases.map((phase, index) => {
    if (index === failed && phase.id !== 'ready') return { ...phase, status: 'failed' };
    return phase.status === 'active' ? { ...phase, status: 'done' } : phase;
  });
}

/** The phase of a checklist that is meant: of a run that has no draft, a place without a model is the target's. */
export function phaseAt<T extends { readonly id: PhaseId; readonly model: PhaseModel | null }>(
  phases: readonly T[],
  { id, model }: Place,
): T | undefined {
  const named = phases.filter((phase) => phase.id === id);
  const exact = named.find((phase) => phase.model === model);
  return exact ?? (model === null ? named.find((phase) => phase.model === 'target') : undefined);
}
