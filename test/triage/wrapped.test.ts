import { describe, expect, it } from 'vitest';
import { readAll } from '../../src/triage/reading.js';
import { labelledLogs, linesOf } from '../support/case-files.js';

const collectors: readonly (readonly [string, (text: string, index: number) => string])[] = [
  ['docker', (text, index) => `2026-02-22T23:29:${String(index % 60).padStart(2, '0')}.123456789Z ${text}`],
  ['compose', (text) => `sglang-1  | ${text}`],
  ['Ray', (text) => `(ServeReplica:app pid=99) ${text}`],
  ['journald', (text) => `Feb 22 23:29:22 gpu-1 serve[812]: ${text}`],
  ['kubectl logs --prefix', (text) => `[pod/demo-0/sglang] ${text}`],
  ['PM2', (text) => `0|demo  | ${text}`],
  ['a Python logger', (text) => `2026-02-22 23:29:22,123 - __main__ - INFO - ${text}`],
  ['loguru', (text) => `2026-02-22 23:29:22 | INFO     | demo.worker:run:12 - ${text}`],
  [
    'a log viewer',
    (text, index) => `  | 2026-02-22T23:29:${String(index % 60).padStart(2, '0')}.123Z | ${text}`,
  ],
  ['Docker Desktop', (text, index) => `2026-02-22 23:29:${String(index % 60).padStart(2, '0')} ${text}`],
  ['rsyslog', (text) => `2026-02-22T23:29:22.123456+08:00 gpu-1 serve[812]: ${text}`],
  ['a mail that quotes it', (text) => `> ${text}`],
  ['docker’s json-file', (text) => JSON.stringify({ log: `${text}\n`, stream: 'stderr' })],
];

// The export that runs backwards is told by its own time stamps; those in front of them would run forwards here.
const logs = labelledLogs().filter((log) => !log.name.includes('newest-first'));

describe.each(collectors)('a log collected by %s', (_name, wrap) => {
  it.each(logs)('is judged as it is without: $name', ({ text }) => {
    const lines = linesOf(text);
    const bare = readAll(lines).report();
    const wrapped = readAll(lines.map((line, index) => ({ ...line, text: wrap(line.text, index) }))).report();
    expect(summary(wrapped)).toEqual(summary(bare));
  });
});

// No list knows these: what they put in front is learned from the first traceback.
const others: readonly (readonly [string, (text: string, index: number) => string])[] = [
  [
    'CRI',
    (text, index) => `2026-02-22T23:29:${String(index % 60).padStart(2, '0')}.123456789Z stderr F ${text}`,
  ],
  ['stern', (text) => `demo-7d9f6c5b8-abcde server ${text}`],
  ['srun', (text) => ` 3: ${text}`],
  [
    'syslog without a process',
    (text, index) => `Feb 22 23:29:${String(index % 60).padStart(2, '0')} ${text}`,
  ],
  ['supervisord', (text) => `2026-02-22 23:29:22,123 DEBG 'demo' stdout output: ${text}`],
  ['foreman', (text) => `23:29:22 web.1   | ${text}`],
  ['a logger of one’s own', (text) => `[2026-02-22 23:29:22,123][INFO] ${text}`],
];

// Where no traceback is, or the first of them lost its head or is mixed with another, there is nothing to learn from.
const unlearned = /^(?:022|079|123|207)-/;

describe.each(others)('a log collected by %s', (_name, wrap) => {
  it.each(logs.filter((log) => !unlearned.test(log.name)))('has the same cause: $name', ({ text }) => {
    const lines = linesOf(text);
    const bare = readAll(lines).report();
    const wrapped = readAll(lines.map((line, index) => ({ ...line, text: wrap(line.text, index) }))).report();
    const told = ({ engine, outcome, rootCause }: typeof bare) => [
      engine,
      outcome,
      rootCause?.lineNumber,
      rootCause?.exception,
      rootCause?.category,
    ];
    expect(told(wrapped)).toEqual(told(bare));
  });
});

function summary(report: ReturnType<ReturnType<typeof readAll>['report']>) {
  const { engine, outcome, phase, phaseModel, rootCause } = report;
  return {
    engine,
    outcome,
    phase,
    phaseModel,
    lineNumber: rootCause?.lineNumber,
    exception: rootCause?.exception,
    category: rootCause?.category,
    rank: rootCause?.rank,
  };
}
