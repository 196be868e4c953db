import { describe, expect, it } from 'vitest';
import { describeChange, remedyTaken, whetherHelped } from '../../src/core/attempt-change.js';
import { earlierRuns, earlierSeconds } from '../../src/core/earlier-times.js';
import type { Attempt } from '../../src/core/events.js';
import { helpText } from '../../src/core/help-words.js';
import { lastGood, laterWord, serverKey } from '../../src/core/history.js';
import { allEntries, currentEntry } from '../../src/core/run-entry.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { createReading } from '../../src/triage/reading.js';
import { historyEntry } from '../support/history-entry.js';
import { LaunchStory } from '../support/screen-stories.js';
import { crashedRun, readyRun, Story } from './fold.js';

const attempt = (number: number, story: Story, more: Partial<Attempt> = {}): Attempt => ({
  number,
  name: 'eagle',
  folder: `/state/eagle/${number}`,
  log: `/logs/server.${number}.log`,
  logIsFresh: true,
  wasKilled: false,
  command: 'python -m sglang.launch_server --tp 2',
  env: {},
  pid: 4710 + number,
  startTicks: `${number}00`,
  bootId: 'boot',
  startedAt: story.now,
  ...more,
});

/** A launch of ours, its log empty and under our eyes. */
function launched(story: Story, number: number, more: Partial<Attempt> = {}): Story {
  const began = attempt(number, story, more);
  story.event({
    type: 'attempt',
    at: story.now,
    attempt: began,
    isNew: true,
    reading: createReading({}),
    before: [],
  });
  story.opened(began.log).process({
    status: 'alive',
    pid: began.pid,
    startTicks: began.startTicks,
    startedAt: story.now,
    command: began.command,
    user: 'ml',
    foundBy: 'launch',
    tree: [],
  });
  return story;
}

/** The run's lines, a second apart as their own clock has them. */
function writes(story: Story, lines: readonly string[]): Story {
  for (const line of lines) story.write(line).later(1);
  return story;
}

const gone = (story: Story, pid: number): Story =>
  story
    .process({ status: 'gone', pid, exit: { code: null, signal: 'SIGKILL', at: null, oomKills: null } })
    .later(2);

describe('what is kept of an attempt', () => {
  it('tells a ready one: time to ready, phases, arguments, versions, last lines', () => {
    const story = writes(launched(new Story({ name: 'eagle' }), 1), [
      'sglang is using nccl==2.27.3',
      ...readyRun(0).slice(0, 1),
      '[2026-03-01 12:00:02 TP0] sglang is using nccl==2.27.5',
      ...readyRun(0).slice(1),
    ]);
    expect(currentEntry(story.state)).toMatchObject({
      id: 'boot 4711 100',
      name: 'eagle',
      attempt: 1,
      outcome: 'ready',
      cause: null,
      startedAt: story.now - 9000,
      readyAt: story.now - 1000,
      engine: 'sglang',
      model: 'demo',
      tensorParallel: 2,
      packages: { nccl: '2.27.3' },
      serverArgs: { tp_size: 2, port: 30000 },
      env: {},
      before: [],
    });
    const entry = currentEntry(story.state);
    // The lines came a second apart, but were not written so.
    expect(entry?.phases).toContainEqual({ id: 'weights', model: 'target', seconds: 25, isDone: true });
    expect(entry?.lastLines.at(-1)).toContain('fired up and ready');
  });

  it('tells a crash by its cause and the phase in which it died', () => {
    const story = gone(writes(launched(new Story(), 1), crashedRun(0)), 4711);
    expect(currentEntry(story.state)).toMatchObject({
      outcome: 'crashed',
      cause: { text: "KeyError: 'lm_head.weight'" },
      reached: { id: 'weights', model: 'target' },
      readyAt: null,
    });
  });

  it('is nothing while no process is known, and a server of others by its log once one is', () => {
    const story = new Story().emptyLog();
    expect(currentEntry(story.state)).toBeNull();
    writes(story.alive(60), readyRun(0));
    expect(currentEntry(story.state)).toMatchObject({
      id: '- 4711 471100',
      name: '/logs/server.log',
      attempt: null,
      outcome: 'ready',
      env: null,
      before: null,
    });
  });

  it('takes another process under the same log for another attempt', () => {
    const story = writes(new Story().emptyLog().alive(60), readyRun(0));
    story.later(60).alive(0, 5000);
    expect(currentEntry(story.state)).toMatchObject({ id: '- 5000 500000', readyAt: null });
  });

  it('lets a crash stay one when what is left of it is killed, and a ready one be stopped', () => {
    const crashed = writes(launched(new Story(), 1), crashedRun(0)).later(5);
    crashed.key({ kind: 'ask-kill' }).key({ kind: 'confirm' });
    crashed.event({
      type: 'action',
      at: crashed.now,
      action: { action: 'kill', step: 'finished', status: 'done', text: 'gone' },
    });
    expect(currentEntry(gone(crashed, 4711).state)?.outcome).toBe('crashed');

    const ready = writes(launched(new Story(), 1), readyRun(0)).later(5);
    ready.key({ kind: 'ask-kill' }).key({ kind: 'confirm' });
    ready.event({
      type: 'action',
      at: ready.now,
      action: { action: 'kill', step: 'finished', status: 'done', text: 'gone' },
    });
    const entry = currentEntry(gone(ready, 4711).state);
    expect(entry).toMatchObject({ outcome: 'stopped', cause: null });
    expect(entry?.readyAt).not.toBeNull();
  });

  it('closes the last one when the next begins, and says what was done differently and whether it helped', () => {
    const story = gone(writes(launched(new Story(), 1), crashedRun(0)), 4711);
    launched(story, 2, { env: { FIX: '1' }, command: 'python -m sglang.launch_server --tp 4' });
    expect(story.state.history.map(({ outcome }) => outcome)).toEqual(['crashed']);
    expect(currentEntry(story.state)).toMatchObject({
      outcome: 'loading',
      change: 'FIX=1 · --tp 4',
      helped: null,
    });
    writes(story, readyRun(0));
    expect(currentEntry(story.state)).toMatchObject({ outcome: 'ready', helped: true });
  });

  it('calls one that still loads stopped when it is relaunched', () => {
    const story = writes(launched(new Story(), 1), readyRun(0).slice(0, 3));
    launched(story, 2);
    expect(story.state.history).toMatchObject([{ attempt: 1, outcome: 'stopped', cause: null }]);
  });

  it('takes in what was kept before, once, and the present view for the later word', () => {
    const story = writes(launched(new Story(), 3), readyRun(0));
    const kept = [
      historyEntry(1),
      historyEntry(2, { outcome: 'ready', readyAt: 5000 }),
      historyEntry(3, { id: 'boot 4713 300', outcome: 'stopped', change: 'A=1' }),
    ];
    for (let twice = 0; twice < 2; twice++) story.event({ type: 'history', at: story.now, entries: kept });
    expect(allEntries(story.state).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'crashed'],
      [2, 'ready'],
      [3, 'ready'],
    ]);
  });

  it('shows what each phase took before, by the newest attempt at this model that finished it', () => {
    const story = writes(launched(new Story(), 4), readyRun(0).slice(0, 3));
    const weights = (seconds: number, isDone: boolean, model = 'demo') => ({
      model,
      phases: [{ id: 'weights' as const, model: 'target' as const, seconds, isDone }],
    });
    const entries = [
      historyEntry(1, weights(70, true)),
      historyEntry(2, weights(5, false)),
      historyEntry(3, weights(600, true, 'another')),
    ];
    story.event({ type: 'history', at: story.now, entries });
    expect(earlierSeconds(earlierRuns(story.state), { id: 'weights', model: 'target' })).toBe(70);
    const row = selectScreen(story.state).phases.find(({ id }) => id === 'weights');
    expect(row).toMatchObject({ status: 'active', earlierSeconds: 70 });
  });

  it('lists them on h, opens the chosen one on Enter, and goes back step by step', () => {
    const story = writes(launched(new Story(), 2), readyRun(0));
    story.event({ type: 'history', at: story.now, entries: [historyEntry(1)] });
    const overlay = () => selectScreen(story.state).overlay;
    story.key({ kind: 'overlay', overlay: 'history' });
    expect(overlay()).toMatchObject({ chosen: 0, opened: null, rows: [{ attempt: 2 }, { attempt: 1 }] });
    story.key({ kind: 'choose', id: 'boot 1 100' }).key({ kind: 'open' });
    expect(overlay()).toMatchObject({
      chosen: 1,
      opened: { title: 'attempt 1 (crashed)', lines: ['a', 'b'] },
    });
    story.key({ kind: 'back' });
    expect(overlay()).toMatchObject({ kind: 'history', opened: null });
    expect(story.key({ kind: 'back' }).state.view.overlay).toBeNull();
  });

  it('compares with the previous attempt on s, and with the last good one by the arrows', () => {
    const story = writes(launched(new Story(), 3), readyRun(0));
    const good = historyEntry(1, { outcome: 'ready', readyAt: 9, serverArgs: { tp_size: 4, port: 1 } });
    story.event({
      type: 'history',
      at: story.now,
      entries: [good, historyEntry(2, { serverArgs: { tp_size: 2 } })],
    });
    const overlay = () => selectScreen(story.state).overlay;
    story.key({ kind: 'overlay', overlay: 'arguments' });
    expect(overlay()).toMatchObject({
      comparison: { with: 'attempt 2 (crashed)', other: 'the last good one, attempt 1 (ready)' },
    });
    story.key({ kind: 'toggle', what: 'comparison' });
    expect(overlay()).toMatchObject({ comparison: { with: 'the last good one, attempt 1 (ready)' } });
    const model = overlay();
    const rows = model?.kind === 'arguments' ? model.rows : [];
    expect(rows.find(({ name }) => name === 'tp_size')).toMatchObject({
      value: '2',
      was: '4',
      mark: 'changed',
    });
    expect(rows.find(({ name }) => name === 'port')).toMatchObject({ mark: 'varies' });
  });
});

describe('whether a change helped', () => {
  const phases = (...ids: readonly ('args' | 'weights' | 'kv-cache' | 'graphs')[]) =>
    ids.map((id) => ({ id, model: id === 'args' ? null : ('target' as const), seconds: 1, isDone: true }));
  const before = historyEntry(1, { phases: phases('args', 'weights') });
  const after = (more: Parameters<typeof historyEntry>[1]) => whetherHelped(before, historyEntry(2, more));

  it.each([
    ['ready', { outcome: 'ready', readyAt: 5, cause: null }, true],
    ['stopped after it was ready', { outcome: 'stopped', readyAt: 5, cause: null }, true],
    [
      'crashed later, of the same',
      { reached: { id: 'graphs', model: 'target' }, phases: phases('args', 'weights', 'kv-cache', 'graphs') },
      true,
    ],
    ['crashed there, of the same', { phases: phases('args', 'weights') }, false],
    [
      'crashed there, of something else',
      { phases: phases('args', 'weights'), cause: { text: 'x', category: 'oom' } },
      true,
    ],
    [
      'crashed before it',
      { reached: { id: 'args', model: null }, phases: phases('args'), cause: null },
      null,
    ],
    ['still there', { outcome: 'loading', cause: null, phases: phases('args', 'weights') }, null],
    [
      'already further',
      {
        outcome: 'loading',
        cause: null,
        reached: { id: 'kv-cache', model: 'target' },
        phases: phases('args', 'weights', 'kv-cache'),
      },
      true,
    ],
  ] as const)('%s', (_name, more, helped) => {
    expect(after(more)).toBe(helped);
  });

  it('is called help only where it was ready; else how far it came', () => {
    const words = (more: Parameters<typeof historyEntry>[1], previous = before) =>
      helpText(historyEntry(2, { helped: true, ...more }), {
        ...previous,
        reached: { id: 'weights', model: 'target' },
      });
    const remedy = { id: 'one', title: 'Use less' };
    expect(words({ outcome: 'ready', readyAt: 5, remedy })).toBe('helped: Use less');
    expect(words({ outcome: 'crashed', readyAt: 5 })).toBe('helped');
    const draft = { reached: { id: 'weights', model: 'draft' } } as const;
    expect(words(draft)).toBe('got further: Load weights → Load weights (draft)');
    expect(words({ ...draft, remedy })).toBe('got further: Load weights → Load weights (draft) (Use less)');
    expect(words({ reached: { id: 'weights', model: 'target' } })).toBe(
      'got past it: another fault in Load weights',
    );
    expect(words({ helped: false, remedy })).toBe('did not help: Use less');
    expect(words({ helped: null, remedy })).toBeNull();
  });

  it('is not asked where nothing was wrong', () => {
    expect(whetherHelped(historyEntry(1, { outcome: 'stopped', cause: null }), historyEntry(2))).toBeNull();
  });

  it('knows the remedy by what was launched: variables, flags in either form, not what was there before', () => {
    const env = { id: 'longer', title: 'Longer', change: { env: { ALLOW: '1' } } };
    const flag = { id: 'less', title: 'Less', change: { args: ['--mem-fraction-static', '0.8'] } };
    const crashed = historyEntry(1, { remedies: [env, flag], command: 'sglang serve --tp 8' });
    const next = (command: string, variables = {}) => historyEntry(2, { command, env: variables });
    expect(remedyTaken(crashed, next('sglang serve --tp 8', { ALLOW: '1' }))?.id).toBe('longer');
    expect(remedyTaken(crashed, next('sglang serve --mem-fraction-static=0.8 --tp 8'))?.id).toBe('less');
    expect(remedyTaken(crashed, next('sglang serve --mem-fraction-static 0.85 --tp 8'))).toBeNull();
    expect(remedyTaken({ ...crashed, env: { ALLOW: '1' } }, next('x', { ALLOW: '1' }))).toBeNull();
  });

  it('describes a change in the words of a command line', () => {
    const one = historyEntry(1, {
      command: 'vllm serve m --tp 8 --seed 1',
      env: { A: '1', B: '2' },
      before: [],
    });
    const two = historyEntry(2, {
      command: 'vllm serve m --tp=4 --port 1',
      env: { A: '1', B: '3' },
      before: ['rm -rf x'],
    });
    expect(describeChange(one, two)).toBe('B=3 · --tp 4 · --port 1 · without --seed · before: rm -rf x');
    expect(describeChange(one, { ...one, id: 'x' })).toBeNull();
    expect(describeChange(one, { ...one, env: null })).toBeNull();
  });
});

describe('what has several lines', () => {
  const steps = { command: 'export A=1↵serve', before: ['cd ~\npatch\n', 'make'], env: { NOTE: 'one\ntwo' } };
  const shown = (overlay: 'history' | 'arguments') => {
    const story = new LaunchStory({}, { entries: [historyEntry(1), historyEntry(2, steps)] });
    return story.crashed().key({ kind: 'overlay', overlay }).key({ kind: 'choose', id: 'boot 2 100' });
  };

  it('is one line of the opened attempt and of what changed, with a sign for each end', () => {
    const { overlay } = shown('history').key({ kind: 'open' }).model;
    expect(overlay?.kind === 'history' && overlay.opened?.facts.slice(-4)).toEqual([
      ['command', 'export A=1↵serve'],
      ['env', 'NOTE=one↵two'],
      ['before', 'cd ~↵patch'],
      ['before', 'make'],
    ]);
    expect(JSON.stringify(shown('arguments').model.overlay)).toContain('cd ~↵patch');
  });
});

describe('two looks at one attempt', () => {
  it('know together what each knew', () => {
    const seen = historyEntry(1, { outcome: 'ready', cause: null, readyAt: 5, packages: { torch: '2' } });
    const late = historyEntry(1, {
      outcome: 'gone',
      cause: null,
      phases: [],
      packages: { nccl: '3' },
      env: null,
    });
    expect(laterWord(seen, late)).toMatchObject({
      outcome: 'gone',
      readyAt: 5,
      packages: { torch: '2', nccl: '3' },
      phases: seen.phases,
      env: {},
    });
  });

  it('name the last good one before an attempt', () => {
    const entries = [
      historyEntry(1, { outcome: 'stopped', readyAt: 5 }),
      historyEntry(2, { outcome: 'crashed', readyAt: 5 }),
      historyEntry(3),
    ];
    expect(lastGood(entries, historyEntry(3).id)?.attempt).toBe(1);
    expect(serverKey({ name: null, log: null, port: 30000 })).toBe('port 30000');
  });
});
