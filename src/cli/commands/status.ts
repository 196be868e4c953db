import { exitCodes, usageError } from '../../errors.js';
import { sanitize } from '../../ingest/sanitize.js';
import { glyphsFor } from '../../tui/glyphs.js';
import { type PickerRow, serverWords } from '../../tui/picker-model.js';
import { textWidth } from '../../tui/text.js';
import { type Answer, type Asked, askServers } from '../ask-servers.js';
import { jsonLine } from '../json-line.js';
import { loadConfig } from '../load-config.js';
import { fromTarget, type Given, resolveTarget, type TargetOptions } from '../resolve-target.js';
import { answerRow } from '../server-row.js';
import { plainTable, tableWidth } from '../table.js';
import { wrapLines } from '../wrap-lines.js';
import { noConfig } from './config.js';

export interface StatusOptions extends TargetOptions {
  readonly json?: boolean;
}

/**
 * `firedup status`: what becomes of a target, of the servers on a host, or of all targets, as a table. 0 whatever they
 * are; 5 where no host could be reached.
 */
export async function status(label: string | undefined, options: StatusOptions, given: Given): Promise<void> {
  const asked = label === undefined ? await allTargets(options, given) : [await oneOf(label, options, given)];
  const answers: { readonly one: Asked; readonly answer: Answer }[] = [];
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  await askServers(asked, (one, answer) => answers.push({ one, answer }), stop.signal);
  if (stop.signal.aborted) {
    process.exitCode = exitCodes.interrupted;
    return;
  }
  // In the order of the config, not of the answers.
  const place = ({ one }: { readonly one: Asked }): number =>
    asked.findIndex(({ target }) => target === one.target);
  answers.sort(
    (a, b) => place(a) - place(b) || (a.one.options.name ?? '').localeCompare(b.one.options.name ?? ''),
  );
  const now = Date.now();
  if (options.json) {
    process.stdout.write(`${jsonLine({ servers: answers.map(({ one, answer }) => record(one, answer)) })}\n`);
  } else {
    process.stdout.write(`${statusTable(answers.map(({ one, answer }) => answerRow(one, answer, now)))}\n`);
  }
  const isReached = answers.some(({ answer }) => answer.kind !== 'unreachable');
  process.exitCode = isReached ? exitCodes.ready : exitCodes.connection;
}

/** The cause of a crash has up to three lines of its column, as in the history; what else is said stands in full. */
function statusTable(rows: readonly PickerRow[]): string {
  const head = ['SERVER', 'HOST', 'STATE', 'ATTEMPT', 'SINCE'];
  const cells = rows.map(({ server, host, word, attempt, since }) =>
    [server, host, serverWords[word], attempt, since].map(sanitize),
  );
  const widths = head.map(
    (_, at) => Math.max(...[head, ...cells].map((row) => textWidth(row[at] ?? ''))) + 2,
  );
  const { more } = glyphsFor(process.env);
  const rest = tableWidth(process.stdout) - widths.reduce((sum, width) => sum + width, 0);
  return plainTable(
    [...head, ''],
    cells.map((cell, at) => {
      const { detail = '', word } = rows[at] ?? {};
      const most = word === 'crashed' ? 3 : 12;
      return [...cell, wrapLines(detail, Math.max(24, rest), more, most).join('\n')];
    }),
  );
}

/** Every target of the config, as it is asked for. */
export async function allTargets(options: TargetOptions, given: Given): Promise<readonly Asked[]> {
  const config = await loadConfig(options.config);
  if (config === null) throw noConfig();
  if (config.targets.size === 0) {
    throw usageError(`${config.file.path} has no targets.`, 'Name a host: firedup status HOST.');
  }
  const shown = { ...options, ...config.screen };
  return [...config.targets].map(([name, settings]) => ({
    target: name,
    label: settings.host,
    options: { ...shown, ...fromTarget({ name, settings, config }, options, given) },
  }));
}

async function oneOf(name: string, given: TargetOptions, which: Given): Promise<Asked> {
  const { label, options, target } = await resolveTarget(name, given, which);
  return { target: target?.name ?? null, label, options };
}

function record({ target, label, options }: Asked, answer: Answer): Readonly<Record<string, unknown>> {
  const server = { target, host: label, name: options.name ?? null };
  switch (answer.kind) {
    case 'judged': {
      const { phaseTitle: _title, since, ...state } = answer.state;
      const at = since === null ? null : new Date(since).toISOString();
      return { ...server, name: answer.name ?? server.name, ...state, since: at };
    }
    case 'none':
      return { ...server, outcome: 'none', summary: answer.text };
    case 'unreachable':
      return { ...server, outcome: 'unreachable', summary: answer.text, needsAnswer: answer.needsAnswer };
    case 'failed':
      return { ...server, outcome: 'unknown', summary: answer.text };
  }
}
