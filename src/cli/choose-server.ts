import { usageError } from '../errors.js';
import type { Host } from '../host/host.js';
import { type AttemptRecord, currentAttempt, listAttempts, listNames } from '../runtime/actions/attempts.js';
import { requirePid } from '../runtime/actions/check-pid.js';
import { type Container, lookAtContainer } from '../runtime/actions/look-at-container.js';
import type { SshOptions } from './connection.js';
import type { EngineOptions } from './load-engines.js';
import { notLaunched } from './not-launched.js';
import { onHost } from './on-host.js';
import type { ServerOptions } from './server-options.js';

/** A server that firedup launched, with its last attempt; or one to be found by log, pid or port. */
export type Server =
  | { readonly kind: 'launched'; readonly record: AttemptRecord }
  | {
      readonly kind: 'attached';
      readonly log: string | null;
      readonly pid: number | null;
      readonly port: number | null;
      /** It runs in this container. */
      readonly container: Container | null;
    };

/**
 * Finds out which server is meant. Without a word about it, the only one that firedup launched there; a usage error
 * lists the names where there are several, and says what to give where there is none.
 */
export async function chooseServer(
  host: Host,
  options: ServerOptions & SshOptions & EngineOptions,
): Promise<Server> {
  const { name, log, pid, port } = options;
  if (options.container !== undefined) {
    const container = await lookAtContainer(host, options.container);
    return { kind: 'attached', log: null, pid: null, port: port ?? null, container };
  }
  if (log === '') throw usageError('--log takes a path, not an empty word.');
  if (name !== undefined) {
    const record = currentAttempt(await listAttempts(host, name));
    if (record) return { kind: 'launched', record };
    if (!options.orAttached || log === undefined) throw await notLaunched(host, name, options);
  }
  if (pid !== undefined) await requirePid(host, pid);
  const attached = {
    kind: 'attached',
    log: log ?? null,
    pid: pid ?? null,
    port: port ?? null,
    container: null,
  } as const;
  if (log !== undefined || pid !== undefined) {
    return { ...attached, log: log === undefined ? null : await onHost(host, log) };
  }
  const records = await lastAttempts(host);
  const running = records.filter(({ life }) => life.kind === 'running' || life.kind === 'starting');
  // A port alone is no name: it goes with the one server of ours that runs, else with whoever listens there.
  if (port !== undefined)
    return running[0] && running.length === 1 ? { kind: 'launched', record: running[0] } : attached;
  if (records.length === 0) throw await notLaunched(host, null, options);
  return { kind: 'launched', record: onlyOne(host, records, running) };
}

/** The last attempt under each name. */
async function lastAttempts(host: Host): Promise<readonly AttemptRecord[]> {
  const names = await listNames(host);
  const last = await Promise.all(names.map(async (name) => currentAttempt(await listAttempts(host, name))));
  return last.filter((record) => record !== undefined);
}

/** The only server there, or the only one that runs: those that have ended need no name to be left alone. */
function onlyOne(
  host: Host,
  records: readonly AttemptRecord[],
  running: readonly AttemptRecord[],
): AttemptRecord {
  const [only, ...others] = running.length > 0 ? running : records;
  if (only !== undefined && others.length === 0) return only;
  const list = records.map(
    ({ attempt, life }) => `${attempt.name} (${life.kind === 'running' ? 'runs' : 'ended'})`,
  );
  throw usageError(
    `There are several servers on ${host.label}: ${list.join(', ')}.`,
    'Choose one with --name.',
  );
}
