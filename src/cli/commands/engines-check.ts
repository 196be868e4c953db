import { engineProfiles } from '../../engines/registry.js';
import { redact } from '../../ingest/redact.js';
import { sanitizeLines } from '../../ingest/sanitize.js';
import { createReading } from '../../triage/reading.js';
import type { SshOptions } from '../connection.js';
import { jsonLine } from '../json-line.js';
import { loadEngines } from '../load-engines.js';
import { readLog } from '../read-log.js';
import { remark } from '../remark.js';
import { remarkSlow } from '../remark-slow.js';
import { type LineCount, RuleCensus, type RuleCount } from '../rule-census.js';
import { plainTable } from '../table.js';

export interface EnginesCheckOptions extends SshOptions {
  readonly config?: string;
  readonly engine?: string;
  readonly json?: boolean;
}

/** `firedup engines check FILE`: which rule met which lines of a log, and which error-like lines none explains. */
export async function checkLog(file: string, options: EnginesCheckOptions): Promise<void> {
  const engines = await loadEngines(options);
  let counting: RuleCensus | null = null;
  const reading = createReading({
    ...engines,
    watchRules: (profile) => {
      const census = new RuleCensus(profile, engineProfiles);
      counting = census;
      return (step) => census.see(step);
    },
  });
  await readLog(
    file,
    options,
    (lines) => {
      for (const line of lines) reading.read(line, null);
    },
    remark,
  );
  const { rules, unexplained } = censusOf(counting);
  const { engine, lines } = reading.report();
  remarkSlow(reading);
  if (options.json) {
    print(jsonLine({ engine, lines, rules, unexplained }));
    return;
  }
  print(`${engine} · ${lines} ${lines === 1 ? 'line' : 'lines'} · ${rules.length} rules matched`);
  if (rules.length > 0) print(`\n${ruleTable(rules)}`);
  print(unexplained.length === 0 ? '\nEvery error-like line is explained.' : `\n${openTable(unexplained)}`);
}

const censusOf = (census: RuleCensus | null) => census?.census() ?? { rules: [], unexplained: [] };

const ruleTable = (rules: readonly RuleCount[]): string =>
  plainTable(
    ['RULE', 'NAME', 'COUNT', 'LINES', 'PATTERN'],
    rules.map((rule) => [
      rule.isOwn ? `${rule.section} (yours)` : rule.section,
      rule.name,
      String(rule.count),
      lineNumbers(rule),
      rule.pattern,
    ]),
  );

const openTable = (lines: readonly LineCount[]): string =>
  `Error-like lines that no rule explains\n${plainTable(
    ['COUNT', 'LINES', 'FIRST OF THEM'],
    lines.map((line) => [String(line.count), lineNumbers(line), redact(line.line)]),
  )}`;

/** `3, 12, 40 … 9000` */
function lineNumbers({ first, last, count }: LineCount): string {
  const shown = first.join(', ');
  return count > first.length ? `${shown} … ${last}` : shown;
}

function print(text: string): void {
  process.stdout.write(`${sanitizeLines(text)}\n`);
}
