import { describeError } from '../errors.js';
import { changedSpec } from './changed-spec.js';
import type { Dialog } from './dialog-state.js';
import type { LaunchSpec } from './launch-spec.js';
import type { RelaunchForm } from './relaunch-form.js';
import type { State } from './state.js';

/** What the next attempt runs, or why that cannot be made of the form. */
export function putTogether(spec: LaunchSpec, form: RelaunchForm): LaunchSpec | string {
  try {
    return changedSpec(spec, form);
  } catch (error) {
    return describeError(error);
  }
}

/** Why nothing can be started as the form stands; null where it can, or the last command is not known yet. */
export function formProblem(
  { form, target }: Pick<State, 'form' | 'target'>,
  { look, problem }: Extract<Dialog, { kind: 'relaunch' }>,
): string | null {
  if (problem !== null) return problem;
  // Of a container only the line is shown that makes it anew.
  if (!look?.spec || target.container) return null;
  const next = putTogether(look.spec, form);
  return typeof next === 'string' ? `${next} (e edits it)` : null;
}
