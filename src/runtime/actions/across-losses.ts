import { randomUUID } from 'node:crypto';
import { connectionError, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { type EndOptions, type EndResult, endServer, previewIfRunning } from './end-server.js';
import { isLoss } from './is-loss.js';
import type { KillTarget } from './kill-target.js';
import { launchCommand } from './launch.js';
import { type RelaunchRequest, type RelaunchResult, relaunch } from './relaunch.js';

/** Waits for a connection that stands after the one given was lost; rejects when there will be none. */
export type NextHost = (lost: Host) => Promise<Host>;

/**
 * `relaunch`, when the connection breaks meanwhile: what was begun is looked up on the next one and not done twice. A
 * launch is asked for again under its id, which starts one server however often it is asked; a kill is by pid, start
 * and boot, and finds that it has been done. Only a command that ran before the start cannot be looked up: then rejects
 * with `FiredupError` `before-unknown`, and nothing is started. Resolves with the connection in use at the end, too.
 */
export async function relaunchAcrossLosses(
  first: Host,
  request: RelaunchRequest,
  next: NextHost,
): Promise<RelaunchResult & { readonly host: Host }> {
  const id = request.id ?? randomUUID();
  let reached = 'kill' as 'kill' | 'before' | 'preflight' | 'start';
  let { preview } = request;
  const onStep: RelaunchRequest['onStep'] = (step) => {
    if (step.step === 'before' || step.step === 'preflight' || step.step === 'start') reached = step.step;
    // The step goes on, on another connection: it has not failed.
    if (step.status !== 'failed' || reached !== 'start') request.onStep?.(step);
  };
  for (let host = first, losses = 1; ; losses += 1) {
    try {
      if (reached === 'start') {
        const attempt = await launchCommand(host, {
          name: request.name,
          spec: request.spec,
          before: request.before ?? [],
          id,
        });
        request.onStep?.(startDone(attempt.number, attempt.pid));
        return { attempt, before: [], host };
      }
      // What came before the look has been done; looking twice does no harm.
      const rest = reached === 'preflight' ? { ...request, victim: null, before: [] } : request;
      // Kept: on the next connection there may be nothing left to see.
      if (preview === undefined && rest.victim) preview = await previewIfRunning(host, rest.victim);
      return { ...(await relaunch(host, { ...rest, preview: preview ?? null, id, onStep })), host };
    } catch (error) {
      if (!isLoss(error)) {
        if (reached === 'start') request.onStep?.(startFailed(error));
        throw error;
      }
      if (reached === 'before') throw beforeUnknown(host, error);
      host = await another(host, losses, error, next);
    }
  }
}

/** `endServer`, when the connection breaks meanwhile: the next one sees it to its end. */
export async function killAcrossLosses(
  first: Host,
  target: KillTarget,
  options: EndOptions,
  next: NextHost,
): Promise<EndResult> {
  let { preview } = options;
  for (let host = first, losses = 1; ; losses += 1) {
    try {
      // Kept: on the next connection there may be nothing left to see.
      if (preview === undefined) preview = await previewIfRunning(host, target, options.abort);
      return await endServer(host, target, { ...options, preview });
    } catch (error) {
      if (!isLoss(error)) throw error;
      host = await another(host, losses, error, next);
    }
  }
}

async function another(lost: Host, losses: number, error: unknown, next: NextHost): Promise<Host> {
  // What ends by itself on a connection that stands would do so on the next one as well.
  if (losses > mostLosses || !(await isDown(lost, error))) throw error;
  const host = await next(lost).catch(() => null);
  // The same one stands: then it was no loss, and asking again would never end.
  if (host === null || host === lost) throw error;
  return host;
}

/** A connection that breaks so often in one action is not going to carry it (times). */
const mostLosses = 20;

/** Whether the connection has gone, or does so in a moment: the end of a command may be heard of before. */
function isDown(host: Host, error: unknown): Promise<boolean> {
  if (error instanceof FiredupError && error.code === 'host-closed') return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(() => settle(false), heardWithinMs);
    const stop = host.onDown(() => settle(true));
    const settle = (down: boolean): void => {
      clearTimeout(timer);
      stop();
      resolve(down);
    };
  });
}

/** The other side may have closed; a silent one is dead after 8 s, and the command's end comes with that (ms). */
const heardWithinMs = 2000;

const startDone = (number: number, pid: number) =>
  ({
    action: 'relaunch',
    step: 'start',
    status: 'done',
    text: `Attempt ${number} runs as pid ${pid}`,
  }) as const;

const startFailed = (error: unknown) =>
  ({
    action: 'relaunch',
    step: 'start',
    status: 'failed',
    text: error instanceof Error ? error.message : String(error),
  }) as const;

const beforeUnknown = (host: Host, cause: unknown): FiredupError =>
  connectionError(
    'before-unknown',
    `The connection to ${host.label} broke while a command ran before the start, so nothing was started.`,
    'It cannot be told whether that command came to its end. Look there, then relaunch.',
    cause,
  );
