import { describe, expect, it } from 'vitest';
import { stripAnsi } from '../../src/ingest/strip-ansi.js';
import { readAll } from '../../src/triage/reading.js';
import type { Report } from '../../src/triage/report.js';
import { type LabelledLog, labelledLogs, linesOf } from '../support/case-files.js';

// The labels have fewer phases than the report; these are the ones that say the same.
const samePhase: Record<string, readonly string[]> = {
  args: ['args', 'launch', 'init'],
  'engine-init': ['init', 'args', 'launch', 'distributed', 'download'],
  'dist-init': ['distributed', 'init'],
  weights: ['weights', 'download'],
  'draft-weights': ['weights'],
  'kv-cache': ['kv-cache', 'profile'],
  compile: ['compile', 'profile'],
  'graph-capture': ['graphs', 'compile'],
  'draft-graph-capture': ['graphs'],
  warmup: ['warmup', 'serving'],
  'http-up': ['serving', 'warmup'],
  serving: ['ready', 'serving'],
};

const judged = labelledLogs().map((log) => ({ log, report: readAll(linesOf(log.text)).report() }));

describe('labelled logs', () => {
  it('are there', () => {
    expect(judged.length).toBeGreaterThanOrEqual(59);
  });

  it('name the engine in at least 97 of 100', () => {
    expectShare(
      0.97,
      ({ log, report }) => report.engine === log.label.engine || log.label.engine === 'other',
    );
  });

  it('have the right outcome in at least 98 of 100, and no false alarm at all', () => {
    expectShare(0.98, ({ log, report }) => isRightOutcome(log, report));
    const alarms = judged.filter(
      ({ log, report }) =>
        ['ready', 'crashed'].includes(report.outcome) && report.outcome !== log.label.outcome,
    );
    expect(alarms.map(({ log }) => log.name)).toEqual([]);
  });

  it('name the phase in at least 95 of 100', () => {
    expectShare(0.95, ({ log, report }) =>
      (samePhase[log.label.last_phase] ?? []).includes(report.phase ?? ''),
    );
  });

  it('name the line of the cause in at least 96 of 100, never a decoy, never one that is not there', () => {
    const crashed = judged.filter(({ log }) => log.label.outcome === 'crashed');
    const wrong = crashed.filter(({ log, report }) => !isRightCause(log, report));
    expect(wrong.length / crashed.length, wrong.map(({ log }) => log.name).join(', ')).toBeLessThanOrEqual(
      0.04,
    );
    for (const { log, report } of crashed) {
      const said = report.rootCause?.line.trimEnd();
      expect(
        log.label.decoys.map((decoy) => stripAnsi(decoy).trimEnd()),
        log.name,
      ).not.toContain(said);
      if (log.label.root_cause_line === null) expect(report.rootCause, log.name).toBeNull();
    }
  });

  it('give the cause the line number that it has in the file', () => {
    for (const { log, report } of judged) {
      if (report.rootCause === null) continue;
      const line = stripAnsi(log.text.split('\n')[report.rootCause.lineNumber - 1] ?? '');
      expect(
        line.split('\r').map((frame) => frame.trimEnd()),
        log.name,
      ).toContain(report.rootCause.line);
    }
  });
});

type Judged = (typeof judged)[number];

function expectShare(least: number, isRight: (one: Judged) => boolean): void {
  const wrong = judged.filter((one) => !isRight(one));
  const share = 1 - wrong.length / judged.length;
  expect(share, wrong.map(({ log }) => log.name).join(', ')).toBeGreaterThanOrEqual(least);
}

function isRightOutcome(log: LabelledLog, report: Report): boolean {
  const open = (outcome: string): string => (outcome === 'stalled' ? 'loading' : outcome);
  if (open(report.outcome) === open(log.label.outcome)) return true;
  return (
    report.outcome === 'stopped' &&
    /killed-externally|terminated-by-signal/.test(log.label.root_cause_category ?? '')
  );
}

function isRightCause(log: LabelledLog, report: Report): boolean {
  const { root_cause_line: line, root_cause_equivalents: others = [] } = log.label;
  if (line === null) return report.rootCause === null;
  const good = [line, ...others].map((one) => stripAnsi(one).trimEnd());
  return report.rootCause !== null && good.includes(report.rootCause.line.trimEnd());
}
