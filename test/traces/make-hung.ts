import { Maker, rankPid, type TraceDraft } from './maker.js';
import {
  begin,
  cache,
  graphs,
  graphsBegin,
  join,
  joined,
  loaded,
  reading,
  spinning,
  still,
  weights,
} from './steps.js';

type Truth = TraceDraft['header']['truth'][number];

/** Launches that hang: STALLED has to come in time, and to go when life returns. */
export function hungTraces(): readonly TraceDraft[] {
  return [
    bootstrap('sglang'),
    bootstrap('vllm'),
    oneStopped(),
    allStopped(),
    stoppedAndGone(),
    afterTheShards('sglang'),
    afterTheShards('vllm'),
    spin('sglang'),
    spin('vllm'),
    lateShare(),
    deadRank('sglang', 'gone'),
    deadRank('vllm', 'gone'),
    deadRank('sglang', 'zombie'),
    wedgedParent(),
    deadByMemory(),
    unnamedRank(),
    warnings(),
    withoutGpus(),
    withoutAnything(),
    otherUser(),
    probedAllTheTime(),
    linkDownMeanwhile(),
    withdrawn(),
  ];
}

function made(
  name: string,
  title: string,
  maker: Maker,
  hung: Omit<Truth, 'from'>,
  from: number,
): TraceDraft {
  return {
    name,
    header: {
      title,
      engine: maker.engine,
      gpus: maker.ranks,
      endsAt: Math.round(maker.t),
      truth: [
        { from: 0, state: 'loading' },
        { from, ...hung },
      ],
    },
    entries: maker.entries,
  };
}

const start = (engine: 'sglang' | 'vllm', seed: number): Maker =>
  joined(join(begin(new Maker(engine, 4, seed))));

/** Three of four ranks come to the meeting point; the bootstrap never ends. */
function bootstrap(engine: 'sglang' | 'vllm'): TraceDraft {
  const maker = begin(new Maker(engine, 4, 31));
  const line = engine === 'sglang' ? 'Init torch distributed begin.' : 'vLLM is using nccl==2.27.3';
  maker.sayAll(line, [0, 1, 3]);
  const from = maker.t;
  maker.flow({ all: { cores: 1, state: 'R' }, rank: { 2: { cores: 0 } } }).wait(900);
  return made(
    `hung-bootstrap-${engine}`,
    'NCCL bootstrap: one rank never comes',
    maker,
    { state: 'stalled', phase: 'distributed' },
    from,
  );
}

function oneStopped(): TraceDraft {
  const maker = weights(start('sglang', 32), 10, 100);
  const from = maker.t;
  spinning(maker, 1, { state: 'T' }).wait(900);
  return made(
    'hung-one-stopped',
    'SIGSTOP for one rank, the others wait for it',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
}

function allStopped(): TraceDraft {
  const maker = weights(start('vllm', 33), 10, 100);
  const from = maker.t;
  maker.flow({ all: { cores: 0, state: 'T' }, main: { cores: 0, state: 'T' } }).wait(1200);
  return made(
    'hung-all-stopped',
    'SIGSTOP for all of them',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
}

/** A rank is stopped while the others load for five minutes more, each shard with its line. */
function stoppedAndGone(): TraceDraft {
  const maker = reading(start('sglang', 34), 200e6);
  maker.wait(30).shards(1, 20);
  const from = maker.t;
  maker.flow({
    all: { cores: 0.4, readBps: 50e6, state: 'D' },
    rank: { 3: { cores: 0, readBps: 0, state: 'T' } },
    gpu: { usedMiBps: 48 },
    gpus: { 3: { usedMiBps: 0 } },
  });
  for (let shard = 2; shard <= 20; shard += 1) maker.wait(15).shards(shard, 20);
  spinning(maker, 3, { state: 'T' }).wait(900);
  return made(
    'hung-stopped-while-others-load',
    'A rank is stopped while the others go on loading',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
}

function afterTheShards(engine: 'sglang' | 'vllm'): TraceDraft {
  const maker = weights(start(engine, 35), 16, 150);
  const from = maker.t;
  still(maker).wait(1300);
  return made(
    `hung-after-shards-${engine}`,
    'Nothing comes after 100 % of the shards',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
}

/** One rank sleeps, the others spin at the power of idle GPUs. */
function spin(engine: 'sglang' | 'vllm'): TraceDraft {
  const maker = start(engine, 36);
  graphsBegin(cache(loaded(weights(maker, 16, 120))));
  maker.wait(20).graphs(3, 20);
  const from = maker.t;
  spinning(maker, 2).wait(1900);
  return made(
    `hung-spin-${engine}`,
    'Three ranks spin for a fourth that sleeps',
    maker,
    { state: 'stalled', phase: 'graphs' },
    from,
  );
}

/** The share is gone: the ranks wait in state D for pages that never come. */
function lateShare(): TraceDraft {
  const maker = weights(start('sglang', 37), 6, 100, 60e6);
  const from = maker.t;
  maker.flow({ all: { cores: 0, state: 'D', wchan: 'nfs_wait_bit_killable' } }).wait(900);
  return made(
    'hung-share',
    'The network share is gone: all ranks in state D, no byte comes',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
}

/** A worker is killed; the others load on for a minute, then wait for ever. */
function deadRank(engine: 'sglang' | 'vllm', how: 'gone' | 'zombie'): TraceDraft {
  const maker = weights(start(engine, 38), 10, 100);
  const from = maker.t;
  const share = { all: { cores: 0.4, readBps: 50e6 }, gpu: { usedMiBps: 48 } };
  if (how === 'gone') maker.flow({ ...share, without: [3], gpus: { 3: { pid: null, usedMiB: 4 } } });
  else maker.flow({ ...share, rank: { 3: { state: 'Z', cores: 0, readBps: 0, rssMiB: 0 } } });
  for (let shard = 11; shard <= 14; shard += 1) maker.wait(20).shards(shard, 16);
  still(maker)
    .flow({ all: { cores: 1, state: 'R' }, gpu: { util: 100, powerW: 125 }, without: [3] })
    .wait(200);
  return made(
    `dead-rank-${engine}-${how}`,
    how === 'gone'
      ? 'A worker is gone under a launcher that waits'
      : 'A killed worker that its parent never asks for',
    maker,
    { state: 'dead-rank', phase: 'weights' },
    from,
  );
}

/** A rank dies between two lines, long after the last: the parent is wedged, and so are the other ranks. */
function wedgedParent(): TraceDraft {
  const maker = start('vllm', 39);
  graphsBegin(cache(loaded(weights(maker, 16, 120))));
  maker.wait(30).graphs(2, 20).wait(60);
  const from = maker.t;
  maker.flow({
    all: { cores: 1, state: 'R' },
    gpu: { util: 100, powerW: 130 },
    without: [0],
    gpus: { 0: { pid: null, usedMiB: 4 } },
  });
  maker.wait(400);
  return made(
    'dead-rank-wedged-parent',
    'The first rank dies while graphs are captured; its parent is wedged',
    maker,
    { state: 'dead-rank', phase: 'graphs' },
    from,
  );
}

function deadByMemory(): TraceDraft {
  const maker = weights(start('sglang', 40), 10, 100);
  maker.entry({ type: 'flow', oomKills: 2 }).wait(5);
  const from = maker.t;
  maker.flow({
    all: { cores: 0.4 },
    without: [1],
    more: {
      oomKills: 3,
      kernelLines: [`Out of memory: Killed process ${rankPid(1)} (sglang::schedul) total-vm:1kB`],
    },
  });
  maker.wait(300);
  return made(
    'dead-rank-out-of-memory',
    'The kernel kills a rank for memory',
    maker,
    { state: 'dead-rank', phase: 'weights' },
    from,
  );
}

/** Old versions do not name their processes: four alike under one parent. */
function unnamedRank(): TraceDraft {
  const maker = weights(start('sglang', 41), 10, 100);
  const name = 'python';
  const command =
    'python -c from multiprocessing.spawn import spawn_main(tracker_fd=5, pipe_handle=7) --multiprocessing-fork';
  const all = { name, command, rssMiB: 9000, cores: 0.2 };
  maker.entries.splice(0, maker.entries.length, ...maker.entries.filter(({ type }) => type === 'log'));
  const [t, truthAt] = [0, maker.t];
  maker.t = t;
  maker.flow({ all: { ...all, readBps: 50e6 }, noGpus: true, more: { gpus: 'absent' } });
  maker.t = truthAt;
  maker.flow({ all, without: [2], noGpus: true, more: { gpus: 'absent' } }).wait(300);
  return made(
    'dead-rank-unnamed',
    'A rank without a name of its own is gone; no GPU can be read',
    maker,
    { state: 'dead-rank', phase: 'weights' },
    truthAt,
  );
}

/** vLLM says three times that nobody takes its broadcast. */
function warnings(): TraceDraft {
  const maker = weights(start('vllm', 42), 10, 100);
  loaded(maker).wait(2);
  graphsBegin(maker).wait(10).graphs(1, 20);
  const from = maker.t;
  spinning(maker, 1);
  for (let minute = 0; minute < 8; minute += 1)
    maker
      .wait(60)
      .say(
        'No available shared memory broadcast block found in 60 seconds. This typically happens when some processes are hanging or doing some time-consuming work (e.g. compilation)',
      );
  return made(
    'hung-three-warnings',
    'The engine itself says three times that nothing goes on',
    maker,
    { state: 'stalled', phase: 'graphs', withinSeconds: 260 },
    from,
  );
}

function withoutGpus(): TraceDraft {
  const maker = new Maker('sglang', 4, 43);
  const gone = { noGpus: true, more: { gpus: 'absent' as const } };
  join(begin(maker));
  const from = maker.t;
  maker.flow({ all: { cores: 0.01 }, ...gone }).wait(900);
  return made(
    'hung-without-gpu-tool',
    'A bootstrap that hangs, on a host without a GPU tool',
    maker,
    { state: 'stalled', phase: 'distributed' },
    from,
  );
}

/** Neither processes nor GPUs: only time tells, and late. */
function withoutAnything(): TraceDraft {
  const maker = join(begin(new Maker('sglang', 4, 44)));
  maker.entries.splice(0, maker.entries.length, ...maker.entries.filter(({ type }) => type === 'log'));
  const from = maker.t;
  maker.wait(4200);
  return made(
    'hung-without-telemetry',
    'A bootstrap that hangs where nothing can be seen but the log',
    maker,
    { state: 'stalled', phase: 'distributed', limitSeconds: 3600 },
    from,
  );
}

/** Of another user: CPU time and state are for all to see, and none is used. */
function otherUser(): TraceDraft {
  const maker = weights(start('vllm', 45), 10, 100);
  const from = maker.t;
  maker.flow({ all: { cores: 0, hidden: true } }).wait(1300);
  return made(
    'hung-other-user',
    'Processes of another user, all asleep',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
}

/** The warm-up hangs, and the readiness path is asked all the time: its answers fill the log. */
function probedAllTheTime(): TraceDraft {
  const maker = start('sglang', 46);
  graphs(graphsBegin(cache(loaded(weights(maker, 16, 120)))), 20, 40);
  maker.log([
    maker.line('max_total_num_tokens=10240, chunked_prefill_size=8192, context_len=131072', 0),
    maker.line('INFO:     Started server process [4700]', null),
    maker.line('INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)', null),
    maker.line('INFO:     127.0.0.1:51288 - "GET /model_info HTTP/1.1" 200 OK', null),
  ]);
  const from = maker.t;
  spinning(maker, 0);
  for (let ask = 0; ask < 180; ask += 1)
    maker.wait(10).say(`INFO:     127.0.0.1:${40000 + ask} - "GET /health HTTP/1.1" 503 Service Unavailable`);
  return made(
    'hung-warmup-probed',
    'The warm-up hangs while health checks fill the log',
    maker,
    { state: 'stalled', phase: 'warmup' },
    from,
  );
}

/** The link is down for five minutes of the hang: that time does not count. */
function linkDownMeanwhile(): TraceDraft {
  const maker = join(begin(new Maker('sglang', 4, 47)));
  const from = maker.t;
  maker.flow({ all: { cores: 0.01 } }).wait(100);
  maker.entry({ type: 'link', link: { status: 'down' } }).wait(300);
  maker.entry({ type: 'link', link: { status: 'up' } }).wait(700);
  return made(
    'hung-link-down',
    'A bootstrap that hangs, with the link down for five minutes of it',
    maker,
    { state: 'stalled', phase: 'distributed', limitSeconds: 600 },
    from,
  );
}

/** A rank is stopped and goes on 15 minutes later: the verdict is withdrawn at once. */
function withdrawn(): TraceDraft {
  const maker = weights(start('sglang', 48), 10, 100);
  const from = maker.t;
  spinning(maker, 1, { state: 'T' }).wait(900);
  const back = maker.t;
  reading(maker, 400e6).wait(4).shards(11, 12).wait(30).shards(12, 12).wait(20);
  const draft = made(
    'hung-then-alive',
    'A stopped rank goes on: the verdict is withdrawn',
    maker,
    { state: 'stalled', phase: 'weights' },
    from,
  );
  const truth = [...draft.header.truth, { from: back, state: 'loading' as const, phase: 'weights' }];
  return { ...draft, header: { ...draft.header, truth } };
}
