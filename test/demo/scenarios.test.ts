import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { findDemoProcesses } from '../../src/demo/demo-processes.js';
import { until } from '../support/until.js';
import { type DemoBox, openDemo, quote } from './demo-box.js';

const readyLine = 'The server is fired up and ready to roll!';
const ranks = Array.from({ length: 8 }, (_, index) => `TP${index}`);

let box: DemoBox;
afterEach(async () => {
  await box?.close();
  expect(existsSync(box.world.folder)).toBe(false);
  expect(findDemoProcesses(box.world.folder)).toEqual([]);
});

describe('ready', () => {
  it('goes through the phases of SGLang 0.5.9, the draft after the target', async () => {
    box = await openDemo('ready');
    const engine = box.engine();
    await engine.says(readyLine);
    const output = engine.output();
    inOrder(output, [
      "server_args=ServerArgs(model_path='",
      'TP0] Init torch distributed begin.',
      'TP0] Init torch distributed ends. elapsed=',
      'TP0] Load weight begin. avail mem=',
      'Loading safetensors checkpoint shards:   0% Completed | 0/64 [00:00<?, ?it/s]\n',
      'Loading safetensors checkpoint shards:  50% Completed | 32/64 [',
      'Loading safetensors checkpoint shards: 100% Completed | 64/64 [',
      'TP0] Load weight end. elapsed=',
      'TP0] KV Cache is allocated. #tokens: ',
      'TP0] Memory pool end. avail mem=',
      'TP0] Capture cuda graph begin. This can take up to several minutes. avail mem=',
      'TP0] Capture cuda graph bs [1, 2, 4, 8, ',
      '\rCapturing batches (bs=160 avail_mem=',
      '100%|██████████| 23/23 [',
      'TP0] Capture cuda graph end. Time elapsed: ',
      'TP0] Load weight begin. avail mem=',
      'Loading safetensors checkpoint shards: 100% Completed | 1/1 [',
      'type=LlamaForCausalLMEagle3, dtype=torch.bfloat16',
      'TP0] Capture draft cuda graph begin.',
      'TP0] Capture draft cuda graph end.',
      'TP0] Capture draft extend cuda graph begin.',
      'TP0] Capture draft extend cuda graph end.',
      'TP0] max_total_num_tokens=',
      'INFO:     Started server process [',
      'INFO:     Uvicorn running on http://127.0.0.1:',
      'TP0] Prefill batch, #new-seq: 1',
      readyLine,
    ]);
    // Access lines go to the other output, which comes on a way of its own.
    expect(output).toContain('GET /model_info HTTP/1.1" 200 OK');
    expect(output).toContain('POST /generate HTTP/1.1" 200 OK');
    for (const rank of ranks) expect(output.split(`${rank}] Load weight begin.`)).toHaveLength(3);
    expect(output).not.toMatch(/Error|Traceback/);
  });

  it('refuses connections while it loads, answers 503 while it warms up, then 200', async () => {
    box = await openDemo('ready', 4);
    const engine = box.engine();
    await engine.says('Load weight begin');
    const told: string[] = [];
    await until(async () => {
      const answer = await box.get('/health').catch(() => null);
      const words = answer === null ? 'refused' : `${answer.code} ${answer.body}`;
      if (told.at(-1) !== words) told.push(words);
      return answer?.code === 200;
    }, 'it answers 200');
    expect(told).toEqual(['refused', '503 ', '200 ']);
    await engine.says(readyLine);
    expect(JSON.parse((await box.get('/v1/models')).body)).toMatchObject({ data: [{ id: 'demo-vl' }] });
    expect((await box.get('/model_info')).body).toContain('/models/demo-vl');
    expect((await box.get('/nothing')).code).toBe(404);
  });

  it('fills the GPUs while it loads and frees them when it is killed', async () => {
    box = await openDemo('ready');
    const used = async (): Promise<number[]> => {
      const { output } = await box.exec('nvidia-smi --query-gpu=memory.used --format=csv,noheader,nounits');
      return output.trim().split('\n').map(Number);
    };
    expect(Math.max(...(await used()))).toBeLessThan(100);
    const engine = box.engine();
    await engine.says(readyLine);
    await until(async () => Math.min(...(await used())) > 120_000, 'every GPU is filled');
    const apps = await box.exec(
      'nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader,nounits',
    );
    expect(apps.output.trim().split('\n')).toHaveLength(8);
    engine.signal('KILL');
    expect(await engine.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    await until(async () => Math.max(...(await used())) < 100, 'the GPUs are empty again');
  });

  it('reads the shards in every scheduler process, visible in /proc', async () => {
    box = await openDemo('ready');
    const engine = box.engine();
    await engine.says('TP0] Load weight end');
    const apps = await box.exec('nvidia-smi --query-compute-apps=pid --format=csv,noheader');
    for (const pid of apps.output.trim().split('\n')) {
      const { output } = await box.exec(`cat /proc/${pid}/cmdline /proc/${pid}/io`);
      expect(output).toMatch(/sglang::scheduler_TP\d/);
      expect(Number(/rchar: (\d+)/.exec(output)?.[1])).toBeGreaterThan(25_000_000);
    }
  });

  it('drains and stops on SIGTERM when it serves, and dies without a word before', async () => {
    box = await openDemo('ready');
    const first = box.engine();
    await first.says('Load weight begin');
    first.signal('TERM');
    expect(await first.ended).toMatchObject({ signal: 'SIGTERM' });
    expect(first.output()).not.toContain('SIGTERM');
    const second = box.engine();
    await second.says(readyLine);
    const one = 'nvidia-smi --query-compute-apps=pid --format=csv,noheader | head -n 1';
    await until(async () => (await box.exec(one)).output !== '', 'a GPU shows a process');
    expect(await box.exec(`kill -TERM "$(awk '{print $4}' "/proc/$(${one})/stat")"`)).toMatchObject({
      code: 0,
    });
    const ended = await second.ended;
    expect(ended.signal).toBe('SIGKILL');
    inOrder(ended.output, [
      readyLine,
      'SIGTERM received. signum=15',
      'Gracefully exiting... Remaining number of requests 0',
    ]);
  });
});

describe('missing-method', () => {
  it('raises in the graph runner on every rank and is killed; the patch cures it, but only with the cache cleared', async () => {
    box = await openDemo('missing-method');
    const crashed = await box.engine().ended;
    expect(crashed.signal).toBe('SIGKILL');
    inOrder(crashed.output, [
      'TP0] Load weight end. ',
      'TP0] Capture cuda graph bs [',
      'Scheduler hit an exception: Traceback (most recent call last):',
      '/sglang/srt/model_executor/cuda_graph_runner.py", line 523, in __init__',
      "\nAttributeError: 'DemoVLForConditionalGeneration' object has no attribute 'set_eagle3_layers_to_capture'\n",
    ]);
    expect(crashed.output).toContain(
      'Received sigquit from a child process. It usually means the child failed.',
    );
    for (const rank of ranks) expect(crashed.output).toContain(`${rank}] Scheduler hit an exception`);

    const withoutCache = box.world.before.map((command) => command.replace(/ && rm -rf __pycache__$/, ''));
    expect(withoutCache).not.toEqual(box.world.before);
    for (const command of withoutCache) expect(await box.exec(command)).toMatchObject({ code: 0 });
    expect((await box.engine().ended).output).toContain('AttributeError: ');

    for (const command of box.world.before) expect(await box.exec(command)).toMatchObject({ code: 0 });
    await box.engine().says(readyLine);
  });
});

describe('context-length', () => {
  it('fails in the draft worker after the target is captured; the variable cures it, a second try does not', async () => {
    box = await openDemo('context-length');
    for (let attempt = 0; attempt < 2; attempt++) {
      const crashed = await box.engine().ended;
      expect(crashed.signal).toBe('SIGKILL');
      inOrder(crashed.output, [
        'TP0] Capture cuda graph end. ',
        'Scheduler hit an exception: Traceback',
        'speculative/eagle_worker.py',
        "\nValueError: Warning: Target model's context_length (262144) is greater than the derived context_length (131072). ",
        'set the env var SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN=1\n',
      ]);
      expect(crashed.output.split('Load weight begin')).toHaveLength(9);
    }
    const cured = box.engine({ env: box.world.relaunch.env });
    await cured.says(readyLine);
    inOrder(cured.output(), [
      "Warning: Target model's context_length (262144)",
      "Overriding the draft model's max_position_embeddings to 262144.",
      readyLine,
    ]);
  });

  it('is cured as well by a shorter --context-length, since both configs are really read', async () => {
    box = await openDemo('context-length');
    await box.engine({ args: [...box.world.command.slice(2), '--context-length', '131072'] }).says(readyLine);
  });
});

describe('oom', () => {
  it('runs out on the shared card only, the other ranks lose their peer; a smaller fraction cures it', async () => {
    box = await openDemo('oom');
    const crashed = await box.engine().ended;
    const causes = [...crashed.output.matchAll(/^torch\.OutOfMemoryError: CUDA out of memory.*$/gm)];
    expect(causes).toHaveLength(1);
    expect(causes[0]?.[0]).toMatch(
      /GPU 3 has a total capacity of 140\.40 GiB .* Process 4190017 has 11\.50 GiB memory in use/,
    );
    inOrder(crashed.output, [
      'TP3] Scheduler hit an exception',
      'torch.OutOfMemoryError: ',
      'During handling of the above exception, another exception occurred:',
      'Exception: Capture cuda graph failed: CUDA out of memory',
    ]);
    expect(crashed.output).toMatch(/^RuntimeError: .*Connection closed by peer/m);
    await box.engine({ args: box.world.relaunch.args }).says(readyLine);
  });

  it.each([[['--cuda-graph-max-bs', '16']], [['--disable-cuda-graph']]])(
    'is cured as well by %j, as the graphs are where the memory went',
    async (change) => {
      box = await openDemo('oom');
      await box.engine({ args: [...box.world.command.slice(2), ...change] }).says(readyLine);
    },
  );

  it('stays with a fraction that is only a little smaller', async () => {
    box = await openDemo('oom');
    const args = [...box.world.command.slice(2), '--mem-fraction-static', '0.965'];
    expect((await box.engine({ args }).ended).output).toContain('torch.OutOfMemoryError: ');
  });
});

describe('stall', () => {
  it('goes silent after the ranks have begun to join, with nothing moving, until the lock is gone', async () => {
    box = await openDemo('stall');
    const engine = box.engine();
    await until(
      () => ranks.every((rank) => engine.output().includes(`${rank}] Init torch distributed begin.`)),
      'all ranks have begun to join',
    );
    const state = async (): Promise<string> =>
      (await box.exec('nvidia-smi --query-gpu=memory.used,utilization.gpu,power.draw --format=csv')).output;
    await until(
      async () => (await state()).split('\n594').length === 9 || (await state()).split('\n598').length === 9,
      'the GPUs idle',
    );
    const [output, gpus] = [engine.output(), await state()];
    // Forty times what the join takes at this speed.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect([engine.output(), await state()]).toEqual([output, gpus]);
    for (const command of box.world.before) await box.exec(command);
    await engine.says(readyLine);
  });
});

describe('silent-death', () => {
  it('is killed while the weights load, with no line; without the flag it gets ready', async () => {
    box = await openDemo('silent-death');
    const killed = await box.engine().ended;
    expect(killed.signal).toBe('SIGKILL');
    expect(killed.output).toMatch(/ 48% Completed \| 31\/64 \[[^\n]*\n$/);
    expect(killed.output).not.toMatch(/Error|sigquit|exception|Killed/);
    await box.engine({ args: box.world.relaunch.args }).says(readyLine);
  });
});

describe('late-log', () => {
  it('makes the log file three seconds of wall time after the watch has begun, however fast the demo', async () => {
    box = await openDemo('late-log', 100);
    const log = box.world.watchLog ?? '';
    const engine = box.engine();
    const { output } = await box.exec(`sleep 1; ls ${quote(log)}`);
    expect(output).toContain('No such file');
    const begin = performance.now();
    await box.world.watchBegan();
    await until(() => existsSync(log), 'the log is there');
    expect(performance.now() - begin).toBeGreaterThan(3000);
    await until(
      async () => (await box.exec(`cat ${quote(log)}`)).output.includes(readyLine),
      'the log says that it is ready',
    );
    engine.signal('KILL');
    await engine.ended;
  });
});

describe('story', () => {
  it('takes three attempts, each of which gets further because a cause is gone', async () => {
    box = await openDemo('story');
    expect((await box.engine().ended).output).toContain('AttributeError: ');
    for (const command of box.world.before) await box.exec(command);
    expect((await box.engine().ended).output).toContain('ValueError: ');
    await box.engine({ env: box.world.relaunch.env }).says(readyLine);
  });
});

describe('the engine as a program', () => {
  it('refuses what it does not know, like argparse', async () => {
    box = await openDemo('ready');
    const ended = await box.engine({ args: ['--model-path', 'x', '--no-such-flag'] }).ended;
    expect(ended).toMatchObject({ code: 2 });
    expect(ended.output).toContain('launch_server.py: error: unrecognized arguments: --no-such-flag');
  });

  it('ends with status 1 and a plain traceback when there is no such model', async () => {
    box = await openDemo('ready');
    const ended = await box.engine({ args: ['--model-path', '/nowhere/model'] }).ended;
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.output).toMatch(
      /^Traceback \(most recent call last\):\n[\s\S]*\nOSError: \/nowhere\/model is not a local folder/,
    );
  });

  it('ends with status 1 when its port is taken', async () => {
    box = await openDemo('ready');
    const first = box.engine();
    await first.says(readyLine);
    const second = await box.engine().ended;
    expect(second).toMatchObject({ code: 1 });
    expect(second.output).toContain('[Errno 98]');
  });

  it('reports a scheduler that is killed from outside', async () => {
    box = await openDemo('ready', 5);
    const engine = box.engine();
    await engine.says('Load weight begin');
    await until(
      async () => (await box.exec('nvidia-smi --query-compute-apps=pid --format=csv,noheader')).output !== '',
      'a GPU shows a process',
    );
    await box.exec('kill -KILL $(nvidia-smi --query-compute-apps=pid --format=csv,noheader | head -n 1)');
    const ended = await engine.ended;
    expect(ended).toMatchObject({ code: 1 });
    inOrder(ended.output, [
      'scheduler is dead. Please check if there are relevant logs.',
      'Exit code: -9',
      'EOFError',
    ]);
  });
});

function inOrder(text: string, parts: readonly string[]): void {
  let at = 0;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0)
      throw new Error(
        `${JSON.stringify(part)} is not where it should be; the text after the last match:\n${text.slice(at, at + 1500)}`,
      );
    at = found + part.length;
  }
}
