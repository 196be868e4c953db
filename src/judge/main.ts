import { readFileSync } from 'node:fs';
import { clockText } from '../core/words.js';
import { describeError, exitCodes, FiredupError } from '../errors.js';
import { sanitize } from '../ingest/sanitize.js';
import { judgeTrace, type TraceResult } from './judge-trace.js';
import { readTrace, type Trace } from './trace.js';

/** `npm run judge -- FILE…`: 0 all right, 1 a verdict that is false or late, 2 a file that cannot be read. */
function main(files: readonly string[]): number {
  if (files.length === 0) {
    process.stderr.write('judge: give one trace or more (docs/traces.md)\n');
    return exitCodes.usage;
  }
  let code = 0;
  let wrong = 0;
  let unread = 0;
  for (const file of files) {
    try {
      const trace = readTrace(readFileSync(file, 'utf8'), file);
      const result = judgeTrace(trace);
      if (result.findings.length > 0) wrong += 1;
      process.stdout.write(`${describe(file, trace, result).map(sanitize).join('\n')}\n\n`);
    } catch (error) {
      const hint = error instanceof FiredupError && error.hint ? ` ${error.hint}` : '';
      process.stderr.write(
        `${sanitize(`judge: ${error instanceof FiredupError ? '' : `${file}: `}${describeError(error)}${hint}`)}\n`,
      );
      code = exitCodes.usage;
      unread += 1;
    }
  }
  process.stdout.write(
    `${files.length} ${files.length === 1 ? 'trace' : 'traces'}, ${wrong} with a false or late verdict${unread > 0 ? `, ${unread} not read` : ''}\n`,
  );
  return code || (wrong > 0 ? 1 : 0);
}

/** The table of one trace: what was true, what was said, when it was found, and the error of the ETA. */
function describe(file: string, { header }: Trace, result: TraceResult): readonly string[] {
  const mark = result.findings.length === 0 ? 'ok   ' : 'WRONG';
  const lines = [`${mark} ${header.title} · ${header.engine ?? 'engine by the log'} · ${file}`];
  for (const { truth, until, foundAt, deadline } of result.truths) {
    const span = `${clockText(truth.from * 1000)}–${clockText(until * 1000)}`;
    const found = foundAt === null ? 'not found' : `found at ${clockText(foundAt * 1000)}`;
    const due = deadline === null || deadline > until ? '' : `, due by ${clockText(deadline * 1000)}`;
    const what = `${truth.state}${truth.phase ? ` in ${truth.phase}` : ''}`;
    lines.push(
      `  true  ${span.padEnd(18)} ${what.padEnd(28)} ${deadline === null ? '' : `${found}${due}`}`.trimEnd(),
    );
  }
  for (const { from, until, outcome, isSlow, summary } of result.said) {
    const span = `${clockText(from * 1000)}–${clockText(until * 1000)}`;
    const word = isSlow ? 'slow' : outcome;
    lines.push(`  said  ${span.padEnd(18)} ${word.padEnd(10)} ${summary}`);
  }
  for (const { kind, t, text } of result.findings)
    lines.push(`  ${kind.toUpperCase()} at ${clockText(t * 1000)}: ${text}`);
  if (result.eta) {
    const percent = (share: number): string => `${Math.round(100 * share)} %`;
    const { median, worst, ofWhatIsLeft, covered } = result.eta;
    lines.push(
      `  ETA   from half-way on: error ${percent(median)} in the middle, ${percent(worst)} at worst (of what was left: below ${percent(ofWhatIsLeft)} nine tenths of the time); an estimate ${percent(covered)} of the time`,
    );
  } else if (header.readyAt != null) lines.push('  ETA   no estimate');
  return lines;
}

process.exitCode = main(process.argv.slice(2));
