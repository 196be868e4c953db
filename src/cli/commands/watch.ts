import type { Host } from '../../host/host.js';
import { chooseServer, type Server } from '../choose-server.js';
import { comeBackCommand } from '../come-back.js';
import { connectAgain, connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { parseDuration } from '../duration.js';
import { type EngineOptions, loadEngines } from '../load-engines.js';
import { findLog } from '../look-at-server.js';
import { type Presentation, type PresentOptions, presentation } from '../present.js';
import type { ServerOptions } from '../server-options.js';
import { showWatch } from '../show-watch.js';
import { targetOf } from '../watch-target.js';

export interface WatchCommandOptions extends SshOptions, ServerOptions, PresentOptions, EngineOptions {
  readonly grace?: string;
  /** What a relaunch from the screen runs before the start. */
  readonly before?: readonly string[];
}

/** `firedup watch`: the live screen; without a terminal, as `wait`. */
export async function watch(label: string, options: WatchCommandOptions): Promise<void> {
  await follow(label, options, presentation(options, 'screen'));
}

/** The same from a list: tells whether the user went back to it rather than left. */
export const visit = (label: string, options: WatchCommandOptions): Promise<boolean> =>
  follow(label, options, presentation(options, 'screen'));

/** `firedup wait`: a line per change, and the verdict as the exit code. */
export async function wait(label: string, options: WatchCommandOptions): Promise<void> {
  await follow(label, options, presentation(options, 'text'));
}

async function follow(label: string, options: WatchCommandOptions, how: Presentation): Promise<boolean> {
  const graceMs = parseDuration(options.grace ?? '10s', '--grace');
  const engines = await loadEngines(options);
  const spec = hostSpec(label, options);
  const host = await connectFirst(spec);
  const { server, log } = await findServer(host, options).catch(async (error) => {
    await host.close();
    throw error;
  });
  const target = targetOf(label, server, log, options, engines, wayBack(label, server, options));
  const watched = {
    host,
    connect: connectAgain(spec),
    target,
    attempt: server.kind === 'launched' ? server.record.attempt : null,
    attemptIsNew: false,
    before: options.before ?? [],
    graceMs,
    profiles: engines.profiles,
  };
  const { exitCode, wentBack } = await showWatch(watched, how);
  process.exitCode = exitCode;
  return wentBack;
}

async function findServer(host: Host, options: WatchCommandOptions) {
  const server = await chooseServer(host, options);
  return { server, log: await findLog(host, server) };
}

/** The command line that comes back to this watch. */
export function wayBack(label: string, server: Server, options: WatchCommandOptions): string {
  const named = server.kind === 'launched' ? { ...options, name: server.record.attempt.name } : options;
  return comeBackCommand(label, options, named);
}
