import type { Effect } from '../core/effects.js';
import type { ActionStep } from '../core/events.js';
import type { State } from '../core/state.js';
import { describeError, FiredupError } from '../errors.js';
import { run } from '../host/run.js';
import { scriptCommand } from '../remote/script.js';
import { writeDump } from '../store/dumps.js';
import { killAcrossLosses } from './actions/across-losses.js';
import { leftText } from './actions/end-server.js';
import { othersText } from './actions/kill.js';
import { victimText } from './actions/kill-target.js';
import { markKilled } from './actions/mark-killed.js';
import { createLaunchEditor, type DialogContext, lookUp } from './dialog-effects.js';
import type { EffectContext } from './effect-context.js';
import { dumpSource, type KeptText, keepText } from './keep-text.js';
import { startAgain } from './relaunch-effect.js';
import { killTarget } from './which-server.js';

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
        return outside.leave(effect.back);
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
      const words = describeError(error);
      // Behind what a command has said it would read as a word of the command.
      const gap = words.includes('\n') ? '\n' : ' ';
      const text = error instanceof FiredupError && error.hint ? `${words}${gap}${error.hint}` : words;
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
