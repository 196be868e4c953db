import { type LaunchSpec, launchSpec } from '../../core/launch-spec.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { readAttempt } from './attempts.js';
import { lookAtContainer } from './look-at-container.js';
import { readCommand } from './read-command.js';

/** What is to be started again: a launch of ours, a container, or a process by its identity, never a pid alone. */
export type Launched =
  | { readonly name: string; readonly number: number }
  | { readonly inContainer: string }
  | { readonly pid: number; readonly startTicks: string; readonly bootId: string | null };

/**
 * How it was started; `notes` say what could not be read. Rejects with `FiredupError` `no-attempt`, `not-running` (it has
 * gone, or its pid is another process by now) or `no-command`.
 */
export async function lastLaunch(
  host: Host,
  launched: Launched,
): Promise<{ readonly spec: LaunchSpec; readonly notes: readonly string[] }> {
  if ('name' in launched) {
    return { spec: (await readAttempt(host, launched.name, launched.number)).spec, notes: [] };
  }
  if ('inContainer' in launched) {
    const { command } = await lookAtContainer(host, launched.inContainer);
    return { spec: launchSpec({ command }), notes: [] };
  }
  const { spec, notes, startTicks, bootId } = await readCommand(host, launched.pid);
  const fail = (code: string, text: string): never => {
    throw new FiredupError(code, text, { exitCode: exitCodes.usage });
  };
  if (startTicks !== launched.startTicks || (launched.bootId ?? bootId) !== bootId)
    return fail('not-running', `Pid ${launched.pid} on ${host.label} is another process by now.`);
  if (!spec) return fail('no-command', `The command of pid ${launched.pid} is not known. ${notes.join(' ')}`);
  return { spec, notes };
}
