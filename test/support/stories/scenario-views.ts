import type { ScreenModel } from '../../../src/core/view-models/screen.js';
import { checkContextLength } from '../../../src/demo/engine/context-length.js';
import { outOfMemory } from '../../../src/demo/engine/out-of-memory.js';
import { captureFrame } from '../../../src/demo/engine/progress-bar.js';
import { PythonError, traceback } from '../../../src/demo/engine/python-error.js';
import { raised } from '../../../src/demo/engine/tracebacks.js';
import { createReading } from '../../../src/triage/reading.js';
import { attempt, LaunchStory, ranks } from '../screen-stories.js';

/** The launches of the demo, in the words of its engine: what each scenario comes to, and what comes after a cure. */
class DemoStory extends LaunchStory {
  constructor(env: Readonly<Record<string, string>> = {}) {
    super(env, { entries: [] });
  }

  /** The weights are in, the pool is allocated. */
  pooled(): this {
    this.weights().event({ type: 'log-partial', at: this.now, text: '' }).later(20).running(66_000);
    this.write('Loading safetensors checkpoint shards: 100% Completed | 64/64 [02:40<00:00,  2.50s/it]');
    this.each(
      'Load weight end. type=LargeForCausalLM, dtype=torch.bfloat16, avail mem=70.60 GB, mem usage=64.01 GB.',
    );
    this.later(2).each('KV Cache is allocated. #tokens: 1241088, K size: 27.40 GB, V size: 27.40 GB');
    this.each('Memory pool end. avail mem=14.90 GB');
    return this.later(9).running(124_000);
  }

  capturing(done: number): this {
    this.each('Capture cuda graph begin. This can take up to several minutes. avail mem=14.81 GB');
    if (done === 0) return this;
    const state = { done, total: 23, seconds: done * 0.4 };
    const text = captureFrame(`Capturing batches (bs=${160 - 8 * done} avail_mem=12.10 GB)`, state);
    return this.later(2).event({ type: 'log-partial', at: this.now, text });
  }

  /** `error` by these ranks, and then the end that SGLang makes of it. */
  dies(error: PythonError, by: readonly number[]): this {
    this.event({ type: 'log-partial', at: this.now, text: '' }).later(1);
    for (const rank of by) {
      const lines = traceback(error, '/opt/venv/lib/python3.12/site-packages').split('\n');
      this.write(
        `[${this.stamp()} TP${rank}] Scheduler hit an exception: ${lines[0]}`,
        ...lines.slice(1),
        '',
      );
    }
    this.write(`[${this.stamp()}] Received sigquit from a child process. It usually means the child failed.`);
    return this.gone('SIGKILL');
  }

  /** The next attempt of the same server, with its own log. */
  again(
    number: number,
    more: { env?: Readonly<Record<string, string>>; before?: readonly string[] } = {},
  ): this {
    this.later(20).event({
      type: 'attempt',
      at: this.now,
      attempt: { ...attempt(number, this.now), env: more.env ?? {} },
      isNew: true,
      reading: createReading({ engine: 'sglang' }),
      before: more.before ?? [],
    });
    return this.emptyLog(`~/logs/server.${number}.log`).running(600);
  }

  each(text: string): this {
    return this.write(...ranks.map((rank) => `[${this.stamp()} TP${rank}] ${text}`));
  }
}

const launch = (): DemoStory => new DemoStory();

const method = 'set_eagle3_layers_to_capture';

const missingMethod = raised.captureSetup(
  new PythonError(
    'AttributeError',
    `'DemoVLForConditionalGeneration' object has no attribute '${method}'`,
    [],
  ),
);

function contextLength(): PythonError {
  const check = checkContextLength("Target model's", 262_144, 131_072, {});
  if (check.kind !== 'refused') throw new Error('it was to be refused');
  return raised.draftConfig(check.error);
}

/** Card 3, of which somebody else holds 11.5 GiB. */
const fullCard = {
  index: 3,
  totalGib: 140.4,
  usedGib: 128.3,
  freeGib: 0.6,
  foreign: [{ pid: 4_190_017, gib: 11.5 }],
};

const outOfMemoryAtCapture = (): DemoStory =>
  launch()
    .pooled()
    .capturing(0)
    .dies(raised.capture(outOfMemory(fullCard, 1.94)), [3]);

const longer = { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' };

/** The file is not there for the first seconds of the watch. */
const lateLog = (): LaunchStory => {
  const story = new LaunchStory();
  return story.file({ kind: 'missing', writesTo: null }).running(0).later(3);
};

/** Each of the demo's scenarios at its telling moments; those of a sound launch and of a stall are among the others. */
export const scenarioViews = {
  'missing-method': () => launch().pooled().capturing(0).dies(missingMethod, ranks).model,
  'missing-method-cured': () =>
    launch()
      .pooled()
      .capturing(0)
      .dies(missingMethod, [0])
      .again(4, { before: ["sh '/tmp/firedup-demo/patch-model.sh'"] })
      .pooled()
      .capturing(11).model,
  'context-length': () => launch().pooled().capturing(23).dies(contextLength(), ranks).model,
  'context-length-cured': () =>
    launch().pooled().capturing(23).dies(contextLength(), [0]).again(4, { env: longer }).pooled().model,
  oom: () => outOfMemoryAtCapture().key({ kind: 'scroll-to', end: 'bottom' }).model,
  'oom-all': () => outOfMemoryAtCapture().key({ kind: 'overlay', overlay: 'triage' }).model,
  'oom-cured': () => outOfMemoryAtCapture().again(4).pooled().capturing(7).model,
  'late-log-missing': () => lateLog().model,
  'late-log-there': () => lateLog().emptyLog('~/logs/server.3.log').running(600).joining().running(640).model,
} satisfies Readonly<Record<string, () => ScreenModel>>;
