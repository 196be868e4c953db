import type { ActionStep } from '../../core/events.js';

/** Tells a step of a launch as it goes. */
export type Tell = (
  step: ActionStep['step'],
  status: ActionStep['status'],
  text: string,
  details?: readonly string[],
) => void;

/** Tells the steps of a relaunch to `onStep`. */
export const tellRelaunch =
  (onStep: ((step: ActionStep) => void) | undefined): Tell =>
  (step, status, text, details) =>
    onStep?.({ action: 'relaunch', step, status, text, ...(details === undefined ? {} : { details }) });
