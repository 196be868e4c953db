import type { Host } from '../../host/host.js';
import { currentAttempt, listAttempts } from './attempts.js';
import { alreadyRunning } from './launch.js';

/**
 * Rejects with `FiredupError` `already-running` where an attempt of that name runs. The start itself refuses it, too, and
 * has the last word; this is asked before the steps that come before a start, which may change what the running one uses.
 */
export async function refuseRunning(host: Host, name: string, abort?: AbortSignal): Promise<void> {
  const current = currentAttempt(await listAttempts(host, name, abort));
  if (current === undefined) return;
  const { attempt, life, startedBy } = current;
  if (life.kind !== 'running' && life.kind !== 'starting') return;
  throw alreadyRunning(host, {
    name,
    number: attempt.number,
    pid: life.kind === 'starting' ? null : attempt.pid,
    since: attempt.startedAt / 1000,
    startedBy,
  });
}
