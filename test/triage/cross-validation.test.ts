import { describe, expect, it } from 'vitest';
import type { EngineProfile } from '../../src/engines/profile.js';
import { profileOf } from '../../src/engines/registry.js';
import type { LogLine } from '../../src/ingest/line.js';
import { stripAnsi } from '../../src/ingest/strip-ansi.js';
import { reportOf } from '../../src/triage/make-report.js';
import { readAll } from '../../src/triage/reading.js';
import { RunReader } from '../../src/triage/run-reader.js';
import { type LabelledLog, labelledLogs, linesOf } from '../support/case-files.js';

const crashed = labelledLogs().filter(({ label }) => label.outcome === 'crashed');

/** The cause of each log, found by rules none of which was written for a failure of its kind. */
const judged = crashed.map((log) => {
  const whole = readAll(linesOf(log.text)).report();
  const kind = whole.rootCause?.category ?? 'none';
  const lines = log.name.includes('newest-first') ? linesOf(log.text).reverse() : linesOf(log.text);
  const cause = causeBy(without(profileOf(whole.engine), kind), lines);
  return { name: log.name, isRight: isRight(log, cause), hasTraceback: whole.rootCause?.exception != null };
});

describe('without the rules for its own kind of failure', () => {
  it('the structure of the log names the cause of every exception', () => {
    const lost = judged.filter(({ hasTraceback, isRight: right }) => hasTraceback && !right);
    expect(lost.map(({ name }) => name)).toEqual([]);
  });

  // What is lost are lines of native code (a segfault's banner, ggml's and the compiler's words): they have no structure.
  it('the cause is found in at least 75 of 100', () => {
    const lost = judged.filter(({ isRight: right }) => !right).map(({ name }) => name);
    expect(1 - lost.length / judged.length, lost.join(', ')).toBeGreaterThanOrEqual(0.75);
  });
});

function without(profile: EngineProfile, category: string): EngineProfile {
  return { ...profile, failures: profile.failures.filter((rule) => rule.category !== category) };
}

function causeBy(profile: EngineProfile, lines: readonly LogLine[]): string | null {
  const reader = new RunReader(profile);
  for (const line of lines) reader.read(line, null);
  return reportOf(reader, profile.id, lines.length, 0, {}).rootCause?.line.trimEnd() ?? null;
}

function isRight({ label }: LabelledLog, cause: string | null): boolean {
  if (label.root_cause_line === null) return cause === null;
  const good = [label.root_cause_line, ...(label.root_cause_equivalents ?? [])];
  return good.some((line) => stripAnsi(line).trimEnd() === cause);
}
