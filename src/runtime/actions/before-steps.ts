import { firstLineOf } from '../../core/words.js';
import type { Host } from '../../host/host.js';
import { redact } from '../../ingest/redact.js';
import { type BeforeOutcome, beforeFailed, howItEnded, runBefore } from './before.js';
import type { Tell } from './tell.js';

/**
 * Runs the steps before a start, one after the other, and tells each. Rejects with `FiredupError` `before-failed` at the
 * first that ends with anything but 0, and with what `runBefore` rejects with.
 */
export async function runBeforeSteps(
  host: Host,
  commands: readonly string[],
  place: Parameters<typeof runBefore>[2],
  how: {
    readonly step: Tell;
    /** What is told of one that is done. */
    readonly doneText: (outcome: BeforeOutcome) => string;
    readonly onBefore?: ((outcome: BeforeOutcome) => void) | undefined;
    readonly abort?: AbortSignal | undefined;
  },
): Promise<readonly BeforeOutcome[]> {
  const { step, doneText, onBefore, abort } = how;
  const outcomes: BeforeOutcome[] = [];
  for (const command of commands) {
    step('before', 'active', redact(command));
    const outcome = await runBefore(host, command, place, abort === undefined ? {} : { abort });
    outcomes.push(outcome);
    onBefore?.(outcome);
    if (outcome.code !== 0) {
      step('before', 'failed', `${firstLineOf(outcome.command)}: ${howItEnded(outcome)}`);
      throw beforeFailed(outcome);
    }
    step('before', 'done', doneText(outcome));
  }
  return outcomes;
}
