import { changedSpec, launchDifference } from '../../core/changed-spec.js';
import type { LaunchSpec } from '../../core/launch-spec.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { sanitize } from '../../ingest/sanitize.js';
import { relaunchAcrossLosses } from '../../runtime/actions/across-losses.js';
import { previewIfRunning } from '../../runtime/actions/end-server.js';
import type { KillTarget } from '../../runtime/actions/kill-target.js';
import { lastLaunch } from '../../runtime/actions/last-launch.js';
import { previewKill } from '../../runtime/actions/preview-kill.js';
import type { RelaunchRequest } from '../../runtime/actions/relaunch.js';
import { chooseServer, type Server } from '../choose-server.js';
import { comeBackCommand } from '../come-back.js';
import { confirm } from '../confirm.js';
import { connectFirst, hostSpec } from '../connection.js';
import { parseDuration } from '../duration.js';
import { parseEnvironment } from '../environment.js';
import { wordsOnInterrupt } from '../goodbye.js';
import { rememberStopped } from '../keep-stopped.js';
import { chooseAlso, previewText, runningTarget, withAlso } from '../kill-target.js';
import { launchCheck } from '../launch-check.js';
import { loadEngines } from '../load-engines.js';
import { nextConnection } from '../next-connection.js';
import { remarkOtherLog } from '../other-log.js';
import { refuseReadOnly } from '../read-only.js';
import { relaunchInContainer } from '../relaunch-in-container.js';
import type { RelaunchOptions } from '../relaunch-options.js';
import { remark } from '../remark.js';
import { tellEnding } from '../tell-step.js';
import { engineOptions, printStarted, sayBefore } from './launch.js';
import { watch } from './watch.js';

/** `firedup relaunch`: ends the server, starts it again as the next attempt, and watches that. */
export async function relaunch(label: string, options: RelaunchOptions): Promise<void> {
  refuseReadOnly(options, 'relaunch');
  const graceMs = parseDuration(options.grace, '--grace');
  const { signal } = options;
  const env = parseEnvironment(options.env ?? []);
  // A config that is wrong is said before anything is ended; the watch reads it again.
  await loadEngines(options);
  if (options.container !== undefined) return relaunchInContainer(label, options, { graceMs, signal, env });
  const hostToReach = hostSpec(label, options);
  let host = await connectFirst(hostToReach);
  let name: string;
  try {
    const server = await chooseServer(host, options);
    name = server.kind === 'launched' ? server.record.attempt.name : (options.name ?? 'default');
    const spec = await lastSpec(host, server);
    const found = await victimOf(host, server);
    const known = found && (await previewIfRunning(host, found));
    const also = known ? chooseAlso(known, options.also ?? [], host.label) : [];
    const preview = known && found && (await withAlso(host, found, known, also));
    const victim = found && { ...found, also };
    if (!options.yes) {
      if (preview) process.stderr.write(`${previewText(preview, signal)}\n`);
      const ran = server.kind === 'launched' ? (server.record.attempt.before ?? null) : null;
      const steps = { last: ran, next: options.before ?? [] };
      const change = launchDifference(spec, changedSpec(spec, { env, args: [] }), steps);
      for (const line of change) process.stderr.write(`${sanitize(line)}\n`);
      if (!(await confirm('Relaunch it?'))) {
        process.exitCode = exitCodes.interrupted;
        return;
      }
    }
    const request: RelaunchRequest = {
      name,
      victim,
      victimFolder: server.kind === 'launched' ? server.record.attempt.folder : null,
      spec: changedSpec(spec, { env, args: [] }),
      before: options.before ?? [],
      graceMs,
      ...launchCheck(options),
      signal,
      preview,
      onBefore: sayBefore,
      ...(options.json ? {} : { onStep: tellEnding }),
    };
    const comeBack = comeBackCommand(label, options, { name, ...engineOptions(options) });
    const begun = wordsOnInterrupt(`What was begun may go on there. Look at it with: ${comeBack}`);
    const done = await relaunchAcrossLosses(host, request, nextConnection(hostToReach)).finally(begun);
    host = done.host;
    if (victim !== null && preview !== null) await rememberStopped(label, server, victim);
    const { attempt } = done;
    if (!options.json) remarkOtherLog(attempt, spec.log);
    if (options.detach) {
      printStarted(attempt, comeBack, options.json === true);
      return;
    }
  } finally {
    await host.close();
  }
  const { log: _log, pid: _pid, ...rest } = options;
  await watch(label, { ...rest, name });
}

async function lastSpec(host: Host, server: Server): Promise<LaunchSpec> {
  const of = server.kind === 'launched' ? server.record.attempt : await runningTarget(host, server);
  const { spec, notes } = await lastLaunch(host, of);
  // What could not be read is said before anything is ended.
  for (const note of notes) remark(note);
  return spec;
}

/** What runs now; null when the last attempt has ended already. */
async function victimOf(host: Host, server: Server): Promise<KillTarget | null> {
  const isOver = server.kind === 'launched' && server.record.life.kind === 'ended';
  const target = await runningTarget(host, server);
  if (!isOver) return target;
  return previewKill(host, target).then(
    () => target,
    (error) => {
      if (error instanceof FiredupError && error.code === 'not-running') return null;
      throw error;
    },
  );
}
