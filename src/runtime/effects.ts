import { changedSpec } from '../core/changed-spec.js';
import type { Effect } from '../core/effects.js';
import type { ActionStep, Event } from '../core/events.js';
import type { RelaunchForm, State } from '../core/state.js';
import { describeError, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { run } from '../host/run.js';
import { blockersOf } from '../preflight/finding.js';
import { scriptCommand } from '../remote/script.js';
import { writeDump } from '../store/dumps.js';
import type { PathEnvironment } from '../store/paths.js';
import type { Reading } from '../triage/findings.js';
import { killAcrossLosses, relaunchAcrossLosses } from './actions/across-losses.js';
import type { LaunchCheck } from './actions/check-launch.js';
import { containerTarget } from './actions/container-target.js';
import { leftText } from './actions/end-server.js';
import { othersText } from './actions/kill.js';
import { victimText } from './actions/kill-target.js';
import { lastLaunch } from './actions/last-launch.js';
import { lookAtContainer } from './actions/look-at-container.js';
import { markKilled } from './actions/mark-killed.js';
import type { RelaunchRequest } from './actions/relaunch.js';
import { refuseContainerChange, relaunchContainer } from './actions/relaunch-container.js';
import type { Copied } from './clipboard.js';
import { createLaunchEditor, type DialogContext, lookUp } from './dialog-effects.js';
import { dumpSource, type KeptText, keepText } from './keep-text.js';
import { killTarget, launchedBy } from './which-server.js';

/** `ask`: blockers wait for an answer on screen; `tell`: they are shown and the start goes on; `off`: nobody looks. */
export type PreflightMode = 'ask' | 'tell' | 'off';

/** What the effects need of whoever shows the watch. */
export interface Outside {
  /** The user leaves; the server is not stopped. */
  readonly leave: () => void;
  /** Puts a text on the user's clipboard and tells where it went. */
  readonly copy: (text: string) => Copied;
  /** Lends the terminal to the user's editor, and resolves with the text afterwards; null or absent: there is none. */
  readonly edit?: ((text: string) => Promise<string>) | null;
}

export interface EffectContext {
  readonly host: () => Host;
  /** A connection that stands, now or after the next reconnect; rejects when there will be none. */
  readonly nextHost: () => Promise<Host>;
  readonly dispatch: (event: Event) => void;
  /** A fresh reading for the next attempt's log. */
  readonly reading: () => Reading;
  readonly connectNow: () => void;
  readonly cancelLogin: () => void;
  readonly graceMs: number;
  /** What blockers of the look before a start do; `off`: nobody looks. */
  readonly preflight: PreflightMode;
  readonly outside: Outside;
  /** For the paths of what is written on this machine. */
  readonly env: PathEnvironment;
  readonly now: () => number;
}

/** Carries the fold's effects out. Whatever fails comes back as a notice or a failed step, never as a rejection. */
export function createEffects(context: EffectContext): (effect: Effect, state: State) => void {
  const { dispatch, now, outside } = context;
  const notice = (level: 'info' | 'warning' | 'error', text: string): void =>
    dispatch({ type: 'notice', at: now(), level, text });

  /** Takes the user's answer, while a launch waits for it. */
  let answer: (goOn: boolean) => void = () => {};
  const dialogs: DialogContext = {
    ...context,
    get edit() {
      return outside.edit;
    },
  };
  const editLaunch = createLaunchEditor(dialogs);

  return (effect, state) => {
    switch (effect.type) {
      case 'kill':
        return void carryOut('kill', () => kill(context, state, effect));
      case 'relaunch':
        return void carryOut('relaunch', () => startAgain(context, state, effect, asks));
      case 'launch-answer':
        return answer(effect.goOn);
      case 'look-up':
        return void lookUp(dialogs, state, effect).catch((error) => notice('error', describeError(error)));
      case 'edit-launch':
        return void editLaunch(effect, state);
      case 'dump':
        return void keep({ what: linesText(effect.lines), lines: effect.lines }, state);
      case 'copy':
        return void keep({ what: effect.what, lines: effect.lines, name: 'copy' }, state);
      case 'connect-now':
        return context.connectNow();
      case 'cancel-login':
        return context.cancelLogin();
      case 'py-spy':
        return void pySpy(effect, state).catch((error) => notice('error', describeError(error)));
      case 'leave':
        return outside.leave();
    }
  };

  function asks(): Promise<boolean> {
    return new Promise((resolve) => {
      answer = resolve;
    });
  }

  async function carryOut(action: 'kill' | 'relaunch', work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const hint = error instanceof FiredupError && error.hint ? ` ${error.hint}` : '';
      const text = `${describeError(error)}${hint}`;
      dispatch({ type: 'action', at: now(), action: { action, step: 'finished', status: 'failed', text } });
    }
  }

  async function keep(text: KeptText, state: State): Promise<void> {
    try {
      const { level, text: words } = await keepText(text, state, context.env, outside.copy);
      notice(level, words);
    } catch (error) {
      notice('error', `no ${text.name ?? 'dump'}: ${describeError(error)}`);
    }
  }

  async function pySpy(
    { pid, startTicks }: Extract<Effect, { type: 'py-spy' }>,
    state: State,
  ): Promise<void> {
    notice('info', `py-spy looks at pid ${pid}`);
    const { code, stdout, stderr } = await run(
      context.host(),
      scriptCommand('py-spy', [String(pid), startTicks]),
      {
        timeoutMs: 30_000,
      },
    );
    if (code !== 0) {
      const why = stderr.trim().split('\n').at(-1) || `status ${code}`;
      return notice('warning', code === 127 ? 'there is no py-spy on the host' : `py-spy: ${why}`);
    }
    const path = await writeDump(
      context.env,
      dumpSource(state, `py-spy-${pid}`),
      stdout.trimEnd().split('\n'),
    );
    notice('info', `stacks of pid ${pid} written to ${path}`);
  }
}

const linesText = ({ length }: readonly string[]): string => `${length} ${length === 1 ? 'line' : 'lines'}`;

async function kill(
  { host, nextHost, dispatch, graceMs, now }: EffectContext,
  state: State,
  { signal, also }: Extract<Effect, { type: 'kill' }>,
): Promise<void> {
  const found = await killTarget(host(), state);
  if (!found) throw new Error('there is no running process to kill');
  const target = { ...found, also };
  const options = {
    graceMs,
    signal,
    onStep: (action: ActionStep) => dispatch({ type: 'action', at: now(), action }),
  };
  if (state.attempt) await markKilled(host(), state.attempt.folder);
  const result = await killAcrossLosses(host(), target, options, nextHost);
  const left = leftText(result);
  const still = result.others.length === 0 ? '' : `; ${othersText(result.others)}`;
  const text = left === null ? `${victimText(target)} gone${still}` : left.replaceAll('\n', '; ');
  dispatch({
    type: 'action',
    at: now(),
    action: { action: 'kill', step: 'finished', status: left === null ? 'done' : 'failed', text },
  });
}

async function startAgain(
  context: EffectContext,
  state: State,
  { form, previous, signal, also }: Extract<Effect, { type: 'relaunch' }>,
  asks: () => Promise<boolean>,
): Promise<void> {
  const { host, nextHost, dispatch, graceMs, now, reading, preflight } = context;
  if (state.target.container) return startContainerAgain(context, state, { form, signal });
  const { spec } = await lastLaunch(host(), launchedBy(state));
  const next = changedSpec(spec, form);
  const victim = await killTarget(host(), state);
  const decide: LaunchCheck['decide'] = async (findings) => {
    const blockers = blockersOf(findings);
    if (preflight === 'tell' || blockers.length === 0) return true;
    const goesOn = await asks();
    const change = blockers.find(({ remedy }) => remedy?.change)?.remedy?.change;
    // Whoever stops here finds the remedy in the form of the next relaunch.
    if (!goesOn && change) dispatch({ type: 'proposal', at: now(), change });
    return goesOn;
  };
  const request: RelaunchRequest = {
    name: previous?.name ?? state.target.name ?? 'default',
    victim: victim && { ...victim, also },
    victimFolder: state.attempt?.folder ?? null,
    spec: next,
    before: form.before,
    graceMs,
    ...(preflight === 'off' ? {} : { check: { port: state.target.port, decide } }),
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

/** The same container, as it was made: its next run shows itself to the probes. */
async function startContainerAgain(
  { host, nextHost, dispatch, graceMs, now }: EffectContext,
  state: State,
  { form, signal }: Pick<Extract<Effect, { type: 'relaunch' }>, 'form' | 'signal'>,
): Promise<void> {
  const { target } = state;
  if (!target.container) return;
  const container = {
    ...(await lookAtContainer(host(), target.container.name)),
    name: target.container.name,
  };
  refuseContainerChange(container, changeOf(form, container.command));
  const victim = await containerTarget(host(), container);
  const onStep = (action: ActionStep): void => dispatch({ type: 'action', at: now(), action });
  const request = { container, victim, before: form.before, ending: { graceMs, signal }, onStep };
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
