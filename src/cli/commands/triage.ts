import { exitCodes } from '../../errors.js';
import { lastFrame } from '../../ingest/frames.js';
import type { LogLine } from '../../ingest/line.js';
import { redact } from '../../ingest/redact.js';
import { sanitize } from '../../ingest/sanitize.js';
import { createReading } from '../../triage/reading.js';
import type { Outcome, Report } from '../../triage/report.js';
import type { SshOptions } from '../connection.js';
import { jsonLine } from '../json-line.js';
import { lastOf } from '../last-of.js';
import { loadEngines } from '../load-engines.js';
import { readLog } from '../read-log.js';
import { remark } from '../remark.js';
import { remarkClient } from '../remark-client.js';
import { remarkSlow } from '../remark-slow.js';
import { reportText } from '../report-text.js';

export interface TriageOptions extends SshOptions {
  readonly json?: boolean;
  readonly lines: number;
  readonly engine?: string;
  readonly config?: string;
}

/** `firedup triage`: reads a log once, from its first byte to its last, and reports on it. */
export async function triage(file: string, options: TriageOptions): Promise<void> {
  const reading = createReading(await loadEngines(options));
  const tail = createTail(options.lines);
  const take = (lines: readonly LogLine[]): void => {
    for (const line of lines) reading.read(line, null);
    tail.push(lines);
  };
  await readLog(file, options, take, remark);
  const report = reading.report();
  remarkSlow(reading);
  remarkClient(reading);
  print(report, tail.lines(), options);
  process.exitCode = codeOf(report.outcome);
}

/** The last `count` lines of what came. */
function createTail(count: number) {
  let kept: LogLine[] = [];
  return {
    push(lines: readonly LogLine[]): void {
      if (count === 0) return;
      for (const line of lines.slice(-count)) kept.push(line);
      if (kept.length > 4 * count) kept = kept.slice(-count);
    },
    lines: (): readonly string[] => lastOf(kept, count).map(({ text }) => lastFrame(text)),
  };
}

function print(report: Report, lastLines: readonly string[], { json }: TriageOptions): void {
  if (json) {
    process.stdout.write(`${jsonLine(report)}\n`);
    return;
  }
  for (const line of reportText(report, lastLines)) process.stdout.write(`${sanitize(redact(line))}\n`);
}

/** Of `triage`: a log that is still loading, is empty or tells nothing is 4. */
function codeOf(outcome: Outcome): number {
  switch (outcome) {
    case 'ready':
      return exitCodes.ready;
    case 'crashed':
      return exitCodes.crashed;
    case 'stalled':
      return exitCodes.stalled;
    case 'stopped':
      return exitCodes.stopped;
    case 'loading':
    case 'unknown':
      return exitCodes.timeout;
  }
}
