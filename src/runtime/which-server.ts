import type { State } from '../core/state.js';
import type { Host } from '../host/host.js';
import { readAttempt } from './actions/attempts.js';
import { checkPid } from './actions/check-pid.js';
import { containerTarget } from './actions/container-target.js';
import { type KillTarget, killTargetOf, type ProcessId } from './actions/kill-target.js';
import type { Launched } from './actions/last-launch.js';
import { lookAtContainer } from './actions/look-at-container.js';

/** What is to be ended: by our own record where we launched it, else what `/proc` showed. Null when nothing runs. */
export async function killTarget(host: Host, state: State): Promise<KillTarget | null> {
  const { fact } = state.process;
  const seen = fact?.status === 'alive' ? fact.tree : [];
  if (state.attempt) {
    return killTargetOf(await readAttempt(host, state.attempt.name, state.attempt.number), seen);
  }
  if (state.target.container) return containerOf(host, state);
  if (fact?.status !== 'alive') return null;
  const bootId = state.host?.bootId ?? (await bootIdNow(host, fact));
  if (bootId === null) return null;
  return {
    pid: fact.pid,
    startTicks: fact.startTicks,
    bootId,
    seen,
    log: state.target.log,
  };
}

/** The run that is shown, and no other that has begun meanwhile. */
async function containerOf(host: Host, { target, process }: State): Promise<KillTarget | null> {
  const shown = process.fact?.status === 'alive' ? process.fact : null;
  if (!target.container || !shown?.container) return null;
  const found = await lookAtContainer(host, shown.container.id);
  if (found.started !== shown.container.started) return null;
  const victim = await containerTarget(host, { ...found, name: target.container.name });
  return victim && { ...victim, seen: shown.startTicks === '0' ? [] : shown.tree };
}

/** What is known of the host may come later than its process, on a busy host or over a single session. */
async function bootIdNow(host: Host, { pid, startTicks }: ProcessId): Promise<string | null> {
  const found = await checkPid(host, pid);
  return found.kind === 'running' && found.startTicks === startTicks ? found.bootId : null;
}

/** What `lastLaunch` is asked for; throws where nothing is known. */
export function launchedBy(state: State): Launched {
  if (state.attempt) return state.attempt;
  if (state.target.container) return { inContainer: state.target.container.name };
  const { fact } = state.process;
  if (fact?.status !== 'alive') throw new Error('the command is not known: no process runs');
  return { pid: fact.pid, startTicks: fact.startTicks, bootId: state.host?.bootId ?? null };
}
