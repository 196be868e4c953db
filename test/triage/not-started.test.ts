import { describe, expect, it } from 'vitest';
import { readAll } from '../../src/triage/reading.js';
import { linesOf } from '../support/case-files.js';

const reportOf = (...lines: readonly string[]) => readAll(linesOf(`${lines.join('\n')}\n`)).report();

describe('a program that was never started', () => {
  it.each([
    ['sh: 1: exec: sglang: not found', 'command-not-found'],
    ['/bin/sh: 3: vllm: not found', 'command-not-found'],
    ['sh: sglang: not found', 'command-not-found'],
    ['zsh: command not found: vllm', 'command-not-found'],
    ['env: ‘sglang’: No such file or directory', 'command-not-found'],
    ["nohup: failed to run command 'sglang': No such file or directory", 'command-not-found'],
    ['timeout: failed to run command ‘vllm’: No such file or directory', 'command-not-found'],
    ["python3: can't open file '/srv/serve.py': [Errno 2] No such file or directory", 'command-not-found'],
    ['/opt/venv/bin/python: No module named vllm', 'command-not-found'],
    ['bash: line 1: ./serve.sh: Permission denied', 'not-executable'],
    ['sh: 1: /mnt/serve.sh: Permission denied', 'not-executable'],
    ['vllm: error: argument --tensor-parallel-size: expected one argument', 'bad-arguments'],
    ['serve.py: error: the following arguments are required: --model-path', 'bad-arguments'],
  ])('%s', (line, category) => {
    const report = reportOf('starting the server', line);
    expect([report.outcome, report.rootCause?.category]).toEqual(['crashed', category]);
    expect(report.remedies.length).toBeGreaterThan(0);
  });

  it.each([
    ['sh: 1: nvidia-smi: not found'],
    ['bash: line 4: conda: command not found'],
    ['/etc/profile.d/modules.sh: line 3: /usr/share/modules/init: Permission denied'],
    ["env: 'git': No such file or directory"],
  ])('unless the server speaks after it: %s', (line) => {
    const begun = "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1)";
    const report = reportOf(line, begun, '[2026-03-01 12:00:01 TP0] Load weight begin. avail mem=100.00 GB');
    expect([report.outcome, report.rootCause]).toEqual(['loading', null]);
  });

  it('unless a script goes on without it; a program of the server’s own is missed all the same', () => {
    const goesOn = Array.from({ length: 40 }, (_, i) => `+ cp run-${i}.yaml /srv/jobs`);
    const words = 'submitting a job for vllm serve';
    const foreign = 'runners/submit.sh: line 209: model.path:: command not found';
    expect(reportOf(words, foreign, ...goesOn)).toMatchObject({ outcome: 'loading', rootCause: null });
    expect(reportOf(words, foreign).outcome).toBe('crashed');
    for (const line of [
      'serve.sh: line 9: vllm: command not found',
      'sh: 1: exec: /opt/venv/bin/sglang: not found',
      "nohup: failed to run command 'python3': No such file or directory",
      '/opt/venv/bin/python: No module named vllm',
    ])
      expect(reportOf(words, line, ...goesOn).outcome, line).toBe('crashed');
  });

  it('blames a compiler that is missing in the middle of a launch on the toolchain', () => {
    const begun = "[2026-03-01 12:00:00] server_args=ServerArgs(model_path='/models/demo', tp_size=1)";
    const reading = readAll(linesOf(`${begun}\n/bin/sh: 1: nvcc: not found\n`));
    // Of itself it is no end; where the process has gone, it is why.
    expect(reading.report()).toMatchObject({ outcome: 'loading', rootCause: null });
    expect(reading.report({ outcome: 'crashed' }).rootCause?.category).toBe('jit-toolchain-missing');
  });
});
