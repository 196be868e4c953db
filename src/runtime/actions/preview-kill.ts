import type { TreeMember } from '../../core/events.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { commandOf, endOf, type KillTarget, killArguments, killRefused, ownersOf } from './kill-target.js';
import { runScript } from './run-script.js';

/** What a kill would do, for its dialog. */
export interface KillPreview {
  readonly host: string;
  /** The server itself; null when it has gone and only others of its tree are left. */
  readonly server: ProcessListing | null;
  /** Every process that will be ended, the server among them. */
  readonly processes: readonly ProcessListing[];
  /** Members of the tree that belong to another user: told, not tried. */
  readonly foreign: readonly ProcessListing[];
}

export interface ProcessListing extends TreeMember {
  readonly owner: string;
  readonly ageMs: number;
}

/**
 * Lists what a kill would end; signals nothing. Give its processes as `seen` to the kill. Who is a member is said in
 * `remote/kill.sh`. Rejects with `FiredupError` `not-running` or `kill-refused`.
 */
export async function previewKill(
  host: Host,
  target: KillTarget,
  signal?: AbortSignal,
): Promise<KillPreview> {
  const answers = await runScript(
    host,
    'kill',
    killArguments('list', target),
    signal === undefined ? {} : { signal },
  );
  const end = endOf(answers);
  if (end === 'forbidden') throw killRefused(target, host);
  if (end !== 'listed') throw notRunning(target, host);
  const ownerOf = ownersOf(answers);
  const listed = answers
    .filter(({ key }) => key === 'member')
    .map(({ words: [pid, parent, startTicks = '', uid = '', age, command = ''] }) => {
      const { owner, foreign } = ownerOf(uid);
      const process: ProcessListing = {
        pid: Number(pid),
        parent: Number(parent),
        startTicks,
        owner,
        ageMs: Number(age) * 100,
        command: commandOf(command),
      };
      return { foreign, process };
    });
  return {
    host: host.label,
    server: listed.find(({ process }) => process.pid === target.pid)?.process ?? null,
    processes: listed.filter(({ foreign }) => !foreign).map(({ process }) => process),
    foreign: listed.filter(({ foreign }) => foreign).map(({ process }) => process),
  };
}

function notRunning(target: KillTarget, host: Host): FiredupError {
  return new FiredupError(
    'not-running',
    `The server (pid ${target.pid}) is no longer running on ${host.label}.`,
    {
      exitCode: exitCodes.usage,
    },
  );
}
