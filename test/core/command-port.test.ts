import { describe, expect, it } from 'vitest';
import { commandPort } from '../../src/core/command-port.js';
import type { ProcessFact } from '../../src/core/process-fact.js';
import { wantedProbes } from '../../src/core/wanted.js';
import { Story } from './fold.js';

type Alive = Extract<ProcessFact, { status: 'alive' }>;

/** A tree of `[pid, parent, command]`, the first being its root. */
function tree(...members: readonly (readonly [number, number, string])[]): Alive {
  const [[pid, , command] = [1, 0, '']] = members;
  return {
    status: 'alive',
    pid,
    startTicks: '1',
    startedAt: null,
    command,
    user: 'ml',
    foundBy: 'pid',
    tree: members.map(([pid, parent, command]) => ({ pid, parent, command, startTicks: '1' })),
  };
}

const vllm = '/venv/bin/python3 /venv/bin/vllm serve org/model';

describe('the port on the command line of a server', () => {
  it.each([
    [`${vllm} --port 8001 --tp 2`, 8001],
    [`${vllm} --port=8001`, 8001],
    [`${vllm} --port 8000 --port 8001`, 8001],
    [vllm, null],
    [`${vllm} --port 80000`, null],
    [`${vllm} --port $PORT`, null],
    ['python -m sglang.launch_server --model-path /m --port 30000', 30_000],
    ['python3 -m vllm.entrypoints.openai.api_server --model /m --port 9', 9],
    ['text-generation-launcher --model-id org/model -p 3001', 3001],
    ['lmdeploy serve api_server org/model --server-port 23334', 23_334],
    ['numactl --interleave=all vllm serve /m --port 8001', 8001],
  ])('%s', (command, port) => {
    expect(commandPort(tree([7, 1, command]))?.port).toBe(port);
  });

  it.each([
    ['python train.py --port 8001'],
    ['node server.mjs --port 8001'],
    ['bash -lc vllm serve /m --port 8001 & python proxy.py'],
  ])('is not taken from what is no engine: %s', (command) => {
    expect(commandPort(tree([7, 1, command]))).toBeNull();
  });

  it('is that of the engine nearest to the root, if only one is', () => {
    const shell = [7, 1, 'bash -lc vllm serve /a --port 1 & vllm serve /b --port 2'] as const;
    const [one, two] = [`${vllm} --port 8001`, `${vllm} --port 8002`];
    expect(commandPort(tree(shell, [8, 7, one], [9, 8, two]))?.port).toBe(8001);
    expect(commandPort(tree(shell, [8, 7, one], [9, 7, two]))).toBeNull();
    expect(commandPort(tree(shell, [8, 7, one], [9, 7, one]))?.port).toBe(8001);
    // Its own, whichever that is, and not that of what it has started.
    expect(commandPort(tree([7, 1, vllm], [8, 7, one]))?.port).toBeNull();
    // An orphan that belongs to it.
    expect(commandPort(tree([7, 1, 'sleep 1'], [8, 1, one]))?.port).toBe(8001);
  });

  it('is asked on the path of that engine, until the log names one', () => {
    const sglang = 'python -m sglang.launch_server --model-path /m --port 30001';
    const story = new Story({ log: '/logs/server.log' }).emptyLog();
    expect(wantedProbes(story.state).health).toBeNull();
    story.process(tree([7, 1, sglang]));
    expect(wantedProbes(story.state).health).toEqual({
      port: 30_001,
      // Before 0.5.1 its `/health` says 200 too early.
      path: '/health_generate',
      source: 'command',
    });
    story.write('INFO:     Uvicorn running on http://127.0.0.1:30002 (Press CTRL+C to quit)');
    expect(wantedProbes(story.state).health).toMatchObject({ port: 30_002, source: 'log' });
  });

  it('makes it READY by 5 s of answers of its own, and by no stranger', () => {
    const at = { port: 8001, source: 'command' } as const;
    const story = (): Story =>
      new Story({ log: '/logs/server.log' }).emptyLog().process(tree([7, 1, `${vllm} --port 8001`]));
    for (const owned of [false, null]) {
      const foreign = story().answer(200, owned, at).later(30).answer(200, owned, at).later(30);
      expect(foreign.outcome).toBe('loading');
    }
    const own = story().answer(200, true, at).later(4).answer(200, true, at);
    expect(own.outcome).toBe('loading');
    expect(own.later(2).answer(200, true, at).outcome).toBe('ready');
    expect(story().answer(503, true, at).later(30).answer(503, true, at).outcome).toBe('loading');
  });
});
