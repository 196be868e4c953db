import type { ActionStep, Attempt } from '../../core/events.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { redact } from '../../ingest/redact.js';
import { type BeforeOutcome, runBefore } from './before.js';
import { readBeforeStep } from './before-step.js';
import { type GpuRelease, waitForGpus } from './free-gpus.js';
import { killTree } from './kill.js';
import type { KillSignal, KillTarget } from './kill-target.js';
import { launchCommand } from './launch.js';
import type { LaunchSpec } from './launch-spec.js';
import { previewKill } from './preview-kill.js';

export interface RelaunchRequest {
  readonly name: string;
  /** What runs now (`killTargetOf` an attempt, or an attached process); null: nothing is to be ended. */
  readonly victim: KillTarget | null;
  /** What to start: `readAttempt(…).spec` or `readCommand(…).spec`, perhaps edited. */
  readonly spec: LaunchSpec;
  readonly before?: readonly string[];
  readonly graceMs?: number;
  readonly signal?: KillSignal;
  /** Of the launch, see `LaunchRequest.id`. */
  readonly id?: string;
  /** How long the GPUs may take to give the memory back; 30 s by default. */
  readonly gpuLimitMs?: number;
  readonly onStep?: (step: ActionStep) => void;
  readonly abort?: AbortSignal;
}

export interface RelaunchResult {
  readonly attempt: Attempt;
  readonly before: readonly BeforeOutcome[];
}

/**
 * Ends what runs, waits until it and its GPU memory are gone, runs the commands before, and starts the next attempt.
 * Each step is told through `onStep`. The first that fails stops it; rejects with `FiredupError` `survivors` (exit
 * code 7), `gpus-held` (7), `before-failed`, or what `killTree` and `launchCommand` reject with.
 */
export async function relaunch(host: Host, request: RelaunchRequest): Promise<RelaunchResult> {
  const step: Tell = (name, status, text) =>
    request.onStep?.({ action: 'relaunch', step: name, status, text });
  // A script that cannot be sent is found before anything is ended.
  for (const command of request.before ?? []) await readBeforeStep(command);
  const pids = await end(host, request, step);
  await freeGpus(host, pids, request, step);
  const before = await runAll(host, request, step);
  step('start', 'active', 'Starting the next attempt');
  const attempt = await launchCommand(host, {
    name: request.name,
    spec: request.spec,
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

type Tell = (step: ActionStep['step'], status: ActionStep['status'], text: string) => void;

/** The pids of what was ended. */
async function end(host: Host, request: RelaunchRequest, step: Tell): Promise<readonly number[]> {
  const { victim, onStep, abort } = request;
  if (victim === null) return [];
  const preview = await previewKill(host, victim, abort).catch((error: unknown) => {
    if (error instanceof FiredupError && error.code === 'not-running') return null;
    throw error;
  });
  if (preview === null) {
    step('kill', 'done', 'It was no longer running');
    return [];
  }
  const target = { ...victim, seen: [...(victim.seen ?? []), ...preview.processes] };
  const result = await killTree(host, target, {
    action: 'relaunch',
    ...(request.graceMs === undefined ? {} : { graceMs: request.graceMs }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    ...(onStep === undefined ? {} : { onStep }),
    ...(abort === undefined ? {} : { abort }),
  });
  if (result.outcome === 'survivors') {
    const left = result.survivors.map(({ pid, owner, command }) => `${pid} (${owner}) ${command}`).join('\n');
    throw new FiredupError('survivors', `Not everything has gone, so nothing was started:\n${left}`, {
      exitCode: exitCodes.survivors,
      hint: 'What belongs to another user is theirs to end; what hangs in state D waits for the driver or a disk.',
    });
  }
  return preview.processes.map(({ pid }) => pid);
}

async function freeGpus(
  host: Host,
  pids: readonly number[],
  request: RelaunchRequest,
  step: Tell,
): Promise<void> {
  if (pids.length === 0) return;
  step('gpus-free', 'active', 'Waiting for the GPUs to give the memory back');
  const release = await waitForGpus(host, pids, {
    ...(request.gpuLimitMs === undefined ? {} : { limitMs: request.gpuLimitMs }),
    ...(request.abort === undefined ? {} : { abort: request.abort }),
  });
  const text = releaseText(release);
  step('gpus-free', release.outcome === 'held' ? 'failed' : 'done', text);
  if (release.outcome !== 'held') return;
  throw new FiredupError('gpus-held', `${text}, so nothing was started.`, {
    exitCode: exitCodes.survivors,
    hint: 'Relaunch again to start all the same.',
  });
}

function releaseText(release: GpuRelease): string {
  switch (release.outcome) {
    case 'free':
      return 'The GPUs have given its memory back';
    case 'no-gpus':
      return 'There is no nvidia-smi to ask';
    case 'unknown':
      return `The GPUs cannot be asked: ${release.reason}`;
    case 'held':
      return `GPU memory is still held by ${release.holders.map(({ pid, memMiB }) => `pid ${pid} (${memMiB ?? '?'} MiB)`).join(', ')}`;
  }
}

async function runAll(host: Host, request: RelaunchRequest, step: Tell): Promise<readonly BeforeOutcome[]> {
  const outcomes: BeforeOutcome[] = [];
  for (const command of request.before ?? []) {
    step('before', 'active', redact(command));
    const options = request.abort === undefined ? {} : { abort: request.abort };
    const outcome = await runBefore(host, command, request.spec, options);
    outcomes.push(outcome);
    if (outcome.code !== 0) {
      const how = outcome.signal ?? `status ${outcome.code ?? 'unknown'}`;
      const tail = outcome.output.trimEnd().split('\n').slice(-10).join('\n');
      step('before', 'failed', `${outcome.command}: ${how}`);
      throw new FiredupError(
        'before-failed',
        `A command before the start ended with ${how}: ${outcome.command}\n${tail}`,
        {
          exitCode: exitCodes.usage,
          hint: 'Nothing was started.',
        },
      );
    }
    step('before', 'done', lastLine(outcome));
  }
  return outcomes;
}

function lastLine({ command, output }: BeforeOutcome): string {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  return line === '' ? command : `${command}: ${line}`;
}
