import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { State } from '../../src/core/state.js';
import type { DialogModel } from '../../src/core/view-models/dialog.js';
import type { GpuRow } from '../../src/core/view-models/gpus.js';
import type { LogRow } from '../../src/core/view-models/log.js';
import type { OverlayModel } from '../../src/core/view-models/overlay.js';
import type { HeaderModel, PhaseRow, ScreenModel } from '../../src/core/view-models/screen.js';
import type { ScenarioName } from '../../src/demo/scenario-names.js';
import type { Outcome } from '../../src/triage/report.js';
import type { ServerWord } from '../../src/tui/picker-model.js';
import { type PickerViewName, pickerModelOf, pickerViewNames } from '../support/picker-views.js';
import { modelOf, type StoryName, storyNames } from '../support/stories/all.js';

/** The view that shows each thing of a union: what is added to the union has none, which does not compile. */
type Shown<T extends string> = Readonly<Record<T, StoryName>>;

const outcomes: Shown<Outcome> = {
  ready: 'ready',
  crashed: 'crashed',
  loading: 'loading',
  stalled: 'stalled',
  stopped: 'stopped',
  unknown: 'finished-log',
};

const overlays: Shown<OverlayModel['kind']> = {
  help: 'help',
  triage: 'crashed-all',
  history: 'history',
  arguments: 'arguments',
};

const dialogs: Shown<DialogModel['kind']> = { kill: 'kill', relaunch: 'relaunch', login: 'login' };

/** What a dialog can be at besides its question. */
const moments: Shown<'running' | 'finished' | 'asking' | 'editing' | 'shown' | 'masked'> = {
  running: 'killing',
  finished: 'relaunch-failed',
  asking: 'relaunch-preflight',
  editing: 'relaunch-edit',
  shown: 'login-shown',
  masked: 'login',
};

const steps: Shown<DialogModel['steps'][number]['status']> = {
  active: 'killing',
  done: 'relaunching',
  failed: 'kill-survivors',
  asks: 'relaunch-preflight',
  pending: 'relaunching',
  skipped: 'relaunch-preflight',
};

const links: Shown<HeaderModel['link']['status']> = {
  connecting: 'connecting',
  up: 'loading',
  down: 'reconnecting',
  waiting: 'needs-answer',
  lost: 'link-lost',
};

const processes: Shown<HeaderModel['process']['status']> = {
  alive: 'loading',
  gone: 'crashed',
  absent: 'finished-log',
  unknown: 'process-unknown',
};

const phases: Shown<PhaseRow['status']> = {
  pending: 'joining',
  active: 'joining',
  done: 'loading',
  failed: 'crashed',
  skipped: 'ready',
  stopped: 'killed',
};

const notices: Shown<NonNullable<ScreenModel['notice']>['level']> = {
  info: 'py-spy',
  warning: 'read-only',
  error: 'notice-error',
};

const levels: Shown<LogRow['level']> = {
  info: 'loading',
  warning: 'log-marks',
  error: 'crashed-log',
  progress: 'loading',
};

/** What the log's own status makes the pane say. */
const logs: Readonly<Record<State['log']['status'], readonly [StoryName, RegExp]>> = {
  unknown: ['connecting', /not looked at yet/],
  missing: ['log-missing', /not there yet/],
  unreadable: ['log-unreadable', /cannot be read/],
  open: ['log-reading', /reading 45 %/],
};

/** What can be told of a GPU that mostly is not. */
const gpus: Shown<Extract<keyof GpuRow, 'fault' | 'kernel' | 'mig' | 'rank' | 'pid'>> = {
  fault: 'gpu-lost',
  kernel: 'gpu-xid',
  mig: 'gpus-mig',
  rank: 'loading',
  pid: 'loading',
};

/** The demo's scenarios at their telling moments. */
const scenarios: Readonly<Record<ScenarioName, readonly StoryName[]>> = {
  story: ['missing-method', 'context-length', 'history'],
  ready: ['joining', 'loading', 'ready'],
  'missing-method': ['missing-method', 'missing-method-cured'],
  'context-length': ['context-length', 'context-length-cured'],
  oom: ['oom', 'oom-all', 'oom-cured'],
  stall: ['stalled', 'stalled-all'],
  'silent-death': ['silent-death'],
  'late-log': ['late-log-missing', 'late-log-there'],
};

const endings: Readonly<Partial<Record<StoryName, Outcome>>> = {
  'missing-method': 'crashed',
  'missing-method-cured': 'loading',
  'context-length': 'crashed',
  'context-length-cured': 'loading',
  oom: 'crashed',
  'oom-cured': 'loading',
  stalled: 'stalled',
  'dead-rank': 'stalled',
  'silent-death': 'crashed',
  'late-log-missing': 'loading',
  'late-log-there': 'loading',
  slow: 'loading',
};

const answers: Readonly<Record<ServerWord, PickerViewName>> = {
  ready: 'answered',
  crashed: 'answered',
  loading: 'answered',
  stalled: 'answered',
  stopped: 'answered',
  unknown: 'answered',
  asking: 'asked',
  none: 'answered',
  offline: 'answered',
  login: 'answered',
};

describe('the golden views', () => {
  const shown = <T extends string>(
    names: Shown<T>,
    what: (model: ScreenModel) => readonly unknown[],
  ): void => {
    for (const [key, name] of Object.entries(names) as [T, StoryName][])
      expect(what(modelOf(name)), `${key} in ${name}`).toContain(key);
  };

  it('show every outcome, link, process, phase and notice', () => {
    shown(outcomes, ({ status }) => [status.outcome]);
    shown(links, ({ header }) => [header.link.status]);
    shown(processes, ({ header }) => [header.process.status]);
    shown(phases, (model) => model.phases.map(({ status }) => status));
    shown(notices, ({ notice }) => [notice?.level]);
    shown(levels, ({ log }) => log.rows(50).map(({ level }) => level));
  });

  it('show every overlay and dialog, and each at its moments', () => {
    shown(overlays, ({ overlay }) => [overlay?.kind]);
    shown(dialogs, ({ dialog }) => [dialog?.kind]);
    shown(steps, ({ dialog }) => dialog?.steps.map(({ status }) => status) ?? []);
    shown(moments, ({ dialog }) => [
      dialog?.running && 'running',
      dialog?.finished && 'finished',
      dialog?.asking && 'asking',
      dialog?.editing != null && 'editing',
      dialog?.answer,
    ]);
  });

  it('show a log that is there and one that is not, and all that can be told of a GPU', () => {
    for (const [name, words] of Object.values(logs)) expect(modelOf(name).log.note, name).toMatch(words);
    shown(gpus, (model) =>
      model.gpus.rows.flatMap((row) =>
        Object.entries(row).flatMap(([key, value]) => (value === null ? [] : [key])),
      ),
    );
  });

  it('show each scenario of the demo, with the outcome that it has', () => {
    for (const name of Object.values(scenarios).flat()) expect(storyNames).toContain(name);
    for (const [name, outcome] of Object.entries(endings) as [StoryName, Outcome][])
      expect(modelOf(name).status.outcome, name).toBe(outcome);
  });

  it('show each answer that a target can give', () => {
    for (const [word, view] of Object.entries(answers))
      expect(
        pickerModelOf(view).rows.map((row) => row.word as string),
        word,
      ).toContain(word);
  });

  it('are kept for no view that is no more', () => {
    const known = new Set([
      ...storyNames.map((name) => `${name}.txt`),
      ...pickerViewNames.map((name) => `picker-${name}.txt`),
    ]);
    const others = /^(?:walk|connecting-line|themes|folded-\d+x\d+|log-[a-z]+-\d+x\d+)\.txt$/;
    const kept = readdirSync(new URL('./golden', import.meta.url));
    expect(kept.filter((file) => !known.has(file) && !others.test(file))).toEqual([]);
  });
});
