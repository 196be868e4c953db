import { exitCodes, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { sanitize } from '../ingest/sanitize.js';
import { type KillTarget, killTargetOf } from '../runtime/actions/kill-target.js';
import type { KillPreview } from '../runtime/actions/preview-kill.js';
import { readCommand } from '../runtime/actions/read-command.js';
import { lookAtProcess, type Server } from './choose-server.js';

/** The running process that a command is to end: pid, start and boot, never a pid alone. Throws when there is none. */
export async function runningTarget(host: Host, server: Server): Promise<KillTarget> {
  if (server.kind === 'launched') return killTargetOf(server.record);
  const fact = await lookAtProcess(host, server);
  if (fact.status !== 'alive') {
    const why = fact.status === 'unknown' ? fact.reason : 'no process is there';
    throw new FiredupError('not-running', `There is no such server to end on ${host.label}: ${why}.`, {
      exitCode: exitCodes.usage,
    });
  }
  const { startTicks, bootId } = await readCommand(host, fact.pid);
  if (startTicks !== fact.startTicks) {
    throw new FiredupError('not-running', `The server (pid ${fact.pid}) ended while it was looked at.`, {
      exitCode: exitCodes.usage,
    });
  }
  return { pid: fact.pid, startTicks, bootId, seen: fact.tree, log: server.log };
}

/** Host, pid, age and command of all that a kill will end, for people. */
export function previewText({ host, processes, foreign }: KillPreview): string {
  const row = ({ pid, owner, ageMs, command }: KillPreview['processes'][number]): string =>
    `  ${String(pid).padStart(8)}  ${owner}  ${Math.round(ageMs / 1000)} s  ${sanitize(command)}`;
  return [
    `On ${host} this ends ${processes.length} ${processes.length === 1 ? 'process' : 'processes'}:`,
    ...processes.map(row),
    ...(foreign.length > 0 ? ['These belong to others and are left alone:', ...foreign.map(row)] : []),
  ].join('\n');
}
