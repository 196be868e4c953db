import { describe, expect, it } from 'vitest';
import type { ActionStep } from '../../src/core/events.js';
import { initialState } from '../../src/core/initial.js';
import type { Intent } from '../../src/core/intents.js';
import { reduce } from '../../src/core/reduce.js';
import { selectDialog } from '../../src/core/select/dialog.js';
import type { State } from '../../src/core/state.js';
import { createReading } from '../../src/triage/reading.js';
import { watchTarget } from './fold.js';

const target = watchTarget({ host: 'box', log: null });

const step = (status: ActionStep['status']): ActionStep => ({
  action: 'relaunch',
  step: 'preflight',
  status,
  text: 'Pre-flight: 1 blocker',
  details: ['port 30000: taken'],
});

const start = (): State => initialState({ target, reading: createReading(), now: 1 });
const act = (state: State, action: ActionStep) => reduce(state, { type: 'action', at: 2, action })[0];
const press = (state: State, intent: Intent) => reduce(state, { type: 'intent', at: 3, intent });

describe('a launch with something in its way', () => {
  it('is brought into sight and asks, whatever was open before', () => {
    const asked = act(act(start(), step('active')), step('asks'));
    expect(selectDialog(asked)).toMatchObject({
      kind: 'relaunch',
      asking: true,
      running: true,
      steps: [{ label: 'kill', status: 'skipped' }, {}, { status: 'asks', details: ['port 30000: taken'] }],
    });
  });

  it('goes on by y once, and not by another', () => {
    const [going, effects] = press(act(start(), step('asks')), { kind: 'confirm' });
    expect(effects).toEqual([{ type: 'launch-answer', goOn: true }]);
    expect(selectDialog(going)).toMatchObject({ asking: false, running: true });
    expect(press(going, { kind: 'confirm' })[1]).toEqual([]);
  });

  it('stops by all that cancels', () => {
    const [, effects] = press(act(start(), step('asks')), { kind: 'cancel' });
    expect(effects).toEqual([{ type: 'launch-answer', goOn: false }]);
  });

  it('leaves the whole checklist in sight when it has stopped, and begins anew with the next', () => {
    const done = act(start(), {
      action: 'relaunch',
      step: 'kill',
      status: 'done',
      text: 'Every process has gone',
    });
    const word = {
      action: 'relaunch',
      step: 'finished',
      status: 'failed',
      text: 'Nothing was started.',
    } as const;
    const stopped = act(act(done, step('failed')), word);
    const shown = (state: State) => state.action?.steps.map(({ text }) => text);
    expect(shown(stopped)).toEqual([
      'Every process has gone',
      'Pre-flight: 1 blocker',
      'Nothing was started.',
    ]);
    expect(stopped.action).toMatchObject({ finished: true });
    expect(stopped.notice).toMatchObject({ level: 'error', text: 'Nothing was started.' });
    expect(shown(act(stopped, { ...word, text: 'no process runs' }))).toEqual(['no process runs']);
  });

  it('asks nothing any more once it has failed', () => {
    const failed = act(act(start(), step('asks')), step('failed'));
    expect(selectDialog(failed)).toMatchObject({ asking: false, finished: true });
    expect(press(failed, { kind: 'confirm' })[1]).toEqual([]);
  });
});
