import { describe, expect, it } from 'vitest';
import { createReading, readAll } from '../../src/triage/reading.js';
import type { Report } from '../../src/triage/report.js';
import { openDemo } from '../demo/demo-box.js';
import { linesOf } from '../support/case-files.js';

/** The log of one run of the simulated engine, until it ends or has said each of `until`. */
async function logOf(scenario: string, ...until: readonly string[]): Promise<string> {
  const box = await openDemo(scenario, 40);
  try {
    const engine = box.engine();
    if (until.length === 0) return (await engine.ended).output;
    for (const text of until) await engine.says(text);
    return engine.output();
  } finally {
    await box.close();
  }
}

const report = async (scenario: string): Promise<Report> => readAll(linesOf(await logOf(scenario))).report();

describe('the simulated SGLang', () => {
  it('is ready: every phase done, target and draft apart, in the order of the lines', async () => {
    const log = await logOf('ready', 'ready to roll!');
    const { outcome, phases, phase, engine, serverArgs } = readAll(linesOf(log)).report();
    expect({ outcome, phase, engine }).toEqual({ outcome: 'ready', phase: 'ready', engine: 'sglang' });
    expect(phases.filter(({ status }) => status !== 'done').map(({ id }) => id)).toEqual([]);
    expect(phases.map(({ id, model }) => `${id}${model === 'draft' ? '-draft' : ''}`)).toEqual([
      'args',
      'distributed',
      'weights',
      'kv-cache',
      'graphs',
      'weights-draft',
      'kv-cache-draft',
      'graphs-draft',
      'serving',
      'warmup',
      'ready',
    ]);
    expect(serverArgs).toMatchObject({ tp_size: 8 });
    expect(phases.find(({ id, model }) => id === 'weights' && model === 'target')?.detail).toMatch(
      /^64\/64 shards$/,
    );
  });

  it('lacks the EAGLE-3 method: names class, method and rank, and how to go on', async () => {
    const { outcome, rootCause, phase, remedies } = await report('missing-method');
    expect({ outcome, phase }).toEqual({ outcome: 'crashed', phase: 'graphs' });
    expect(rootCause?.line).toMatch(
      /^AttributeError: '\w+' object has no attribute 'set_eagle3_layers_to_capture'$/,
    );
    expect(rootCause).toMatchObject({ exception: 'AttributeError', category: 'missing-method-eagle3' });
    expect(rootCause?.rank).toMatch(/^TP\d$/);
    expect(rootCause?.where).toMatch(/^srt\/\S+\.py:\d+ \w+/);
    expect(remedies.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['upgrade-sglang-eagle3', 'delegate-eagle3', 'clear-stale-bytecode']),
    );
  });

  it('refuses the draft’s context length: the variable that allows it is a change to apply', async () => {
    const { outcome, rootCause, phase, phases, remedies } = await report('context-length');
    expect({ outcome, phase }).toEqual({ outcome: 'crashed', phase: 'graphs' });
    expect(phases.filter(({ status }) => status === 'failed').map(({ title }) => title)).toEqual([
      'Load draft weights',
    ]);
    expect(rootCause).toMatchObject({ exception: 'ValueError', category: 'context-length-mismatch' });
    expect(remedies[0]?.change).toEqual({ env: { SGLANG_ALLOW_OVERWRITE_LONGER_CONTEXT_LEN: '1' } });
    expect(remedies[1]?.change).toEqual({ args: ['--context-length', '131072'] });
  });

  it('runs out of memory: the cause is the rank that did, the others are consequences', async () => {
    const { outcome, rootCause, consequences, remedies } = await report('oom');
    expect(outcome).toBe('crashed');
    expect(rootCause?.line).toContain('CUDA out of memory');
    expect(rootCause?.category).toMatch(/^oom/);
    expect(consequences.length).toBeGreaterThan(0);
    expect(remedies.length).toBeGreaterThan(0);
  });

  it('hangs while ranks join: the ranks show who is behind', async () => {
    const reading = createReading();
    for (const line of linesOf(
      await logOf('stall', ...[0, 1, 2, 3, 4, 6, 7].map((rank) => `TP${rank}] Init torch distributed begin`)),
    ))
      reading.read(line, null);
    const { phase, death, ready, ranks } = reading.findings();
    expect({ phase, death, ready }).toEqual({ phase: 'distributed', death: null, ready: null });
    expect(ranks).toHaveLength(8);
    expect(reading.report().outcome).toBe('loading');
  });

  it('is killed without a word: the log alone is still loading, and no cause is made up', async () => {
    const log = await logOf('silent-death');
    const reading = readAll(linesOf(log));
    expect(reading.findings()).toMatchObject({ death: null, ready: null, phase: 'weights' });
    expect(reading.report({ outcome: 'crashed' })).toMatchObject({
      outcome: 'crashed',
      rootCause: null,
      phase: 'weights',
    });
  });
});
