import { describe, expect, it } from 'vitest';
import { commandLines } from '../../src/engines/command-lines.js';
import { numberFlag, planLaunch } from '../../src/preflight/plan.js';
import { portOf } from '../../src/preflight/rules/port.js';
import { readShellLine } from '../../src/preflight/shell-line.js';

const plan = (command: readonly string[], env: Record<string, string> = {}) =>
  planLaunch({ command, shell: false, env, cleanEnv: false, cwd: null, log: null });

const words = (line: string): readonly string[] => line.split(' ');

describe('what a command line says', () => {
  it.each(
    commandLines.flatMap(({ engine, starts }) =>
      starts.flatMap(({ samples }) => samples.map((line) => [engine, line])),
    ),
  )('%s: %s', (engine = '', line = '') => {
    expect(plan([...words(line), '--']).engine?.engine).toBe(engine);
  });

  it.each([
    ['python3 -m sglang.launch_server --tp 8', 8],
    ['python3 -m sglang.launch_server --tp-size=8', 8],
    ['python -u -m sglang.launch_server --tensor-parallel-size 4', 4],
    ['sglang serve --tensor-parallel 2', 2],
    ['env CUDA_VISIBLE_DEVICES=0,1 numactl --interleave=all python3 -m sglang.launch_server --tp 2', 2],
    ['sglang serve --model-path /m', 1],
    ['vllm serve org/model -tp 8', 8],
    ['vllm serve org/model -tp=8', 8],
    ['vllm serve org/model --tensor_parallel_size 8', 8],
    ['vllm serve org/model --tensor-parallel-size=4 --tensor-parallel-size 8', 8],
    ['python -m vllm.entrypoints.openai.api_server --model /m --tensor-parallel-size two', null],
    ['vllm serve --config file.yaml', null],
  ])('%s takes tp %s', (line, tp) => {
    expect(numberFlag(plan(words(line)), 'tensorParallel', 1)).toBe(tp);
  });

  it.each([
    ['sglang serve --model-path /m', 30000],
    ['sglang serve --port 31000', 31000],
    ['vllm serve /m', 8000],
    ['sglang serve --nnodes 2 --node-rank 1', null],
    ['node server.mjs --port 1', null],
  ])('%s listens on %s', (line, port) => {
    expect(portOf(plan(words(line)), null)).toBe(port);
  });

  it('takes a word with = in front for a program where there is no shell', () => {
    expect(plan(['A=1', 'python', 'x.py']).program).toBe('A=1');
    expect(plan(['A=1 python x.py']).program).toBe('python');
  });
});

describe('a line for a shell', () => {
  it('is read through activation, cd and variables', () => {
    const read = plan([
      'cd /srv && source venv/bin/activate && export A=1 && B=2 python -m sglang.launch_server --tp 8',
    ]);
    expect(read).toMatchObject({ cwd: '/srv', venv: 'venv', program: 'python', isUncertain: false });
    expect(read.env).toMatchObject({ A: '1', B: '2' });
    expect(numberFlag(read, 'tensorParallel', 1)).toBe(8);
  });

  it.each([
    'conda activate x && sglang serve --tp 8',
    'module load cuda; sglang serve --tp 8',
    'source /etc/profile && sglang serve --tp 8',
    './setup.sh || sglang serve --tp 8',
  ])('is uncertain with what may change everything: %s', (line) => {
    expect(plan([line])).toMatchObject({ isUncertain: true, engine: { engine: 'sglang' } });
  });

  it.each([
    'if true; then sglang serve; fi',
    'for i in 1 2; do sglang serve; done',
    '( sglang serve )',
    'f() { sglang serve; }',
    'sglang serve <<END\nx\nEND',
    'eval "sglang serve"',
  ])('is left alone: %s', (line) => {
    expect(plan([line])).toMatchObject({ program: null, isUncertain: true, engine: null });
  });

  it('keeps what only the shell knows unknown', () => {
    const read = plan(['sglang serve --model-path $MODEL --tp "$N" --port 30001 2>&1 | tee "a b.log"']);
    expect(read.flags.get('model')).toBe(null);
    expect(numberFlag(read, 'tensorParallel', 1)).toBe(null);
    expect(portOf(read, null)).toBe(30001);
  });

  it('has quotes, redirections and comments taken off', () => {
    expect(readShellLine(`a 'b c' "d\\"e" f\\ g >out 2>&1 # x\n h`)).toEqual([
      { words: ['a', 'b c', 'd"e', 'f g'], joinedBy: '' },
      { words: ['h'], joinedBy: ';' },
    ]);
  });

  it('takes linear time over hostile lines', () => {
    const started = performance.now();
    for (const part of ['"$(', "'", '`', '$((', '{a,', '\\', '"', '$', '<<'])
      readShellLine(part.repeat(20_000));
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
