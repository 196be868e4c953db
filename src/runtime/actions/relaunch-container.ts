import type { ActionStep } from '../../core/events.js';
import type { RelaunchForm } from '../../core/relaunch-form.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { killAcrossLosses, type NextHost } from './across-losses.js';
import type { BeforeOutcome } from './before.js';
import { runBeforeSteps } from './before-steps.js';
import { askAbout, type LaunchCheck } from './check-launch.js';
import { startContainer } from './container-act.js';
import { containerRunLine } from './container-run-line.js';
import { type EndOptions, leftText } from './end-server.js';
import type { KillTarget } from './kill-target.js';
import { type Container, record } from './look-at-container.js';
import { preflightContainer } from './preflight-container.js';
import { tellRelaunch } from './tell.js';

export interface ContainerRelaunch {
  readonly container: Container;
  /** Null: it has ended already. */
  readonly victim: KillTarget | null;
  readonly before: readonly string[];
  readonly ending: Pick<EndOptions, 'graceMs' | 'signal' | 'preview'>;
  /** Looks at the host before the start; absent: nothing is looked at. */
  readonly check?: LaunchCheck;
  readonly onStep: (step: ActionStep) => void;
  readonly onBefore?: (outcome: BeforeOutcome) => void;
}

/**
 * Throws `FiredupError` `container-fixed` (exit code 2) where `change` is more than nothing: the command and environment
 * of a container are fixed when it is made. The hint is the line that makes it anew.
 */
export function refuseContainerChange(
  container: Container,
  change: Pick<RelaunchForm, 'env' | 'args'>,
): void {
  if (Object.keys(change.env).length === 0 && change.args.length === 0) return;
  const { engine, name } = container;
  throw new FiredupError(
    'container-fixed',
    `Command and environment of container ${name} were fixed when it was made: it can only be started again as it is.`,
    {
      exitCode: exitCodes.usage,
      hint: `Make it anew: ${engine} rm -f ${name} && ${containerRunLine(container, change)} (what inspect tells of it; devices, limits and labels are yours to add).`,
    },
  );
}

/**
 * Throws `FiredupError` `container-removes-itself` (exit code 2) where what runs would be gone with its end (`--rm`), so
 * that nothing would be left to start. The hint is the line that makes it anew.
 */
export function refuseSelfRemoval(container: Container): void {
  const { engine, name, inspected } = container;
  if (record(inspected.HostConfig).AutoRemove !== true) return;
  throw new FiredupError(
    'container-removes-itself',
    `Container ${name} was made with --rm: it is removed when it ends, and could not be started again.`,
    {
      exitCode: exitCodes.usage,
      hint: `Nothing was ended. Make it anew: ${engine} rm -f ${name}; ${containerRunLine(container, { env: {}, args: [] })} (what inspect tells of it; devices, limits and labels are yours to add).`,
    },
  );
}

/**
 * Ends a container's run, waits for the GPUs, runs the steps before, looks at the host, and starts the same container
 * again, as it was made. Rejects with `FiredupError`: `survivors` (7), `before-failed`, `preflight-blocked`,
 * `container-not-started`, and what the parts reject with.
 */
export async function relaunchContainer(
  first: Host,
  { container, victim, before, ending, check, onStep, onBefore }: ContainerRelaunch,
  next: NextHost,
): Promise<Host> {
  const step = tellRelaunch(onStep);
  let host = first;
  const follow: NextHost = async (lost) => {
    host = await next(lost);
    return host;
  };
  if (victim === null) step('kill', 'done', 'It was no longer running');
  else {
    const result = await killAcrossLosses(host, victim, { ...ending, action: 'relaunch', onStep }, follow);
    const left = leftText(result);
    if (left !== null) {
      throw new FiredupError('survivors', `Not everything has gone, so nothing was started:\n${left}`, {
        exitCode: exitCodes.survivors,
      });
    }
  }
  const own = { cwd: null, env: {} };
  await runBeforeSteps(host, before, own, { step, doneText: ({ command }) => command, onBefore });
  if (check !== undefined) {
    step('preflight', 'active', 'Looking at the host before the start');
    await askAbout(await preflightContainer(host, container, check), check, step);
  }
  step('start', 'active', `${container.engine} start ${container.name}`);
  const { pid } = await startContainer(host, container).catch((error: unknown) => {
    step('start', 'failed', error instanceof Error ? error.message : String(error));
    throw error;
  });
  step('start', 'done', `container ${container.name} runs as pid ${pid}`);
  return host;
}
