import type { ActionStep } from '../core/events.js';
import { sanitizeLines } from '../ingest/sanitize.js';

/**
 * Says on stderr how the ending of a server goes in a relaunch, step by step. The other steps are told elsewhere: the
 * commands before the start with their output, the look at the host as findings, the start by what follows, and what
 * failed as the failure of the command.
 */
export function tellEnding({ step, status, text }: Pick<ActionStep, 'step' | 'status' | 'text'>): void {
  if (status !== 'done' || (step !== 'kill' && step !== 'gpus-free')) return;
  process.stderr.write(`${sanitizeLines(text)}\n`);
}
