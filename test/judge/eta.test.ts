import { describe, expect, it } from 'vitest';
import { judgeTrace } from '../../src/judge/judge-trace.js';
import { readTrace } from '../../src/judge/trace.js';
import { launchTraces } from '../traces/make-launches.js';
import { traceText } from '../traces/maker.js';

describe('the ETA of launches with uneven rates', () => {
  const results = launchTraces(20).map((draft) => {
    const trace = readTrace(traceText(draft), draft.name);
    return { name: draft.name, ...judgeTrace(trace) };
  });
  if (process.env.SHOW_ETA) for (const { name, eta } of results) console.log(name, JSON.stringify(eta));

  it('is within a quarter of the truth from half-way on, in nine of ten', () => {
    const good = results.filter(({ eta }) => eta !== null && eta.worst <= 0.25);
    expect(good.length).toBeGreaterThanOrEqual(0.9 * results.length);
  });

  it('is there nearly all of that time', () => {
    for (const { name, eta } of results) expect(eta?.covered, name).toBeGreaterThan(0.9);
  });

  it('goes with no false verdict', () => {
    for (const { name, findings } of results) expect(findings, name).toEqual([]);
  });
});
