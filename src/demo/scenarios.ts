import { draftModel, modelSource, packageInfo, patchModelCommand, targetModel } from './demo-files.js';
import { joinLockPath } from './engine/distributed.js';
import type { RelaunchHint, Scenario } from './scenario.js';
import type { ScenarioName } from './scenario-names.js';

const args = [
  '--model-path',
  '{folder}/models/demo-vl',
  '--served-model-name',
  'demo-vl',
  '--tp',
  '8',
  '--trust-remote-code',
  '--speculative-algorithm',
  'EAGLE3',
  '--speculative-draft-model-path',
  '{folder}/models/demo-vl-eagle3',
  '--speculative-num-steps',
  '3',
  '--speculative-eagle-topk',
  '1',
  '--speculative-num-draft-tokens',
  '4',
  '--port',
  '{port}',
];

const same: RelaunchHint = { before: [], env: {}, args: null };
const longerDraft = { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' };

/** A launch in which nothing is wrong: the others take this and break one thing. */
const sound = {
  files: [
    ...targetModel(64),
    ...draftModel(262144),
    modelSource(true),
    packageInfo,
    { path: 'host/memory-max-gib', text: '2048\n' },
  ],
  args,
  env: {},
  lateLog: false,
  foreign: [],
  ends: 'ready',
  relaunch: same,
} satisfies Omit<Scenario, 'name' | 'title'>;

/** All scenarios by name; each differs from a sound launch in what its files, arguments or cards say. */
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  story: {
    ...sound,
    name: 'story',
    title: 'An evening in three attempts: a missing method, a draft with a shorter context, ready',
    files: [...sound.files, ...draftModel(131072), modelSource(false)],
    ends: 'crashed',
    relaunch: { before: [patchModelCommand], env: longerDraft, args: null },
  },
  ready: { ...sound, name: 'ready', title: 'Eight GPUs, 64 shards, an EAGLE-3 draft, ready' },
  'missing-method': {
    ...sound,
    name: 'missing-method',
    title: 'The target class has no set_eagle3_layers_to_capture',
    files: [...sound.files, modelSource(false)],
    ends: 'crashed',
    relaunch: { ...same, before: [patchModelCommand] },
  },
  'context-length': {
    ...sound,
    name: 'context-length',
    title: 'The draft was made for half the context of its target',
    files: [...sound.files, ...draftModel(131072)],
    ends: 'crashed',
    relaunch: { ...same, env: longerDraft },
  },
  oom: {
    ...sound,
    name: 'oom',
    title: 'One card is shared with another process and runs out of memory while graphs are captured',
    args: [...args, '--mem-fraction-static', '0.97'],
    foreign: [{ index: 3, pid: 4190017, usedMiB: 11776 }],
    ends: 'crashed',
    relaunch: { ...same, args: [...args, '--mem-fraction-static', '0.8'] },
  },
  stall: {
    ...sound,
    name: 'stall',
    title: 'Rank 5 waits for a lock that a dead process left behind',
    files: [...sound.files, { path: joinLockPath('.', 5), text: '' }],
    ends: 'stalled',
    relaunch: { ...same, before: [`rm -f '${joinLockPath('{folder}', 5)}'`] },
  },
  'silent-death': {
    ...sound,
    name: 'silent-death',
    title: 'The host runs out of memory while the weights are read: SIGKILL, no line',
    files: [...sound.files, { path: 'host/memory-max-gib', text: '240\n' }],
    args: [...args, '--weight-loader-disable-mmap'],
    ends: 'crashed',
    relaunch: { ...same, args },
  },
  'late-log': {
    ...sound,
    name: 'late-log',
    title: 'The log file appears only seconds after the watch has begun',
    lateLog: true,
  },
};
