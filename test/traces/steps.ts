import type { Maker } from './maker.js';

/** The steps of a start as both engines print them, for the traces to take and break. */

export function begin(maker: Maker): Maker {
  maker.flow({ all: { cores: 0.9, rssMiB: 400, rssMiBps: 20 }, main: { cores: 0.5 } });
  if (maker.engine === 'sglang')
    maker.say(`server_args=ServerArgs(model_path='/models/demo', tp_size=${maker.ranks}, port=30000)`);
  else
    maker
      .log([
        '(APIServer pid=4700) INFO 03-01 12:00:00 [api_server.py:1839] vLLM API server version 0.11.0',
        `(APIServer pid=4700) INFO 03-01 12:00:00 [utils.py:233] non-default args: {'model': '/models/demo', 'tensor_parallel_size': ${maker.ranks}}`,
      ])
      .wait(4)
      .say('Initializing a V1 LLM engine (v0.11.0) with config: model=/models/demo');
  return maker.wait(maker.about(12));
}

/** The ranks begin to join. */
export function join(maker: Maker): Maker {
  maker.flow({ all: { cores: 0.1 } });
  return maker.engine === 'sglang'
    ? maker.sayAll('Init torch distributed begin.')
    : maker.sayAll('vLLM is using nccl==2.27.3');
}

/** They have joined; the weights begin. */
export function joined(maker: Maker): Maker {
  maker.wait(maker.about(6));
  if (maker.engine === 'sglang') {
    maker.sayAll('Init torch distributed ends. mem usage=0.60 GB').wait(1);
    return maker.sayAll('Load weight begin. avail mem=78.43 GB');
  }
  maker.sayAll('rank 0 in world size 4 is assigned as DP rank 0, PP rank 0, TP rank 0').wait(1);
  return maker.sayAll('Starting to load model /models/demo...');
}

/** Reads `total` shards in `seconds` at an uneven rate, with a line for each. */
export function weights(maker: Maker, total: number, seconds: number, bps = 400e6): Maker {
  reading(maker, bps);
  const parts = Array.from({ length: total }, () => 0.4 + 1.2 * maker.roll());
  const sum = parts.reduce((all, each) => all + each, 0);
  parts.forEach((part, index) => {
    maker.wait((seconds * part) / sum).shards(index + 1, total);
  });
  return maker;
}

/** All ranks read at `bps` together and bring it to their GPUs. */
export function reading(maker: Maker, bps: number): Maker {
  const share = bps / maker.ranks;
  return maker.flow({
    all: { cores: 0.4, readBps: share, state: 'D' },
    gpu: { usedMiBps: share / 1048576 },
  });
}

export function loaded(maker: Maker): Maker {
  return maker.sayAll(
    maker.engine === 'sglang'
      ? 'Load weight end. type=DemoForCausalLM, dtype=torch.bfloat16, avail mem=14.34 GB'
      : 'Model loading took 60.4315 GiB and 200.825929 seconds',
  );
}

export function cache(maker: Maker): Maker {
  maker.flow({ all: { cores: 0.8 }, gpu: { usedMiBps: 1500 } }).wait(maker.about(5));
  maker.sayAll(
    maker.engine === 'sglang'
      ? 'KV Cache is allocated. #tokens: 10240, K size: 0.47 GB, V size: 0.47 GB'
      : 'Available KV cache memory: 11.20 GiB',
  );
  if (maker.engine === 'sglang') maker.sayAll('Memory pool end. avail mem=22.59 GB');
  return maker.wait(1);
}

export function graphsBegin(maker: Maker): Maker {
  maker.flow({ all: { cores: 1 }, gpu: { util: 40, powerW: 190 } });
  return maker.sayAll(
    maker.engine === 'sglang'
      ? 'Capture cuda graph begin. This can take up to several minutes. avail mem=21.96 GB'
      : 'Capturing the model for CUDA graphs. This may lead to unexpected consequences',
  );
}

export function graphs(maker: Maker, total: number, seconds: number): Maker {
  const parts = Array.from({ length: total }, () => 0.4 + 1.2 * maker.roll());
  const sum = parts.reduce((all, each) => all + each, 0);
  parts.forEach((part, index) => {
    maker.wait((seconds * part) / sum).graphs(index + 1, total);
  });
  return maker.sayAll(
    maker.engine === 'sglang'
      ? 'Capture cuda graph end. Time elapsed: 9.40 s. avail mem=18.57 GB. mem usage=3.38 GB.'
      : 'Graph capturing finished in 18 secs, took 0.45 GiB',
  );
}

/** The HTTP server starts and the engine says that it is ready; returns when that was. */
export function ready(maker: Maker): number {
  maker.flow({ all: { cores: 0.3 } }).wait(2);
  if (maker.engine === 'sglang')
    maker
      .log([
        maker.line('max_total_num_tokens=10240, chunked_prefill_size=8192, context_len=131072', 0),
        maker.line('INFO:     Started server process [4700]', null),
        maker.line('INFO:     Uvicorn running on http://127.0.0.1:30000 (Press CTRL+C to quit)', null),
      ])
      .wait(maker.about(6))
      .say('The server is fired up and ready to roll!');
  else
    maker
      .say('init engine (profile, create kv cache, warmup model) took 32.1 seconds')
      .wait(maker.about(4))
      .log(['(APIServer pid=4700) INFO:     Application startup complete.']);
  return maker.t;
}

/** Everything stands: no reads, no CPU, no change on the GPUs. */
export const still = (maker: Maker): Maker => maker.flow({ all: { cores: 0.01 } });

/** All ranks but `rank` wait for it in a collective: full utilisation at idle power, a core each in a loop. */
export function spinning(maker: Maker, rank: number, change: object = {}): Maker {
  return maker.flow({
    all: { cores: 1.1, state: 'R' },
    rank: { [rank]: { cores: 0, state: 'S', ...change } },
    gpu: { util: 100, powerW: 128 },
    gpus: { [rank]: { util: 0, powerW: 75 } },
  });
}
