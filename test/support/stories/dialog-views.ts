import type { ActionStep } from '../../../src/core/events.js';
import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import { LaunchStory, look, looked } from '../screen-stories.js';

type Step = readonly [
  step: ActionStep['step'],
  status: ActionStep['status'],
  text: string,
  details?: readonly string[],
];

/** Steps of the action under way, as the runtime tells them. */
function acted(story: LaunchStory, action: ActionStep['action'], steps: readonly Step[]): LaunchStory {
  for (const [step, status, text, details] of steps) {
    story.later(1).event({
      type: 'action',
      at: story.now,
      action: { action, step, status, text, ...(details === undefined ? {} : { details }) },
    });
  }
  return story;
}

const launch = (): LaunchStory => new LaunchStory().weights().later(1);

/** `signal`: by which it ends meanwhile. */
const killing = (steps: readonly Step[], signal: string | null = null): ScreenModel => {
  const story = looked(launch().key({ kind: 'ask-kill' })).key({ kind: 'confirm' });
  return acted(signal === null ? story : story.gone(signal), 'kill', steps).model;
};

const relaunching = (steps: readonly Step[]): ScreenModel =>
  acted(
    looked(new LaunchStory().crashed().key({ kind: 'apply-remedy' })).key({ kind: 'confirm' }),
    'relaunch',
    steps,
  ).model;

const noticed = (level: 'info' | 'warning' | 'error', text: string): ScreenModel => {
  const story = launch();
  return story.event({ type: 'notice', at: story.now, level, text }).model;
};

const asked = (heading: readonly string[], text: string, echo: boolean): ScreenModel => {
  const story = launch();
  const reason = 'gpu-17 wants a code for ml.';
  for (const trying of [false, true]) {
    story.link({ status: 'waiting', reason, needs: 'answer', trying }).later(4);
    if (!trying) story.key({ kind: 'connect-now' });
  }
  return story.event({ type: 'question', at: story.now, question: { heading, text, echo } }).model;
};

const container = {
  engine: 'docker',
  name: 'sglang-big',
  id: '4f1d2c3b4a59687706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a09f',
  started: '2026-03-01T11:59:58.123456789Z',
  running: true,
  pid: 4711,
  ports: null,
} as const;

/** Questions at each of their moments, what answers them, and notices. */
export const dialogViews = {
  'kill-looking': () => launch().key({ kind: 'ask-kill' }).model,
  'kill-crowd': () => {
    const story = launch().key({ kind: 'ask-kill' });
    const near = Array.from({ length: 11 }, (_, index) => ({
      pid: 5200 + index,
      startTicks: '520000',
      owner: index === 1 ? 'root' : 'ml',
      foreign: index === 1,
      command: index === 1 ? 'dcgmi dmon -e 155' : `python bench_serving.py --port 30000 --part ${index}`,
      why: index === 1 ? 'uses the same GPU' : 'talks to its port',
    }));
    const foreign = [
      { pid: 4950, startTicks: '495000', owner: 'root', ageMs: 4000, command: 'numactl --pid 4801' },
    ];
    const notes = ['The processes of root cannot be looked into: what they have open is not known.'];
    return story
      .event({
        type: 'dialog-look',
        at: story.now,
        openedAt: story.now,
        look: { ...look, near, foreign, notes },
      })
      .key({ kind: 'toggle-near', number: 1 }).model;
  },
  killing: () =>
    killing([['kill', 'active', 'SIGTERM to 9 processes; SIGKILL in 10 s to those that remain']]),
  killed: () =>
    killing(
      [
        ['kill', 'done', 'All 9 processes have ended, 2 of them by SIGKILL'],
        ['gpus-free', 'done', 'GPUs 0-7 are free'],
        ['finished', 'done', 'The server has ended'],
      ],
      'SIGTERM',
    ),
  'kill-survivors': () =>
    killing([
      [
        'kill',
        'failed',
        '1 process has survived SIGKILL: 4804 sglang::scheduler_TP3 (in the kernel, state D)',
      ],
      ['finished', 'failed', '1 process has survived'],
    ]),
  'relaunch-preflight': () =>
    relaunching([
      ['kill', 'done', 'It was no longer running'],
      ['before', 'done', '~/fixes/patch-large.sh'],
      [
        'preflight',
        'asks',
        'Pre-flight: 2 in the way, 1 warning, 14 all right',
        [
          'GPU memory: GPU 3 holds 11.5 GiB of process 4190017 (python train.py --config configs/pretrain_large.yaml) of kim',
          '  Ask kim, or leave GPU 3 out: CUDA_VISIBLE_DEVICES=0,1,2,4,5,6,7 and --tp 4',
          'port: 30000 is taken by 3920 (python -m http.server 30000)',
          '  End it, or take another port: --port 30001',
          'disk: 3.1 GiB are left in /tmp; compiled kernels need some 5 GiB',
        ],
      ],
    ]),
  'relaunch-failed': () =>
    relaunching([
      ['kill', 'done', 'It was no longer running'],
      ['preflight', 'done', 'Pre-flight: 16 all right'],
      ['start', 'failed', 'the command ended at once: bash: line 1: sglang: command not found (status 127)'],
      ['finished', 'failed', 'Nothing was started'],
    ]),
  'relaunch-edit': () =>
    looked(new LaunchStory().crashed().key({ kind: 'apply-remedy' })).key({ kind: 'edit-in-place' }).model,
  'relaunch-alive': () => looked(launch().key({ kind: 'ask-relaunch' })).model,
  'relaunch-container': () => {
    const story = new LaunchStory({}, { target: { container } }).weights();
    return looked(story.later(1).key({ kind: 'ask-relaunch' })).model;
  },
  'login-shown': () =>
    asked(
      [
        '** Only for those who may. All that is done here is recorded. **',
        'Two-factor login: the code is in the app on your telephone, or call the desk at 4-1234.',
      ],
      'Code or number of a device:',
      true,
    ),
  'login-failed': () => {
    const story = launch();
    const reason = 'gpu-17 wants a password for ml.';
    story.link({ status: 'waiting', reason, needs: 'answer', trying: false }).later(4);
    story
      .key({ kind: 'connect-now' })
      .link({ status: 'waiting', reason, needs: 'answer', trying: true })
      .later(4);
    const refusal = 'Login to gpu-17 failed: the host refused the password of ml.';
    return story.link({ status: 'waiting', reason: refusal, needs: 'retry', trying: false }).later(1).model;
  },
  'read-only': () =>
    new LaunchStory({}, { target: { readOnly: true } }).weights().key({ kind: 'ask-kill' }).model,
  'py-spy': () =>
    noticed(
      'info',
      'stacks of pid 4806 written to ~/.local/state/firedup/dumps/gpu-17-py-spy-4806-2026-03-01.log',
    ),
  'notice-error': () =>
    noticed(
      'error',
      'EACCES: permission denied, open ~/.local/state/firedup/dumps/big-2026-03-01-120158.log',
    ),
} satisfies Readonly<Record<string, () => ScreenModel>>;
