import { exitCodes, usageError } from '../../errors.js';
import { sanitize } from '../../ingest/sanitize.js';
import { killTree, othersText } from '../../runtime/actions/kill.js';
import { type KillSignal, killSignals } from '../../runtime/actions/kill-target.js';
import { markKilled } from '../../runtime/actions/mark-killed.js';
import { previewKill } from '../../runtime/actions/preview-kill.js';
import { chooseServer, type ServerOptions } from '../choose-server.js';
import { confirm } from '../confirm.js';
import { connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { parseDuration } from '../duration.js';
import { jsonLine } from '../json-line.js';
import { previewText, runningTarget } from '../kill-target.js';
import { refuseReadOnly } from '../read-only.js';

export interface KillCommandOptions extends SshOptions, ServerOptions {
  readonly yes?: boolean;
  readonly signal: string;
  readonly grace: string;
  readonly json?: boolean;
}

/** `firedup kill`: shows what will end, asks, and ends it; 7 when something survived. */
export async function kill(label: string, options: KillCommandOptions): Promise<void> {
  refuseReadOnly(options, 'kill');
  const graceMs = parseDuration(options.grace, '--grace');
  const signal = parseSignal(options.signal);
  const host = await connectFirst(hostSpec(label, options));
  try {
    const server = await chooseServer(host, options);
    const target = await runningTarget(host, server);
    const preview = await previewKill(host, target);
    if (!options.yes) {
      process.stderr.write(`${previewText(preview)}\n`);
      if (!(await confirm('End them?'))) {
        process.exitCode = exitCodes.interrupted;
        return;
      }
    }
    if (server.kind === 'launched') await markKilled(host, server.record.attempt.folder);
    const seen = [...(target.seen ?? []), ...preview.processes];
    const { outcome, survivors, others } = await killTree(
      host,
      { ...target, seen },
      {
        graceMs,
        signal,
        onStep: ({ text }) => options.json || process.stderr.write(`${sanitize(text)}\n`),
      },
    );
    if (options.json) {
      process.stdout.write(`${jsonLine({ type: 'killed', pid: target.pid, outcome, survivors, others })}\n`);
    } else if (outcome === 'survivors') {
      for (const { pid, owner, command, state } of survivors) {
        process.stdout.write(`still there: ${pid} ${owner} (${state}) ${sanitize(command)}\n`);
      }
    } else {
      process.stdout.write(`pid ${target.pid} and its tree are gone\n`);
      if (others.length > 0) process.stdout.write(`${sanitize(othersText(others))}\n`);
    }
    process.exitCode = outcome === 'survivors' ? exitCodes.survivors : exitCodes.ready;
  } finally {
    await host.close();
  }
}

function parseSignal(name: string): KillSignal {
  const wanted = name.toUpperCase().replace(/^SIG/, '');
  const known = killSignals.find((signal) => signal === wanted);
  if (!known) throw usageError(`--signal takes TERM, INT or KILL, not "${name}".`);
  return known;
}
