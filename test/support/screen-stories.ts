import type { DialogLook } from '../../src/core/dialog-look.js';
import type { Attempt, Link, Target } from '../../src/core/events.js';
import type { HistoryEntry } from '../../src/core/history.js';
import { launchSpec } from '../../src/core/launch-spec.js';
import { selectScreen } from '../../src/core/select/screen.js';
import type { ScreenModel } from '../../src/core/view-models/screen.js';
import type { GpuReading } from '../../src/ingest/telemetry.js';
import { createReading } from '../../src/triage/reading.js';
import { noon, Story } from '../core/fold.js';
import { historyEntry } from './history-entry.js';

export interface StoryOptions {
  readonly target?: Partial<Target>;
  readonly entries?: readonly HistoryEntry[];
  readonly cards?: Cards;
}

/** What the GPU tool says where the server has about `memMiB` on each. */
export type Cards = (memMiB: number, fault: string | null) => GpuReading;

/** A launch of eight ranks on a box of eight GPUs, told to the real fold: every view of it is what the program shows. */
export class LaunchStory extends Story {
  readonly #cards: Cards;

  constructor(env: Readonly<Record<string, string>> = {}, more: StoryOptions = {}) {
    super({ host: 'gpu-17', name: 'big', port: 30000, engine: 'sglang', ...more.target });
    this.#cards = more.cards ?? eightCards;
    this.event({ type: 'host', at: this.now, host });
    this.event({ type: 'history', at: this.now, entries: more.entries ?? earlier });
    this.event({
      type: 'attempt',
      at: this.now,
      attempt: { ...attempt(3, this.now), env },
      isNew: true,
      reading: createReading({ engine: 'sglang' }),
      before: [],
    });
    this.emptyLog('~/logs/server.3.log').running(600);
  }

  /** The server with its ranks, and GPU memory of about `memMiB` each. */
  running(memMiB: number, fault: string | null = null): this {
    const tree = ranks.map((rank) => ({
      pid: 4801 + rank,
      parent: 4711,
      startTicks: `4801${rank}`,
      command: `sglang::scheduler_TP${rank}`,
    }));
    this.process({
      status: 'alive',
      pid: 4711,
      startTicks: '471100',
      startedAt: noon,
      command,
      user: 'ml',
      foundBy: 'launch',
      tree: [{ pid: 4711, parent: 1, startTicks: '471100', command }, ...tree],
    });
    return this.event({ type: 'gpus', at: this.now, reading: this.#cards(memMiB, fault) });
  }

  /** Nothing but the clock moves. */
  still(seconds: number): this {
    for (let passed = 0; passed < seconds && this.outcome !== 'stalled'; passed += 5) {
      this.later(5).event({
        type: 'host-sample',
        at: this.now,
        sample: { ...stillHost, uptimeMs: this.now },
      });
    }
    return this;
  }

  link(link: Link): this {
    return this.event({ type: 'link', at: this.now, link });
  }

  joining(): this {
    this.write(
      `[${this.stamp()}] server_args=ServerArgs(model_path='acme/large-moe', tokenizer_path='acme/large-moe', port=30000, host='127.0.0.1', tp_size=8, context_length=262144, mem_fraction_static=0.85, speculative_algorithm='EAGLE3', speculative_draft_model_path='acme/large-moe-eagle3', random_seed=418)`,
    ).later(8);
    return this.write(
      ...ranks.map((rank) => `[${this.stamp()} TP${rank}] Init torch distributed begin.`),
    ).later(6);
  }

  weights(): this {
    this.joining().write(
      ...ranks.map((rank) => `[${this.stamp()} TP${rank}] Init torch distributed ends. mem usage=0.93 GB`),
    );
    this.later(1).write(
      `[${this.stamp()} TP0] Ignore import error when loading sglang.srt.models.extra: No module named 'extra'`,
      ...ranks.map((rank) => `[${this.stamp()} TP${rank}] Load weight begin. avail mem=139.21 GB`),
    );
    for (const [seconds, mem] of [
      [20, 14_000],
      [20, 31_000],
      [20, 47_000],
      [12, 58_000],
    ] as const) {
      this.later(seconds).running(mem);
    }
    const bar = (share: number, done: number): string =>
      `Loading safetensors checkpoint shards:  ${share}% Completed | ${done}/64 [01:12<01:27,  2.49s/it]`;
    return this.event({ type: 'log-partial', at: this.now, text: `${bar(44, 28)}\r${bar(45, 29)}` });
  }

  ready(): this {
    this.weights().event({ type: 'log-partial', at: this.now, text: '' }).later(88).running(131_000);
    this.write('Loading safetensors checkpoint shards: 100% Completed | 64/64 [02:40<00:00,  2.50s/it]');
    this.write(
      ...ranks.map(
        (rank) =>
          `[${this.stamp()} TP${rank}] Load weight end. type=LargeForCausalLM, dtype=torch.bfloat16, avail mem=79.20 GB, mem usage=60.01 GB.`,
      ),
    ).later(9);
    this.write(
      `[${this.stamp()}] INFO:     Started server process [4711]`,
      `[${this.stamp()}] INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)`,
    ).later(3);
    this.answer(200).write(`[${this.stamp()}] The server is fired up and ready to roll!`);
    return this.later(6).running(131_000).answer(200).later(1);
  }

  crashed(): this {
    this.weights().event({ type: 'log-partial', at: this.now, text: '' }).later(2);
    const refusal =
      "ValueError: Warning: Target model's context_length (262144) is greater than the derived context_length (131072). This may lead to incorrect model outputs or CUDA errors. To allow overriding this maximum, set the env var SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1";
    for (const rank of [0, 3]) {
      this.write(
        `[${this.stamp()} TP${rank}] Scheduler hit an exception: Traceback (most recent call last):`,
        '  File "/opt/venv/lib/python3.12/site-packages/sglang/srt/managers/scheduler.py", line 2870, in run_scheduler_process',
        '    scheduler = Scheduler(server_args, port_args, gpu_id, tp_rank, dp_rank)',
        '  File "/opt/venv/lib/python3.12/site-packages/sglang/srt/configs/model_config.py", line 334, in _derive_context_length',
        '    raise ValueError(',
        refusal,
        '',
      );
    }
    this.write(`[${this.stamp()}] Received sigquit from a child process. It usually means the child failed.`);
    return this.gone('SIGKILL');
  }

  gone(signal: string): this {
    this.later(1).process({
      status: 'gone',
      pid: 4711,
      exit: { code: null, signal, at: this.now, oomKills: null },
    });
    this.later(3);
    return this.event({ type: 'gpus', at: this.now, reading: this.#cards(0, null) });
  }

  stamp(): string {
    return new Date(this.now).toISOString().replace('T', ' ').slice(0, 19);
  }

  get model(): ScreenModel {
    return selectScreen(this.state);
  }
}

const eightCards: Cards = (memMiB, fault) => ({
  status: 'ok',
  tookMs: 40,
  gpus: ranks.map((index) => ({
    index,
    uuid: `GPU-${index}`,
    name: 'NVIDIA H200',
    memTotalMiB: 143_771,
    memUsedMiB: memMiB === 0 ? 4 : memMiB + index * 61,
    utilPercent: memMiB === 0 ? 0 : 12 + index * 7,
    temperatureC: memMiB === 0 ? 30 : 34 + index,
    powerW: memMiB === 0 ? 75 : 118 + index * 4,
    powerLimitW: 700,
    fault: index === 3 ? fault : null,
  })),
  apps:
    memMiB === 0 ? [] : ranks.map((rank) => ({ uuid: `GPU-${rank}`, pid: 4801 + rank, memUsedMiB: memMiB })),
});

export const ranks = [0, 1, 2, 3, 4, 5, 6, 7] as const;

const command =
  'python -m sglang.launch_server --model-path acme/large-moe --tp 8 --port 30000 --context-length 262144 --speculative-algorithm EAGLE3 --speculative-draft-model-path acme/large-moe-eagle3';

const host = {
  hostname: 'h200-rack3-17',
  user: 'ml',
  os: 'Linux',
  bootId: 'boot',
  clockSkewMs: 0,
  utcOffsetMs: 0,
} as const;

export const attempt = (number: number, startedAt: number): Attempt => ({
  number,
  name: 'big',
  folder: `~/.local/state/firedup/big/${number}`,
  log: `~/logs/server.${number}.log`,
  logIsFresh: true,
  wasKilled: false,
  command,
  env: {},
  pid: 4711,
  startTicks: '471100',
  bootId: 'boot',
  startedAt,
});

const allowLonger = { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' };

const earlier = [
  historyEntry(1, {
    host: 'gpu-17',
    name: 'big',
    model: 'large-moe',
    cause: {
      text: "AttributeError: 'LargeForConditionalGeneration' object has no attribute 'set_eagle3_layers_to_capture'",
      category: 'missing-method-eagle3',
    },
    startedAt: noon - 3_000_000,
    endedAt: noon - 2_600_000,
    command,
  }),
  historyEntry(2, {
    host: 'gpu-17',
    name: 'big',
    model: 'large-moe',
    cause: {
      text: 'ValueError: context_length (262144) is greater than the derived context_length (131072)',
      category: 'context-length-mismatch',
    },
    startedAt: noon - 1_500_000,
    endedAt: noon - 1_100_000,
    command,
    change: 'before: ~/fixes/patch-large.sh',
    helped: true,
    log: '~/logs/server.2.log',
    lastLines: [
      '    raise ValueError(',
      'ValueError: context_length (262144) is greater than the derived context_length (131072)',
      '[2026-03-01 11:41:40] Received sigquit from a child process. It usually means the child failed.',
    ],
    remedies: [
      { id: 'allow-longer', title: 'Allow the longer context length', change: { env: allowLonger } },
    ],
    serverArgs: { model_path: 'acme/large-moe', tp_size: 8, context_length: 131072, random_seed: 90210 },
    phases: [
      { id: 'args', model: null, seconds: 7, isDone: true },
      { id: 'distributed', model: null, seconds: 8, isDone: true },
      { id: 'weights', model: 'target', seconds: 148, isDone: true },
    ],
  }),
];

const stillHost = {
  cpus: 192,
  memTotalMiB: 2_000_000,
  memAvailableMiB: 1_800_000,
  processes: [4711, ...ranks.map((rank) => 4801 + rank)].map((pid) => ({
    pid,
    parent: pid === 4711 ? 1 : 4711,
    startTicks: `${pid}00`,
    name: 'python',
    state: 'S',
    cpuMs: 0,
    rssMiB: 900,
    readBytes: 0,
    readChars: 0,
  })),
};

export const look: DialogLook = {
  ends: [
    { pid: 4711, startTicks: '471100', owner: 'ml', ageMs: 90_000, command },
    ...ranks.map((rank) => ({
      pid: 4801 + rank,
      startTicks: `4801${rank}`,
      owner: 'ml',
      ageMs: 84_000,
      command: `sglang::scheduler_TP${rank}`,
    })),
  ],
  foreign: [],
  near: [
    {
      pid: 3920,
      startTicks: '392000',
      owner: 'ml',
      foreign: false,
      command: 'tail -f server.3.log',
      why: 'reads the log',
    },
  ],
  spec: null,
  notes: [],
};

/** The host's answer to what the open dialog asks. */
export function looked(story: LaunchStory, found?: DialogLook): LaunchStory {
  const isAlive = story.state.process.fact?.status === 'alive';
  const answer = found ?? (isAlive ? look : lookAtGone);
  return story.event({ type: 'dialog-look', at: story.now, openedAt: story.now, look: answer });
}

/** Of a server that has gone: what it was started with. */
const lookAtGone: DialogLook = {
  ...look,
  ends: [],
  near: [],
  spec: launchSpec({ command: command.split(' ') }),
};

const waiting = (trying: boolean): Link => ({
  status: 'waiting',
  reason: 'gpu-17 wants a password for ml.',
  needs: 'answer',
  trying,
});

const launch = (): LaunchStory => new LaunchStory();

/** The views of a launch by their names. */
export const launchViews = {
  joining: () => launch().joining().model,
  loading: () => launch().weights().later(1).model,
  'gpu-lost': () => launch().weights().running(58_000, 'GPU is lost').later(1).model,
  ready: () => launch().ready().model,
  'ready-all': () => launch().ready().key({ kind: 'overlay', overlay: 'triage' }).model,
  crashed: () => launch().crashed().model,
  'crashed-all': () => launch().crashed().key({ kind: 'overlay', overlay: 'triage' }).model,
  'crashed-log': () => launch().crashed().key({ kind: 'filter-clear' }).model,
  'silent-death': () => launch().weights().gone('SIGKILL').model,
  stalled: () => launch().joining().still(7200).model,
  'stalled-all': () => launch().joining().still(7200).key({ kind: 'overlay', overlay: 'triage' }).model,
  history: () => new LaunchStory(allowLonger).ready().key({ kind: 'overlay', overlay: 'history' }).model,
  arguments: () => new LaunchStory(allowLonger).ready().key({ kind: 'overlay', overlay: 'arguments' }).model,
  help: () => launch().weights().key({ kind: 'overlay', overlay: 'help' }).model,
  kill: () => looked(launch().weights().later(1).key({ kind: 'ask-kill' })).model,
  relaunch: () => looked(launch().crashed().key({ kind: 'apply-remedy' }), lookAtGone).model,
  relaunching: () => {
    const story = looked(launch().weights().later(1).key({ kind: 'ask-relaunch' })).key({ kind: 'confirm' });
    for (const [step, status, text] of [
      ['kill', 'active', 'SIGTERM to 9 processes'],
      ['kill', 'done', 'Every process has gone'],
      ['gpus-free', 'active', 'Waiting for the GPUs to give the memory back'],
    ] as const) {
      story.event({ type: 'action', at: story.now, action: { action: 'relaunch', step, status, text } });
      if (step === 'kill' && status === 'active') story.later(2).gone('SIGTERM');
    }
    return story.model;
  },
  reconnecting: () =>
    launch()
      .weights()
      .link({ status: 'down', reason: 'no answer for 15 s', retryAt: noon + 130_000 })
      .later(14).model,
  'needs-answer': () => launch().weights().link(waiting(false)).later(14).model,
  login: () => {
    const story = launch()
      .weights()
      .link(waiting(false))
      .later(14)
      .key({ kind: 'connect-now' })
      .link(waiting(true));
    const question = { heading: [], text: 'Password of ml on gpu-17:', echo: false };
    return story.event({ type: 'question', at: story.now, question }).model;
  },
  filtering: () =>
    launch().weights().key({ kind: 'edit-filter' }).key({ kind: 'filter-text', text: 'tp[03].*begin' }).model,
  'bad-filter': () =>
    launch().weights().key({ kind: 'edit-filter' }).key({ kind: 'filter-text', text: 'tp(' }).model,
  milestones: () => launch().ready().key({ kind: 'toggle', what: 'milestones-only' }).model,
  provisional: () => {
    const story = new Story({ host: 'gpu-17', log: '/logs/server.log', engine: 'sglang' }).alive(7200);
    story.opened('/logs/server.log', { size: 200_000_000 });
    const text = "[2026-03-01 10:00:00] server_args=ServerArgs(model_path='acme/large-moe', tp_size=8)";
    story.event({
      type: 'log-lines',
      at: story.now,
      lines: [{ number: 1, text }],
      offset: 1_000_000,
      size: 200_000_000,
    });
    for (const change of [
      { kind: 'began', skippedBytes: 199_000_000, fromStart: true },
      {
        kind: 'lines',
        lines: [
          '[2026-03-01 12:00:00 TP0] Decode batch. #running-req: 12',
          '[2026-03-01 12:00:00] INFO:     "GET /health" 200 OK',
        ],
        partial: '',
        isLive: true,
      },
    ] as const) {
      story.event({ type: 'log-ahead', at: story.now, change });
    }
    return selectScreen(story.later(1).state);
  },
  notice: () => {
    const story = launch().weights();
    const text = '40 lines copied, and in ~/.local/state/firedup/dumps/big-2026-03-01-120158.log';
    return story.event({ type: 'notice', at: story.now, level: 'info', text }).model;
  },
  zoomed: () =>
    launch().weights().key({ kind: 'focus', pane: 'gpus' }).key({ kind: 'toggle', what: 'zoom' }).model,
  'wide-words': () => {
    const story = launch().weights();
    return story.write(
      `[${story.stamp()} TP0] 宽字符 loading 모델 로딩 🚀 emoji 👩‍👩‍👧 ✓ done`,
      'tab\there\tand\tthere, \u001B[31mred\u001B[0m, a frame\rthe last frame',
      'ไทย العربية \u202Eturned',
    ).model;
  },
} satisfies Readonly<Record<string, () => ScreenModel>>;
