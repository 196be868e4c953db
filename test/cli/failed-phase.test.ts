import { describe, expect, it } from 'vitest';
import { startNarrator } from '../../src/cli/narrator.js';
import { reportText } from '../../src/cli/report-text.js';
import { reportFacts } from '../../src/core/report-facts.js';
import { selectScreen } from '../../src/core/select/screen.js';
import { createStore } from '../../src/runtime/store.js';
import { readyRun, Story, stamp } from '../core/fold.js';

/** The lines have come as far as the weights; the traceback says that it died allocating the KV cache. */
const crash = [
  ...readyRun(0).slice(0, 4),
  `[${stamp(0)} TP0] Scheduler hit an exception: Traceback (most recent call last):`,
  '  File "/opt/sglang/srt/managers/scheduler.py", line 2000, in run_scheduler_process',
  '    scheduler = Scheduler(server_args, port_args)',
  '  File "/opt/sglang/srt/model_executor/model_runner.py", line 900, in init_memory_pool',
  '    raise RuntimeError("Not enough memory")',
  'RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.',
  '',
  `[${stamp(0)}] Received sigquit from a child process. It usually means the child failed.`,
];

describe('the phase that failed', () => {
  const story = new Story().emptyLog().alive(60);
  const store = createStore(story.state, () => {});
  const told: string[] = [];
  const narrator = startNarrator(store, { json: false, heartbeatMs: 1e9, write: (line) => told.push(line) });
  const lines = crash.map((text, index) => ({ number: index + 1, text }));
  const size = crash.join('\n').length + 1;
  store.dispatch({ type: 'log-lines', at: story.now + 1000, lines, offset: size, size });
  const state = store.state();
  const report = state.reading.report(reportFacts(state));

  it('is one and the same on the screen, in the lines and in the report', () => {
    expect(state.verdict.outcome).toBe('crashed');
    expect(report.phase).toBe('kv-cache');
    const failed = selectScreen(state).phases.filter(({ status }) => status === 'failed');
    expect(failed.map(({ id }) => id)).toEqual(['kv-cache']);
    narrator.finish(state, 'crashed', reportText(report, []));
    expect(told.filter((line) => line.includes(': failed'))).toEqual([
      expect.stringMatching(/phase +Allocate KV cache: failed$/),
    ]);
  });

  it('is called by its name', () => {
    expect(reportText(report, [])[0]).toContain('last phase: Allocate KV cache');
    expect(reportText(report, []).filter((line) => line.includes('✖'))).toEqual(['  ✖ Allocate KV cache']);
  });

  it('is the one of the checklist, also where the log had not begun it', () => {
    const phases = report.phases.map((phase) => ({
      ...phase,
      status: phase.id === 'graphs' ? ('failed' as const) : ('done' as const),
    }));
    expect(reportText({ ...report, phases }, [])[0]).toContain('last phase: Capture graphs');
  });
});
