import { describe, expect, it } from 'vitest';
import { readAll } from '../../src/triage/reading.js';
import { linesOf } from '../support/case-files.js';

const at = '[2026-03-01 12:00:00]';
const begun = `${at} server_args=ServerArgs(model_path='/models/demo', port=30000, tp_size=1)`;
const goesOn = `[2026-03-01 12:00:01 TP0] Load weight begin. avail mem=100.00 GB`;

const outcomeOf = (...lines: readonly string[]) => {
  const reading = readAll(linesOf(`${lines.join('\n')}\n`));
  const { ready, death } = reading.findings();
  return [ready === null, death === null, reading.report().outcome];
};

describe('what is quoted decides nothing', () => {
  it.each([
    ["+ grep -q 'The server is fired up and ready to roll!' /logs/server.log"],
    ['++ echo The server is fired up and ready to roll!'],
    [`${at} server_args=ServerArgs(served_model_name="The server is fired up and ready to roll!")`],
    [`${at} Receive: obj=GenerateReqInput(text='say: The server is fired up and ready to roll!')`],
    ["+ echo 'Received sigquit from a child process. It usually means the child failed.'"],
    [`${at} Ignore import error when loading sglang.srt.models.demo: Scheduler hit an exception: no module`],
    [`${at} unknown option 'Scheduler hit an exception: x', going on`],
  ])('%s', (line) => {
    expect(outcomeOf(begun, line, goesOn)).toEqual([true, true, 'loading']);
  });

  it.each([
    ["cannot import name 'EngineDeadError' from 'vllm.v1.engine.exceptions', going on without it"],
    ["Initializing a V1 LLM engine (v0.11.0) with config: served_model_name=['EngineDeadError-7B']"],
  ])('vLLM: %s', (text) => {
    const stamp = 'INFO 03-01 12:00:00';
    const start = `${stamp} [api_server.py:1] vLLM API server version 0.11.0`;
    const more = `${stamp} [gpu_model_runner.py:1] Starting to load model demo...`;
    expect(outcomeOf(start, `${stamp} [core.py:58] ${text}`, more)).toEqual([true, true, 'loading']);
  });

  it('nor what stands in a long request, or between escaped marks in one', () => {
    const start = ['build: 5662 (fb85a288) with cc', 'main: loading model', 'main: model loaded'];
    const listens = 'main: server is listening on http://127.0.0.1:8080 - starting the main loop';
    const request = (content: string): string =>
      `srv  log_server_r: request: ${JSON.stringify({ messages: [{ role: 'user', content }] })}`;
    const said = 'what does "CUDA error: out of memory" and \\ mean?';
    const long = `${'word '.repeat(900)}CUDA error: out of memory`;
    const asked = [request(said), request(long), request(JSON.stringify({ said }))];
    expect(outcomeOf(...start, listens, ...asked)).toEqual([false, true, 'ready']);
    expect(outcomeOf(...start, listens, ...asked, 'CUDA error: out of memory')[1]).toBe(false);
  });

  it('but what the engine says itself does, with an apostrophe before it', () => {
    expect(
      outcomeOf(begun, `${at} it's done: bar 100%`, `${at} The server is fired up and ready to roll!`)[2],
    ).toBe('ready');
  });
});

describe("the warm-up's own request", () => {
  const answered = `${at} INFO:     127.0.0.1:4242 - "POST /generate HTTP/1.1" 200 OK`;

  it('is not READY yet, where the head of the log is there', () => {
    expect(outcomeOf(begun, goesOn, answered)).toEqual([true, true, 'loading']);
    expect(outcomeOf(begun, goesOn, answered, `${at} The server is fired up and ready to roll!`)[2]).toBe(
      'ready',
    );
  });

  it('is proof enough where it is missing', () => {
    const batch = `${at} Decode batch, #running-req: 1, #token: 100, token usage: 0.01, gen throughput (token/s): 50.00`;
    expect(outcomeOf(batch, answered, batch)[2]).toBe('ready');
  });
});
