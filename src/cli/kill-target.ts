import type { KillSignal } from '../core/dialog-look.js';
import { cutText, durationText } from '../core/words.js';
import { exitCodes, FiredupError, usageError } from '../errors.js';
import type { Host } from '../host/host.js';
import { sanitize } from '../ingest/sanitize.js';
import { containerNotes, containerTarget } from '../runtime/actions/container-target.js';
import { type ContainerTarget, type KillTarget, killTargetOf } from '../runtime/actions/kill-target.js';
import {
  type KillPreview,
  type NearProcess,
  nearText,
  previewKill,
} from '../runtime/actions/preview-kill.js';
import { readCommand } from '../runtime/actions/read-command.js';
import type { Server } from './choose-server.js';
import { lookAtProcess } from './look-at-server.js';

/** The running process that a command is to end: pid, start and boot, never a pid alone. Throws when there is none. */
export async function runningTarget(host: Host, server: Server): Promise<KillTarget> {
  if (server.kind === 'launched') return killTargetOf(server.record);
  if (server.container) {
    const target = await containerTarget(host, server.container);
    if (target) return target;
    throw new FiredupError(
      'not-running',
      `Container ${server.container.name} does not run on ${host.label}: it is ${server.container.status}.`,
      { exitCode: exitCodes.usage },
    );
  }
  const fact = await lookAtProcess(host, server);
  if (fact.status !== 'alive') {
    const why = fact.status === 'unknown' ? fact.reason : 'no process is there';
    throw new FiredupError('not-running', `There is no such server to end on ${host.label}: ${why}.`, {
      exitCode: exitCodes.usage,
      hint: `firedup status ${host.label} shows what firedup has launched; anything else is named by --log PATH, --pid PID or --port PORT.`,
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

/**
 * The processes of `--also`: only what the preview told of as being near can be chosen, by its start too. Throws a usage
 * error for any other pid, and for one of another user.
 */
export function chooseAlso(
  preview: KillPreview,
  pids: readonly number[],
  label: string,
): readonly NearProcess[] {
  return pids.flatMap((pid) => {
    if (preview.processes.some((process) => process.pid === pid)) return [];
    const near = preview.near.find((process) => process.pid === pid);
    if (!near) {
      throw usageError(
        `--also ${pid}: no process that has something in common with this server on ${label}.`,
        preview.near.length === 0
          ? 'There is none.'
          : `There are: ${preview.near.map((process) => process.pid).join(', ')}. Anything else is ended by firedup kill --pid.`,
      );
    }
    if (near.foreign) throw usageError(`--also ${pid}: it belongs to ${near.owner}, who alone can end it.`);
    return [near];
  });
}

/** The preview with what was asked for besides among those that end. */
export async function withAlso(
  host: Host,
  target: KillTarget,
  known: KillPreview,
  also: readonly NearProcess[],
): Promise<KillPreview> {
  return also.length === 0
    ? known
    : previewKill(host, { ...target, also, seen: [...(target.seen ?? []), ...known.processes] });
}

/** Host, pid, age and command of all that a kill will end, and of what it leaves alone, for people. */
export function previewText(
  preview: KillPreview,
  signal: KillSignal = 'TERM',
  container?: ContainerTarget | null,
): string {
  const { host, processes, foreign, near } = preview;
  const row = ({ pid, owner, ageMs, command }: KillPreview['processes'][number], index: number): string =>
    `  ${String(pid).padStart(8)}  ${owner}  ${durationText(ageMs)}  ${cutText(sanitize(command), index === 0 ? 1000 : 200)}`;
  const nearRow = (process: NearProcess): string =>
    `  ${nearText(process)}: ${process.pid}, ${process.owner}, ${cutText(sanitize(process.command), 200)} — not killed`;
  return [
    `On ${host} this ends ${processes.length} ${processes.length === 1 ? 'process' : 'processes'} by SIG${signal}:`,
    ...processes.map(row),
    ...(container ? containerNotes(container).map((note) => `  ${note}`) : []),
    ...(foreign.length > 0 ? ['These belong to others and are left alone:', ...foreign.map(row)] : []),
    ...(near.length > 0 ? ['Outside its tree (--also PID ends one of them too):', ...near.map(nearRow)] : []),
  ].join('\n');
}
