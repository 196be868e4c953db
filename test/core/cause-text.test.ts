import { describe, expect, it } from 'vitest';
import { causeText } from '../../src/core/cause-text.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { Story } from './fold.js';

describe('a cause for people', () => {
  it.each([
    [
      { exception: 'ValueError', message: 'no room' },
      '(EngineCore_DP0 pid=41) ERROR 11-29 23:00:00 [core.py:843] ValueError: no room',
      'ValueError: no room',
    ],
    // pydantic: what it says stands a line later.
    [
      { exception: 'ValidationError', message: 'no such method' },
      '1 validation error',
      'ValidationError: no such method',
    ],
    [{ exception: 'KeyboardInterrupt', message: '' }, 'KeyboardInterrupt', 'KeyboardInterrupt'],
    [
      {
        exception: null,
        message: '[E326 01:29:36.730311765 ProcessGroupNCCL.cpp:616] [Rank 6] Watchdog caught it',
      },
      'x',
      'Watchdog caught it',
    ],
    [{ exception: null, message: '' }, '[2026-01-02 03:04:05 TP0] Watchdog timeout', 'Watchdog timeout'],
    [{ exception: null, message: 'free(): double free' }, 'free(): double free', 'free(): double free'],
    [{ exception: null, message: '' }, '[2026-01-02 03:04:05 TP0]', '[2026-01-02 03:04:05 TP0]'],
  ])('%j of the line %j', (cause, line, expected) => {
    expect(causeText({ ...cause, line })).toBe(expected);
  });

  it('is the same on the card, in the status line and in the history; the report has the line as it is', () => {
    const head = '(EngineCore_DP0 pid=41) ERROR 11-29 23:00:00 [core.py:843]';
    const story = new Story().emptyLog().alive(60);
    story.write(
      'INFO 11-29 22:59:00 [api_server.py:1] vLLM API server version 0.11.2',
      `${head} EngineCore failed to start.`,
      `${head} Traceback (most recent call last):`,
      `${head}   File "/v/lib/python3.12/site-packages/vllm/v1/engine/core.py", line 834, in run_engine_core`,
      `${head}     raise ValueError(text)`,
      `${head} ValueError: no room for the KV cache`,
    );
    story.process({ status: 'gone', pid: 4711, exit: null }).later(5);
    const screen = selectScreen(story.state);
    const said = 'ValueError: no room for the KV cache';
    expect(story.state.verdict).toMatchObject({ outcome: 'crashed', summary: said });
    expect(screen.card).toMatchObject({ headline: said, cause: { text: said } });
    expect(screen.status.summary).toBe(said);
    story.key({ kind: 'overlay', overlay: 'history' });
    expect(JSON.stringify(selectScreen(story.state).overlay)).toContain(`"cause":"${said}"`);
    expect(story.state.reading.report().rootCause?.line).toBe(`${head} ${said}`);
  });
});
