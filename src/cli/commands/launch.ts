import type { Attempt } from '../../core/events.js';
import { launchSpec } from '../../core/launch-spec.js';
import { firstLineOf } from '../../core/words.js';
import { sanitize } from '../../ingest/sanitize.js';
import { relaunchAcrossLosses } from '../../runtime/actions/across-losses.js';
import { type BeforeOutcome, linesOfFailure } from '../../runtime/actions/before.js';
import { comeBackCommand } from '../come-back.js';
import { connectAgain, connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { parseDuration } from '../duration.js';
import { parseEnvironment } from '../environment.js';
import { wordsOnInterrupt } from '../goodbye.js';
import { jsonLine } from '../json-line.js';
import { launchCheck } from '../launch-check.js';
import { type EngineOptions, loadEngines } from '../load-engines.js';
import { nextConnection } from '../next-connection.js';
import { remarkOtherLog } from '../other-log.js';
import { type PresentOptions, presentation } from '../present.js';
import { refuseReadOnly } from '../read-only.js';
import { showWatch } from '../show-watch.js';
import { targetOf } from '../watch-target.js';

export interface LaunchOptions extends SshOptions, PresentOptions, EngineOptions {
  readonly name: string;
  readonly log?: string;
  readonly port?: number;
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly shell?: boolean;
  readonly before?: readonly string[];
  readonly detach?: boolean;
  readonly grace?: string;
  readonly preflight?: boolean;
  readonly yes?: boolean;
}

/** `firedup launch`: starts a command that lives on without us, then watches it. */
export async function launch(
  label: string,
  command: readonly string[],
  options: LaunchOptions,
): Promise<void> {
  refuseReadOnly(options, 'launch');
  const how = presentation(options, 'screen');
  const graceMs = parseDuration(options.grace ?? '10s', '--grace');
  const env = parseEnvironment(options.env ?? []);
  const engines = await loadEngines(options);
  const comeBack = comeBackCommand(label, options, {
    name: options.name,
    ...portOption(options),
    ...engineOptions(options),
  });
  const spec = hostSpec(label, options);
  let host = await connectFirst(spec);
  let attempt: Attempt;
  try {
    const started = launchSpec({
      command,
      shell: options.shell === true,
      env,
      cwd: options.cwd ?? null,
      log: options.log ?? null,
    });
    const request = {
      name: options.name,
      victim: null,
      spec: started,
      before: options.before ?? [],
      ...launchCheck(options),
    };
    const launched = { ...request, onBefore: sayBefore };
    const begun = wordsOnInterrupt(
      `It may have been started, and goes on then. Look at it with: ${comeBack}`,
    );
    ({ attempt, host } = await relaunchAcrossLosses(host, launched, nextConnection(spec)).finally(begun));
  } catch (error) {
    await host.close();
    throw error;
  }
  if (!options.json) remarkOtherLog(attempt, options.log ?? null);
  if (options.detach) {
    await host.close();
    printStarted(attempt, comeBack, options.json === true);
    return;
  }
  const watched = {
    host,
    connect: connectAgain(spec),
    target: targetOf(
      label,
      { kind: 'launched', record: { attempt } },
      attempt.log,
      options,
      engines,
      comeBack,
    ),
    attempt,
    attemptIsNew: true,
    before: options.before ?? [],
    ranBefore: options.before ?? [],
    graceMs,
    profiles: engines.profiles,
    preflight: options.preflight === false ? ('off' as const) : ('ask' as const),
  };
  ({ exitCode: process.exitCode } = await showWatch(watched, how));
}

/**
 * What ran before the start, with all that it said; the start itself is told by what follows, and the last lines of what
 * failed by the failure.
 */
export function sayBefore({ command, output, code }: BeforeOutcome): void {
  const said = output.trimEnd().split('\n');
  const lines = [
    `before: ${firstLineOf(command)}`,
    ...(code === 0 ? said : said.slice(0, -linesOfFailure)).filter(Boolean),
  ];
  process.stderr.write(`${lines.map(sanitize).join('\n')}\n`);
}

const portOption = ({ port }: LaunchOptions): { readonly port?: number } =>
  port === undefined ? {} : { port };

/** Of all options those that say with which rules a log is read, for the way back to it. */
export const engineOptions = ({ engine, config }: EngineOptions): EngineOptions => ({
  ...(engine === undefined ? {} : { engine }),
  ...(config === undefined ? {} : { config }),
});

/** What `--detach` leaves on the terminal. */
export function printStarted(attempt: Attempt, comeBack: string, json: boolean): void {
  const { number, name, pid, log, folder } = attempt;
  process.stdout.write(
    json
      ? `${jsonLine({ type: 'launched', attempt: number, name, pid, log, folder })}\n`
      : `Attempt ${number} of ${name} runs as pid ${pid}, log ${sanitize(log)}\nWatch it with: ${sanitize(comeBack)}\n`,
  );
}
