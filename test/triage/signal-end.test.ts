import { describe, expect, it } from 'vitest';
import { signalSamples } from '../../src/engines/shared/signal-failures.js';
import { judge, traceback } from '../support/judge-lines.js';

const start = '(APIServer pid=7) INFO 05-12 09:20:00 [api_server.py:1] vLLM API server version 0.19.0';
const alive = '(APIServer pid=7) INFO 05-12 09:21:00 [config.py:1] Resolved architecture: DemoForCausalLM';
const waits = Array.from({ length: 60 }, (_, index) => `waiting for the server: ${index} s`);

describe('a server that somebody’s signal ended', () => {
  it.each(signalSamples)('was ended: %s', (line) => {
    expect(judge(start, alive, line)).toMatchObject({
      outcome: 'crashed',
      rootCause: { line, lineNumber: 3, category: expect.stringMatching(/^(?:killed|terminated)$/) },
      remedies: [{ id: expect.any(String) }],
    });
  });

  it('was not ended by what it went on behind', () => {
    const survived = traceback('ImportError: no demo').map((line) => `(APIServer pid=7) ${line}`);
    expect(judge(start, ...survived, alive, 'Terminated').rootCause).toMatchObject({
      category: 'terminated',
    });
  });

  it('was not ended by what its launcher had said long before', () => {
    const launcher = [
      'run.sh: line 209: model.path:: command not found',
      '+ sglang serve',
      ...waits,
      'Terminated',
    ];
    expect(judge(...launcher)).toMatchObject({
      rootCause: { line: 'Terminated', lineNumber: 63 },
      consequences: [],
    });
  });

  it('died of its own, whatever its launcher did not find', () => {
    const log = [
      'run.sh: line 209: model.path:: command not found',
      '2026-06-08 03:45:49 [ERROR]     File "/opt/sglang/srt/layers/moe.py", line 1120, in run_moe_core',
      '2026-06-08 03:45:49 [ERROR]   AssertionError: Hidden size mismatch',
      '2026-06-08 03:45:49 [ERROR]   [2026-06-08 03:45:16] Received sigquit from a child process. It usually means the child failed.',
    ];
    expect(judge(...log)).toMatchObject({
      engine: 'sglang',
      outcome: 'crashed',
      rootCause: { lineNumber: 3 },
    });
  });

  it('was ended for a reason where one is told right before', () => {
    const oom =
      'Memory cgroup out of memory: Killed process 4711 (VLLM::EngineCor) total-vm:1kB, anon-rss:2kB';
    expect(judge(start, alive, oom, 'Killed').rootCause).toMatchObject({ category: 'host-memory' });
  });

  it('had crashed, where an exception was its last word', () => {
    const died = traceback('KeyError: 7').map((line) => `(APIServer pid=7) ${line}`);
    expect(judge(start, ...died, ...waits, 'Terminated').rootCause).toMatchObject({ exception: 'KeyError' });
  });
});

describe('a program that a signal of its own ended', () => {
  const loads = 'llama_model_loader: loaded meta data with 21 key-value pairs and 291 tensors from demo.gguf';

  it.each([
    ['Illegal instruction (core dumped)', 'illegal-instruction'],
    ['zsh: illegal hardware instruction  llama-server -m demo.gguf', 'illegal-instruction'],
    ['Bus error', 'bus-error'],
  ])('names that where nothing else is told: %s', (line, category) => {
    expect(judge(loads, line)).toMatchObject({ outcome: 'crashed', rootCause: { line, category } });
  });

  it('names what was said before it', () => {
    const said = 'libc++abi: terminating due to uncaught exception of type std::out_of_range: vector';
    expect(judge(loads, said, 'zsh: abort      llama-server -m demo.gguf').rootCause).toMatchObject({
      line: said,
    });
    const assertion = '/srv/ggml.c:77: GGML_ASSERT(x == y) failed';
    expect(judge(loads, assertion, 'Aborted (core dumped)').rootCause).toMatchObject({ line: assertion });
  });

  it('is not named by an exit status, nor by what every abort says', () => {
    expect(judge(loads, 'llama-1 exited with code 1').rootCause).toBeNull();
    expect(judge(loads, 'Aborted (core dumped)').rootCause).toBeNull();
  });
});
