import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { answerCut, runScript } from './run-script.js';

/** What a pid is on the host. */
export type PidCheck =
  | { readonly kind: 'running'; readonly pid: number; readonly startTicks: string; readonly bootId: string }
  | { readonly kind: 'absent' }
  /** Has ended; its parent has not asked for its status yet. */
  | { readonly kind: 'zombie' }
  /** The id of a thread, not of a process. */
  | { readonly kind: 'thread'; readonly leader: number }
  /** It cannot be told: the host hides the processes of other users (`hidepid`). */
  | { readonly kind: 'hidden' };

/** Looks up at once what `pid` is. Rejects as `runScript` does. */
export async function checkPid(host: Host, pid: number, signal?: AbortSignal): Promise<PidCheck> {
  if (!Number.isInteger(pid) || pid <= 0) return { kind: 'absent' };
  const [answer] = await runScript(host, 'pid', [String(pid)], signal === undefined ? {} : { signal });
  const [first = '', startTicks = '', bootId = ''] = answer?.words ?? [];
  switch (answer?.key) {
    case 'running':
      return { kind: 'running', pid, startTicks, bootId };
    case 'zombie':
      return { kind: 'zombie' };
    case 'thread':
      return { kind: 'thread', leader: Number(first) };
    case 'hidden':
      return { kind: 'hidden' };
    case 'absent':
      return { kind: 'absent' };
    default:
      throw answerCut(host, 'pid');
  }
}

/** Where to look for a server that is not there. */
export const seeStatus = ({ label }: Pick<Host, 'label'>): string =>
  `firedup status ${label} shows what firedup has launched there.`;

/**
 * Throws `FiredupError` `not-running` (exit code 2) where `pid` is certainly no process that can be watched or ended;
 * call it before waiting for anything.
 */
export async function requirePid(host: Host, pid: number, signal?: AbortSignal): Promise<void> {
  const check = await checkPid(host, pid, signal);
  const fail = (text: string, hint?: string): never => {
    const options = { exitCode: exitCodes.usage, ...(hint === undefined ? {} : { hint }) };
    throw new FiredupError('not-running', text, options);
  };
  switch (check.kind) {
    case 'absent':
      return fail(`There is no process ${pid} on ${host.label}.`, seeStatus(host));
    case 'zombie':
      return fail(`Process ${pid} on ${host.label} has ended already (a zombie).`, seeStatus(host));
    case 'thread':
      return fail(
        `${pid} is a thread of process ${check.leader} on ${host.label}.`,
        `Give --pid ${check.leader}.`,
      );
    case 'running':
    case 'hidden':
      return;
  }
}
