import type { KillSignal } from '../../core/dialog-look.js';
import { exitCodes } from '../../errors.js';
import { sanitize, sanitizeLines } from '../../ingest/sanitize.js';
import { killAcrossLosses } from '../../runtime/actions/across-losses.js';
import { leftText } from '../../runtime/actions/end-server.js';
import { othersText } from '../../runtime/actions/kill.js';
import { victimText } from '../../runtime/actions/kill-target.js';
import { markKilled } from '../../runtime/actions/mark-killed.js';
import { previewKill } from '../../runtime/actions/preview-kill.js';
import { chooseServer } from '../choose-server.js';
import { confirm } from '../confirm.js';
import { connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { parseDuration } from '../duration.js';
import { jsonLine } from '../json-line.js';
import { rememberStopped } from '../keep-stopped.js';
import { chooseAlso, previewText, runningTarget, withAlso } from '../kill-target.js';
import { nextConnection } from '../next-connection.js';
import { refuseReadOnly } from '../read-only.js';
import type { ServerOptions } from '../server-options.js';

export interface KillCommandOptions extends SshOptions, ServerOptions {
  readonly yes?: boolean;
  readonly signal: KillSignal;
  readonly grace: string;
  readonly json?: boolean;
  /** Pids of processes outside the tree that are to be ended as well. */
  readonly also?: readonly number[];
}

/** `firedup kill`: shows what will end, asks, and ends it; 7 when something survived. */
export async function kill(label: string, options: KillCommandOptions): Promise<void> {
  refuseReadOnly(options, 'kill');
  const graceMs = parseDuration(options.grace, '--grace');
  const { signal } = options;
  const spec = hostSpec(label, options);
  let host = await connectFirst(spec);
  let isOpen = true;
  const next = async () => {
    isOpen = false;
    await host.close();
    host = await nextConnection(spec)();
    isOpen = true;
    return host;
  };
  try {
    const server = await chooseServer(host, options);
    const found = await runningTarget(host, server);
    const known = await previewKill(host, found);
    const also = chooseAlso(known, options.also ?? [], host.label);
    const preview = await withAlso(host, found, known, also);
    const target = { ...found, also };
    if (!options.yes) {
      process.stderr.write(`${previewText(preview, signal, target.container)}\n`);
      if (!(await confirm(preview.processes.length === 1 ? 'End it?' : 'End them?'))) {
        process.exitCode = exitCodes.interrupted;
        return;
      }
    }
    if (server.kind === 'launched') await markKilled(host, server.record.attempt.folder);
    const onStep = ({ text }: { readonly text: string }) =>
      options.json || process.stderr.write(`${sanitize(text)}\n`);
    const result = await killAcrossLosses(host, target, { graceMs, signal, preview, onStep }, next);
    const { outcome, survivors, others, heldPorts, release } = result;
    const left = leftText(result);
    if (outcome !== 'survivors') await rememberStopped(label, server, target);
    if (options.json) {
      const gpus = release?.outcome === 'held' ? release : { outcome: release?.outcome ?? null };
      const words = { pid: target.pid, outcome, survivors, others, heldPorts, gpus };
      process.stdout.write(`${jsonLine({ type: 'killed', ...words })}\n`);
    } else if (left === null) {
      process.stdout.write(`${victimText(target)} gone\n`);
      if (others.length > 0) process.stdout.write(`${sanitize(othersText(others))}\n`);
    } else {
      process.stdout.write(`${sanitizeLines(left)}\n`);
    }
    process.exitCode = left === null ? exitCodes.ready : exitCodes.survivors;
  } finally {
    if (isOpen) await host.close();
  }
}
