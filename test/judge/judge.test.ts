import { describe, expect, it } from 'vitest';
import { judgeTrace, type TraceResult } from '../../src/judge/judge-trace.js';
import { readTrace, type Trace } from '../../src/judge/trace.js';
import { hungTraces } from '../traces/make-hung.js';
import { slowTraces } from '../traces/make-slow.js';
import { traceText } from '../traces/maker.js';

const traceOf = (name: string): Trace => {
  const draft = [...slowTraces(), ...hungTraces()].find((each) => each.name === name);
  if (!draft) throw new Error(`there is no trace ${name}`);
  return readTrace(traceText(draft), name);
};

const judged = (trace: Trace, truth: Trace['header']['truth']): readonly string[] =>
  judgeTrace({ ...trace, header: { ...trace.header, truth } }).findings.map(({ kind }) => kind);

const read = (...lines: readonly object[]): Trace =>
  readTrace(lines.map((line) => JSON.stringify(line)).join('\n'), 'hand.ndjson');

describe('the judge', () => {
  const hung = traceOf('hung-bootstrap-sglang');

  it('calls a stall false where the truth is another', () => {
    for (const state of ['loading', 'slow', 'ready', 'crashed'] as const)
      expect(judged(hung, [{ from: 0, state }]), state).toContain('false');
  });

  it('calls a stall late that comes after its time, and a hang that is never found', () => {
    const late = judged(hung, [{ from: 0, state: 'stalled', limitSeconds: 60 }]);
    expect([...new Set(late)]).toEqual(['late']);
    const slow = traceOf('slow-share');
    expect(judged(slow, [{ from: 0, state: 'stalled', limitSeconds: 60 }])).toContain('late');
  });

  it('calls a stall late that stays when life has returned', () => {
    const alive = { from: 500, state: 'loading' } as const;
    expect(judged(hung, [{ from: 0, state: 'stalled', limitSeconds: 400 }, alive])).toEqual(['late']);
  });

  it('calls READY false while it loads, and late where it never comes', () => {
    const trace = traceOf('warm-cache');
    expect(judged(trace, [{ from: 0, state: 'loading' }])).toEqual(['false']);
    expect(judged(hung, [{ from: 0, state: 'ready' }])).toContain('late');
  });
});

describe('a trace written by hand', () => {
  const header = { schema: 1, title: 'by hand', engine: 'sglang', truth: [{ from: 0, state: 'loading' }] };

  it('may hold samples as they are, leave out what is not known, and be in any order', () => {
    const sample = (t: number, cpuMs: number) => ({
      t,
      type: 'host-sample',
      sample: { uptimeMs: t * 1000, processes: [{ pid: 1, cpuMs }] },
    });
    const trace = read(
      header,
      { t: 20, type: 'gpus', reading: { status: 'ok', gpus: [{ index: 0 }] } },
      sample(10, 5),
      sample(5, 0),
      { t: 1, type: 'log', lines: '[2026-03-01 12:00:00 TP0] Load weight begin. avail mem=140.00 GB' },
    );
    const result: TraceResult = judgeTrace(trace);
    expect(result.findings).toEqual([]);
    expect(result.said.at(-1)).toMatchObject({ outcome: 'loading', until: 200 });
  });

  it('names the line and the field of what is wrong', () => {
    expect(() => read(header, { t: 1, type: 'flow', processes: [{ name: 'x' }] })).toThrow(
      /hand\.ndjson:2: processes\.0\.pid/,
    );
    expect(() => readTrace(`${JSON.stringify(header)}\n\n# a word\n{"t":1`, 'hand.ndjson')).toThrow(
      /hand\.ndjson:4: no JSON/,
    );
    expect(() => read({ ...header, truth: [{ from: 0, state: 'fine' }] })).toThrow(
      /hand\.ndjson:1: truth\.0/,
    );
    expect(() => readTrace('', 'hand.ndjson')).toThrow(/no header/);
  });

  it('needs no answer of its port where it tells of none, and may round its times', () => {
    const ready = { t: 8.2, type: 'log', lines: ['The server is fired up and ready to roll!'] };
    const truth = [
      { from: 0, state: 'loading' },
      { from: 8.5, state: 'ready' },
    ];
    const trace = read(
      { ...header, port: 30000, truth },
      { t: 0, type: 'flow', processes: [{ pid: 1 }] },
      ready,
    );
    expect(judgeTrace(trace).findings).toEqual([]);
  });

  it('excuses UNKNOWN only for an outage', () => {
    const truth = [{ from: 0, state: 'ready' }];
    const missing = { t: 0, type: 'log-file', change: { kind: 'unreadable' } };
    const down = { t: 0, type: 'link', link: { status: 'down' } };
    expect(judgeTrace(read({ ...header, truth }, missing)).findings).not.toEqual([]);
    expect(judgeTrace(read({ ...header, truth }, down)).findings).toEqual([]);
  });

  it('hears of its processes anew when the link is up again', () => {
    const trace = read(
      { ...header, endsAt: 150 },
      { t: 0, type: 'flow', processes: [{ pid: 1 }] },
      { t: 20, type: 'link', link: { status: 'down' } },
      { t: 60, type: 'link', link: { status: 'up' } },
    );
    expect(judgeTrace(trace).said.at(-1)?.outcome).toBe('loading');
  });

  it('says which value of many is wrong', () => {
    const gpus = [{ usedMiB: 'none' }];
    expect(() => read(header, { t: 0, type: 'flow', gpus })).toThrow(/hand\.ndjson:2: gpus\.0\.usedMiB: /);
  });
});
