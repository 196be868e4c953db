import { Maker, type TraceDraft } from './maker.js';
import {
  begin,
  cache,
  graphs,
  graphsBegin,
  join,
  joined,
  loaded,
  reading,
  ready,
  still,
  weights,
} from './steps.js';

type Truths = TraceDraft['header']['truth'];

/** Launches that are slow, or seem so, and get ready: no verdict but READY may fall. */
export function slowTraces(): readonly TraceDraft[] {
  return [
    slowShare(),
    mappedFiles(),
    longCapture('sglang'),
    longCapture('vllm'),
    precompile(),
    precompileInProcess(),
    cacheThenWarm('cold', 21),
    cacheThenWarm('warm', 22),
    pausedHost(),
    suspendedHere(),
    withoutTelemetry(),
    linkDown(),
    slowDownload(),
    busyCpu(),
    oneRankCompiles(),
    longWarnings(),
    helpersComeAndGo(),
    otherUser(),
    afterTheLastShard(),
    nothingReadable(),
  ];
}

function made(
  name: string,
  title: string,
  maker: Maker,
  truth: Truths,
  more: Partial<TraceDraft['header']> = {},
): TraceDraft {
  const header = { title, engine: maker.engine, gpus: maker.ranks, ...more, truth };
  return { name, header, entries: maker.entries };
}

/** From the weights on everything as usual; the truth up to READY. */
function end(name: string, title: string, maker: Maker, slow: Truths = []): TraceDraft {
  const readyAt = ready(maker);
  const truth: Truths = [{ from: 0, state: 'loading' }, ...slow, { from: readyAt, state: 'ready' }];
  return made(name, title, maker, truth, { readyAt });
}

const start = (engine: 'sglang' | 'vllm', seed: number): Maker =>
  joined(join(begin(new Maker(engine, 4, seed))));
const finish = (maker: Maker): Maker => graphs(graphsBegin(cache(loaded(maker))), 20, maker.about(40));

/** 80 GB at 50 MB/s: a line each minute and a half, then one shard of 40 GB without a line for 13 minutes. */
function slowShare(): TraceDraft {
  const maker = reading(start('sglang', 1), 50e6);
  const from = maker.t;
  for (let shard = 1; shard <= 8; shard += 1) maker.wait(maker.about(95)).shards(shard, 9);
  maker.wait(800).shards(9, 9).wait(20);
  return end('slow-share', 'NFS at 50 MB/s, the last shard takes 13 minutes', finish(maker), [
    { from, state: 'slow', phase: 'weights' },
  ]);
}

/** safetensors that are mapped: no bytes are read, pages come as faults and resident memory. */
function mappedFiles(): TraceDraft {
  const maker = start('sglang', 2);
  const from = maker.t;
  maker.flow({ all: { cores: 0.1, state: 'D', faultsPerSecond: 90, rssMiBps: 4, wchan: 'folio_wait_bit' } });
  maker.wait(1100).shards(1, 1);
  return end('mapped-files', 'Mapped files: faults and resident memory, no reads, no lines', finish(maker), [
    { from, state: 'slow', phase: 'weights' },
  ]);
}

/** 40 minutes of graph capture with ten minutes in which one rank compiles and the others wait for it. */
function longCapture(engine: 'sglang' | 'vllm'): TraceDraft {
  const maker = start(engine, 3);
  graphsBegin(cache(loaded(weights(maker, 16, 120))));
  const from = maker.t;
  for (let done = 1; done <= 15; done += 1) maker.wait(maker.about(60)).graphs(done, 35);
  maker.flow({
    all: { cores: 1.1, state: 'R' },
    rank: { 0: { cores: 1, state: 'R' } },
    gpu: { util: 100, powerW: 130 },
    gpus: { 0: { util: 0, powerW: 75 } },
    extra: [{ pid: 5200, parent: 4711, name: 'nvcc', command: 'nvcc -O3 kernel.cu', cores: 1 }],
  });
  maker.wait(600);
  maker.flow({ all: { cores: 1 }, gpu: { util: 40, powerW: 190 } });
  for (let done = 16; done <= 35; done += 1) maker.wait(maker.about(45)).graphs(done, 35);
  return end(
    `long-capture-${engine}`,
    'Forty minutes of graph capture with a gap of ten for a compiler',
    maker,
    [{ from, state: 'slow', phase: 'graphs' }],
  );
}

/** DeepGEMM compiles for 25 minutes in processes of its own; nothing is logged. */
function precompile(): TraceDraft {
  const maker = start('sglang', 4);
  graphsBegin(cache(loaded(weights(maker, 16, 120))));
  maker.say('Entering DeepGEMM JIT Pre-Compile session. It may take a long time (typically 10-20 mins)', 0);
  const from = maker.t;
  for (let round = 0; round < 25; round += 1) {
    const extra = [0, 1, 2].map((each) => ({
      pid: 6000 + 10 * round + each,
      parent: 4711,
      name: each === 0 ? 'nvcc' : 'cicc',
      cores: 1,
    }));
    maker.flow({ all: { cores: 1.1, state: 'R' }, gpu: { util: 100, powerW: 125 }, extra }).wait(62);
  }
  maker.flow({ all: { cores: 1 }, gpu: { util: 40, powerW: 190 } });
  return end('deep-gemm-children', 'DeepGEMM compiles 26 minutes with nvcc and cicc', graphs(maker, 20, 60), [
    { from, state: 'slow', phase: 'graphs' },
  ]);
}

/** The same by NVRTC, in the ranks themselves: CPU is all that shows. */
function precompileInProcess(): TraceDraft {
  const maker = start('sglang', 5);
  graphsBegin(cache(loaded(weights(maker, 16, 120))));
  const from = maker.t;
  maker.flow({ all: { cores: 3.8, state: 'R' }, gpu: { util: 0, powerW: 80 } }).wait(1900);
  maker.flow({ all: { cores: 1 }, gpu: { util: 40, powerW: 190 } });
  return end(
    'deep-gemm-in-process',
    'Kernels compiled within the ranks for half an hour',
    graphs(maker, 20, 60),
    [{ from, state: 'slow', phase: 'graphs' }],
  );
}

const past: NonNullable<TraceDraft['header']['past']> = [
  { cache: 'cold' as const, weights: 600 },
  { cache: 'warm' as const, weights: 45 },
  { cache: 'cold' as const, weights: 640 },
  { cache: 'warm' as const, weights: 50 },
].map(({ cache: kind, weights: seconds }) => ({
  cache: kind,
  phases: [
    { id: 'args', seconds: 12 },
    { id: 'distributed', seconds: 7 },
    { id: 'weights', model: 'target' as const, seconds },
    { id: 'kv-cache', model: 'target' as const, seconds: 6 },
    { id: 'graphs', model: 'target' as const, seconds: 40 },
    { id: 'serving', seconds: 0.1 },
    { id: 'warmup', seconds: 6 },
  ],
}));

/** The same launch from disk and from the page cache, with both kinds in the history. */
function cacheThenWarm(kind: 'cold' | 'warm', seed: number): TraceDraft {
  const maker = start('sglang', seed);
  weights(maker, 60, kind === 'cold' ? 630 : 47, kind === 'cold' ? 130e6 : 1700e6);
  const draft = end(`${kind}-cache`, `A ${kind} page cache, after launches of both kinds`, finish(maker));
  return { ...draft, header: { ...draft.header, past } };
}

/** The host sleeps for 20 minutes while ranks join: nothing comes from it, and then everything goes on. */
function pausedHost(): TraceDraft {
  const maker = join(begin(new Maker('sglang', 4, 6)));
  maker.flow({ all: { cores: 0.02 } }).wait(150);
  maker.entry({ type: 'flow', every: 0 }).wait(1200);
  maker.entry({ type: 'flow', every: 2 }).wait(120);
  return end(
    'paused-host',
    'The host is paused for 20 minutes while its ranks join',
    finish(weights(joined(maker), 16, 100)),
  );
}

/** Our own machine sleeps: the clock jumps by two hours between two ticks. */
function suspendedHere(): TraceDraft {
  const maker = join(begin(new Maker('vllm', 4, 7)));
  maker.flow({ all: { cores: 0.02 } }).wait(200);
  maker
    .entry({ type: 'pause', until: maker.t + 7200 })
    .wait(7200)
    .wait(80);
  return end(
    'suspended-here',
    'firedup sleeps for two hours: the clock jumps',
    finish(weights(joined(maker), 16, 100)),
  );
}

/** The sampler says nothing for eight minutes, and the log has nothing to say either. */
function withoutTelemetry(): TraceDraft {
  const maker = reading(start('vllm', 8), 60e6);
  maker.wait(120).shards(1, 3);
  maker.entry({ type: 'flow', every: 0 }).wait(480);
  maker.entry({ type: 'flow', every: 2 }).wait(400).shards(2, 3).wait(300).shards(3, 3);
  return end('telemetry-missing', 'No telemetry for eight minutes of a slow load', finish(maker));
}

/** The link is down for five minutes; what was written meanwhile comes afterwards, or nothing was. */
function linkDown(): TraceDraft {
  const maker = join(begin(new Maker('sglang', 4, 9)));
  maker.flow({ all: { cores: 0.02 } }).wait(170);
  maker.entry({ type: 'link', link: { status: 'down' } }).wait(300);
  maker.entry({ type: 'link', link: { status: 'up' } }).wait(90);
  weights(joined(maker), 8, 60);
  maker.entry({ type: 'link', link: { status: 'down' } });
  weights(maker, 8, 300);
  maker.entry({ type: 'link', link: { status: 'up' } }).wait(5);
  return end('link-down', 'The link is down for five minutes, twice', finish(maker));
}

/** 250 KB/s from the hub, without a bar. */
function slowDownload(): TraceDraft {
  const maker = start('vllm', 10);
  const from = maker.t;
  maker.flow({
    all: { cores: 0.01 },
    rank: { 0: { cores: 0.05, writtenBps: 250e3, readCharsBps: 250e3 } },
    more: { rxBps: 260e3 },
  });
  maker.wait(2400).say('Time spent downloading weights for acme/demo: 2400.58 seconds', 0);
  return end('slow-download', 'A download at 250 KB/s without a bar', finish(weights(maker, 8, 60)), [
    { from, state: 'slow', phase: 'weights' },
  ]);
}

/** Weights are repacked after the last shard: CPU at work, memory flat, nothing read, no line. */
function busyCpu(): TraceDraft {
  const maker = weights(start('sglang', 11), 16, 120);
  const from = maker.t;
  maker.flow({ all: { cores: 1, state: 'R' } }).wait(1500);
  return end('busy-cpu', 'GPU memory flat, nothing read, but the CPU works for 25 minutes', finish(maker), [
    { from, state: 'slow', phase: 'weights' },
  ]);
}

/** One rank compiles in its own process, the others spin at idle power meanwhile: slow, for that one works. */
function oneRankCompiles(): TraceDraft {
  const maker = start('vllm', 12);
  graphsBegin(cache(loaded(weights(maker, 16, 120))));
  const from = maker.t;
  maker.flow({
    all: { cores: 1.1, state: 'R' },
    gpu: { util: 100, powerW: 130 },
    gpus: { 2: { util: 0, powerW: 75 } },
  });
  maker.wait(1700).flow({ all: { cores: 1 }, gpu: { util: 40, powerW: 190 } });
  return end(
    'one-rank-compiles',
    'Three ranks spin while the fourth compiles by itself',
    graphs(maker, 20, 60),
    [{ from, state: 'slow', phase: 'graphs' }],
  );
}

/** vLLM's shm-broadcast warning each minute of a long compilation. */
function longWarnings(): TraceDraft {
  const maker = weights(start('vllm', 13), 16, 120);
  loaded(maker).say("Using cache directory: /root/.cache/vllm for vLLM's torch.compile", 0);
  const from = maker.t;
  maker.flow({ all: { cores: 2.5, state: 'R' }, gpu: { util: 0, powerW: 80 } });
  for (let minute = 0; minute < 14; minute += 1)
    maker
      .wait(60)
      .say(
        'No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging or doing some time-consuming work (e.g. compilation)',
      );
  maker.say('torch.compile takes 846.93 s in total', 0);
  return end(
    'warnings-while-compiling',
    'A warning of vLLM each minute of a long compilation',
    graphs(graphsBegin(cache(maker)), 20, 40),
    [{ from, state: 'slow', phase: 'compile' }],
  );
}

/** Pools of helpers, model inspection and compilers come and go all the time. */
function helpersComeAndGo(): TraceDraft {
  const maker = reading(start('vllm', 14), 300e6);
  const share = 75e6;
  const pool = Array.from({ length: 6 }, (_, each) => ({
    pid: 7000 + each,
    parent: 4711,
    name: 'python',
    command: 'python -c from multiprocessing.spawn import spawn_main --multiprocessing-fork',
    rssMiB: 450,
  }));
  for (let round = 1; round <= 12; round += 1) {
    const extra = round % 3 === 0 ? [] : pool.slice(0, 2 + (round % 5));
    maker.flow({ all: { cores: 0.4, readBps: share }, gpu: { usedMiBps: 70 }, extra });
    maker.wait(maker.about(30)).shards(round, 12);
  }
  return end('helpers-come-and-go', 'Helper processes end one by one in a sound start', finish(maker));
}

/** Of another user: CPU and memory can be read, bytes cannot; it reads from a slow disk all the same. */
function otherUser(): TraceDraft {
  const maker = start('sglang', 15);
  const from = maker.t;
  maker.flow({ all: { cores: 0.03, state: 'D', hidden: true }, noGpus: true, more: { gpus: 'absent' } });
  maker.wait(1500).shards(1, 1).wait(3);
  const readyAt = ready(loaded(maker));
  return made(
    'other-user',
    'Another user reads a shard for 25 minutes: no bytes can be seen, there is no GPU tool',
    maker,
    [
      { from: 0, state: 'loading' },
      { from, state: 'slow', phase: 'weights' },
      { from: readyAt, state: 'ready' },
    ],
    { readyAt },
  );
}

/** Six minutes between the last shard and the next line, nothing moves: within the normal of this phase. */
function afterTheLastShard(): TraceDraft {
  const maker = weights(start('vllm', 16), 16, 200);
  still(maker).wait(360);
  return end(
    'pause-after-shards',
    'Six still minutes after the last shard, within what is normal',
    finish(maker),
  );
}

/** Neither processes nor GPUs: only the log and time. */
function nothingReadable(): TraceDraft {
  const maker = new Maker('sglang', 4, 17);
  weights(joined(join(begin(maker))), 6, 2400);
  finish(maker);
  const readyAt = ready(maker);
  maker.entries.splice(0, maker.entries.length, ...maker.entries.filter(({ type }) => type === 'log'));
  return made(
    'nothing-readable',
    'No telemetry and no processes at all, a shard each seven minutes',
    maker,
    [
      { from: 0, state: 'loading' },
      { from: readyAt, state: 'ready' },
    ],
    { readyAt },
  );
}
