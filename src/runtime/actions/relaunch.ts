import type { KillSignal } from '../../core/dialog-look.js';
import type { ActionStep, Attempt } from '../../core/events.js';
import type { LaunchSpec } from '../../core/launch-spec.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import type { BeforeOutcome } from './before.js';
import { readBeforeStep } from './before-step.js';
import { runBeforeSteps } from './before-steps.js';
import { checkLaunch, type LaunchCheck } from './check-launch.js';
import { endServer, leftText, previewIfRunning } from './end-server.js';
import type { KillTarget } from './kill-target.js';
import { launchCommand, mayStart } from './launch.js';
import { markKilled } from './mark-killed.js';
import type { KillPreview } from './preview-kill.js';
import { refuseRunning } from './refuse-running.js';
import { type Tell, tellRelaunch } from './tell.js';

export interface RelaunchRequest {
  readonly name: string;
  /** What runs now (`killTargetOf` an attempt, or an attached process); null: nothing is to be ended. */
  readonly victim: KillTarget | null;
  /** Its folder where it was launched by us: its end is recorded there as ours. */
  readonly victimFolder?: string | null;
  /** What to start: `readAttempt(…).spec` or `readCommand(…).spec`, perhaps edited. */
  readonly spec: LaunchSpec;
  /** Lines for the host's shell, and scripts: see before-step.ts. */
  readonly before?: readonly string[];
  /** What was shown of the victim; null: nothing of it ran. Without it, it is looked up first. */
  readonly preview?: KillPreview | null;
  readonly graceMs?: number;
  readonly signal?: KillSignal;
  /** Of the launch, see `LaunchRequest.id`. */
  readonly id?: string;
  /** How long the GPUs may take to give the memory back; 30 s by default. */
  readonly gpuLimitMs?: number;
  /** Looks at the host between the commands before and the start; absent: nothing is looked at. */
  readonly check?: LaunchCheck;
  readonly onStep?: (step: ActionStep) => void;
  /** Hears how each step before the start went, with all of its output. */
  readonly onBefore?: (outcome: BeforeOutcome) => void;
  readonly abort?: AbortSignal;
}

export interface RelaunchResult {
  readonly attempt: Attempt;
  readonly before: readonly BeforeOutcome[];
}

/**
 * Ends what runs, waits until it and its GPU memory are gone, runs the commands before, looks at the host, and starts
 * the next attempt.
 * Where nothing is to be ended and an attempt of that name runs, nothing is run before it either (`already-running`); where
 * what is to be ended is no launch of ours, it is not ended then.
 * Each step is told through `onStep`. The first that fails stops it; rejects with `FiredupError` `survivors` (exit
 * code 7), `gpus-held` (7), `before-failed`, `preflight-blocked`, or what `killTree` and `launchCommand` reject with.
 */
export async function relaunch(host: Host, request: RelaunchRequest): Promise<RelaunchResult> {
  const step = tellRelaunch(request.onStep);
  // A script that cannot be sent is found before anything is ended.
  for (const command of request.before ?? []) await readBeforeStep(command);
  if (request.victim === null && (request.before ?? []).length > 0)
    await refuseRunning(host, request.name, request.abort);
  // Not ours: something else may run under the name that the next attempt gets, and then nothing is to be ended for it.
  const { victim, preview } = request;
  if (victim !== null && victim.launch === undefined) {
    const members = [victim, ...(victim.seen ?? []), ...(preview?.processes ?? [])];
    await mayStart(
      host,
      request.name,
      members.map(({ pid }) => pid),
      request.abort,
    );
  }
  await end(host, request, step);
  const { spec, abort, onBefore } = request;
  const steps = { step, doneText: lastLine, onBefore, abort };
  const before = await runBeforeSteps(host, request.before ?? [], spec, steps);
  if (request.check !== undefined) await checkLaunch(host, request, request.check, step);
  step('start', 'active', 'Starting the next attempt');
  const attempt = await launchCommand(host, {
    name: request.name,
    spec: request.spec,
    before: request.before ?? [],
    ...(request.id === undefined ? {} : { id: request.id }),
    ...(request.abort === undefined ? {} : { signal: request.abort }),
  }).catch((error: unknown) => {
    step('start', 'failed', error instanceof Error ? error.message : String(error));
    throw error;
  });
  step('start', 'done', `Attempt ${attempt.number} runs as pid ${attempt.pid}`);
  step('finished', 'done', `Attempt ${attempt.number} writes to ${attempt.log}`);
  return { attempt, before };
}

/** Nothing is started before all of it has gone and the GPUs are as they were. */
async function end(host: Host, request: RelaunchRequest, step: Tell): Promise<void> {
  const { victim, onStep, abort } = request;
  if (victim === null) return;
  const preview =
    request.preview === undefined ? await previewIfRunning(host, victim, abort) : request.preview;
  if (preview === null && (victim.seen ?? []).length === 0) {
    step('kill', 'done', 'It was no longer running');
    return;
  }
  if (request.victimFolder && preview !== null) await markKilled(host, request.victimFolder);
  const result = await endServer(host, victim, {
    action: 'relaunch',
    preview,
    ...(request.graceMs === undefined ? {} : { graceMs: request.graceMs }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(request.gpuLimitMs === undefined ? {} : { gpuLimitMs: request.gpuLimitMs }),
    ...(onStep === undefined ? {} : { onStep }),
    ...(abort === undefined ? {} : { abort }),
  });
  const left = leftText(result);
  if (left === null) return;
  const held = result.outcome !== 'survivors' && result.heldPorts.length === 0;
  throw new FiredupError(
    held ? 'gpus-held' : 'survivors',
    `Not everything has gone, so nothing was started:\n${left}`,
    {
      exitCode: exitCodes.survivors,
      hint: held
        ? 'Relaunch again to start all the same.'
        : 'What belongs to another user is theirs to end; what hangs in state D waits for the driver or a disk.',
    },
  );
}

function lastLine({ command, output }: BeforeOutcome): string {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? command : `${command}: ${line}`;
}
