import { changedSpec } from '../core/changed-spec.js';
import type { Effect } from '../core/effects.js';
import type { ActionStep } from '../core/events.js';
import type { RelaunchForm } from '../core/relaunch-form.js';
import type { State } from '../core/state.js';
import { blockersOf } from '../preflight/finding.js';
import { relaunchAcrossLosses } from './actions/across-losses.js';
import type { LaunchCheck } from './actions/check-launch.js';
import { containerTarget } from './actions/container-target.js';
import { lastLaunch } from './actions/last-launch.js';
import { lookAtContainer } from './actions/look-at-container.js';
import type { RelaunchRequest } from './actions/relaunch.js';
import { refuseContainerChange, refuseSelfRemoval, relaunchContainer } from './actions/relaunch-container.js';
import type { EffectContext } from './effect-context.js';
import { killTarget, launchedBy } from './which-server.js';

/**
 * Ends what runs and starts the next attempt, or the same container again, each step told as an event. `asks` waits for
 * the user's word on what is in the way of the start. Rejects with why it came to nothing.
 */
export async function startAgain(
  context: EffectContext,
  state: State,
  { form, previous, signal, also }: Extract<Effect, { type: 'relaunch' }>,
  asks: () => Promise<boolean>,
): Promise<void> {
  const { host, nextHost, dispatch, graceMs, now, reading } = context;
  if (state.target.container) return startContainerAgain(context, state, { form, signal }, asks);
  const { spec } = await lastLaunch(host(), launchedBy(state));
  const next = changedSpec(spec, form);
  const victim = await killTarget(host(), state);
  const request: RelaunchRequest = {
    name: previous?.name ?? state.target.name ?? 'default',
    victim: victim && { ...victim, also },
    victimFolder: state.attempt?.folder ?? null,
    spec: next,
    before: form.before,
    graceMs,
    ...checkBefore(context, state, asks),
    signal,
    onStep: (action) => {
      // The new attempt must be known before the checklist ends: else the end would be judged by the old process.
      if (action.step !== 'finished') dispatch({ type: 'action', at: now(), action });
    },
  };
  const { attempt } = await relaunchAcrossLosses(host(), request, nextHost);
  const at = now();
  dispatch({
    type: 'attempt',
    at,
    attempt,
    isNew: true,
    // The same command is the same engine: its phases are known before its first line.
    reading: form.edited === null ? state.reading.fresh() : reading(),
    before: form.before,
  });
  const text = `attempt ${attempt.number} runs as pid ${attempt.pid}`;
  dispatch({ type: 'action', at, action: { action: 'relaunch', step: 'finished', status: 'done', text } });
}

/** The look at the host before a start: what is in the way asks, where that is wanted. */
function checkBefore(
  { dispatch, now, preflight }: EffectContext,
  { target }: State,
  asks: () => Promise<boolean>,
): { readonly check?: LaunchCheck } {
  if (preflight === 'off') return {};
  const decide: LaunchCheck['decide'] = async (findings) => {
    const blockers = blockersOf(findings);
    if (preflight === 'tell' || blockers.length === 0) return true;
    const goesOn = await asks();
    const change = blockers.find(({ remedy }) => remedy?.change)?.remedy?.change;
    // Whoever stops here finds the remedy in the form of the next relaunch.
    if (!goesOn && change) dispatch({ type: 'proposal', at: now(), change });
    return goesOn;
  };
  return { check: { port: target.port, decide } };
}

/** The same container, as it was made: its next run shows itself to the probes. */
async function startContainerAgain(
  context: EffectContext,
  state: State,
  { form, signal }: Pick<Extract<Effect, { type: 'relaunch' }>, 'form' | 'signal'>,
  asks: () => Promise<boolean>,
): Promise<void> {
  const { host, nextHost, dispatch, graceMs, now } = context;
  const { target } = state;
  if (!target.container) return;
  const container = {
    ...(await lookAtContainer(host(), target.container.name)),
    name: target.container.name,
  };
  refuseContainerChange(container, changeOf(form, container.command));
  const victim = await containerTarget(host(), container);
  if (victim !== null) refuseSelfRemoval(container);
  const onStep = (action: ActionStep): void => dispatch({ type: 'action', at: now(), action });
  const check = checkBefore(context, state, asks);
  const request = { container, victim, before: form.before, ending: { graceMs, signal }, ...check, onStep };
  await relaunchContainer(host(), request, nextHost);
  const text = `container ${container.name} was started again`;
  onStep({ action: 'relaunch', step: 'finished', status: 'done', text });
}

/** What the form changes; of a command that was edited as a whole, all of it. */
function changeOf(
  { env, args, edited }: RelaunchForm,
  command: readonly string[],
): Pick<RelaunchForm, 'env' | 'args'> {
  if (edited === null) return { env, args };
  const isSame = edited.command.join('\0') === command.join('\0');
  return { env: { ...edited.env, ...env }, args: isSame ? args : edited.command };
}
