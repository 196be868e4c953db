import { randomUUID } from 'node:crypto';
import type { LaunchSpec } from '../../core/launch-spec.js';
import { firstLineOf } from '../../core/words.js';
import { connectionError, exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { run } from '../../host/run.js';
import { redact } from '../../ingest/redact.js';
import { redacted } from '../../ingest/redacted.js';
import { isSecretName } from '../../ingest/secret-names.js';
import { quote, quoteAll } from '../../remote/quote.js';
import { interpreterOf, readBeforeStep } from './before-step.js';
import { encodeBytes } from './remote-text.js';
import { opening } from './run-script.js';

/** How one command before a start went. */
export interface BeforeOutcome {
  readonly command: string;
  readonly code: number | null;
  readonly signal: string | null;
  /** Both outputs as they came, secrets redacted; the last 64 KiB. */
  readonly output: string;
}

/**
 * Runs one step (see before-step.ts) through `bash -lc` (where there is no bash: `sh -c`) in the folder and with the
 * variables that the server will have, and waits for its end; 10 minutes at most by default. Variables and scripts
 * travel on stdin.
 */
export async function runBefore(
  host: Host,
  command: string,
  spec: Pick<LaunchSpec, 'cwd' | 'env'>,
  options: { readonly timeoutMs?: number; readonly abort?: AbortSignal } = {},
): Promise<BeforeOutcome> {
  const step = await readBeforeStep(command);
  const script = [
    `printf '\\n${opening}\\n'`,
    'exec 2>&1',
    ...Object.entries(spec.env).map(([name, value]) => `export ${name}=${quote(value)}`),
    `cd && cd ${folder(spec.cwd)} || exit 1`,
    ...(step.kind === 'line' ? runLine(step.line) : runSentScript(step.text)),
  ].join('\n');
  const finished = await run(host, 'exec sh -s', {
    stdin: encodeBytes(`${script}\n`),
    timeoutMs: options.timeoutMs ?? 600_000,
    ...(options.abort === undefined ? {} : { signal: options.abort }),
  });
  // Else an end that nobody saw would look like a command that failed.
  if (finished.lost) throw connectionError('link-lost', `The connection to ${host.label} broke.`);
  const output = finished.stdout.slice(finished.stdout.indexOf(`${opening}\n`) + opening.length + 1);
  return {
    command: redact(command),
    code: finished.code,
    signal: finished.signal,
    output: withoutValues(redact(output.slice(-65_536)), spec.env),
  };
}

/** How many of its last lines the failure of a step tells. */
export const linesOfFailure = 10;

/** `3` as `status 3`, or the signal. */
export const howItEnded = ({ signal, code }: BeforeOutcome): string =>
  signal ?? `status ${code ?? 'unknown'}`;

/** For a step that ended with anything but 0: nothing is started after it. */
export function beforeFailed(outcome: BeforeOutcome): FiredupError {
  const said = outcome.output.trimEnd().split('\n').slice(-linesOfFailure).filter(Boolean);
  return new FiredupError(
    'before-failed',
    [
      `A command before the start ended with ${howItEnded(outcome)}: ${firstLineOf(outcome.command)}`,
      ...said,
    ].join('\n'),
    { exitCode: exitCodes.usage, hint: 'Nothing was started.' },
  );
}

/** All on one line: what stands behind it on stdin is never read by the command. */
function runLine(text: string): readonly string[] {
  const line = quote(text);
  return [
    `if command -v bash >/dev/null 2>&1; then exec bash -lc ${line} </dev/null; else exec sh -c ${line} </dev/null; fi`,
  ];
}

/** The script is kept in a file while it runs. It is not run itself: its folder may be mounted so that nothing is. */
function runSentScript(text: string): readonly string[] {
  const end = `firedup-${randomUUID()}`;
  const words = interpreterOf(text);
  const others = quoteAll(words);
  return [
    // In a subshell: what the script writes is to be as readable as what the login writes.
    'script=$(umask 077 && mktemp) || exit 1',
    `trap 'rm -f "$script"' EXIT`,
    `trap 'exit 129' HUP INT TERM`,
    `cat >"$script" <<'${end}' || exit 1`,
    text.replace(/\n?$/, ''),
    end,
    `set -- ${others} "$script"`,
    'if command -v bash >/dev/null 2>&1; then',
    `  bash -lc 'exec "$@"' before "$@" </dev/null`,
    ...(words[0] === 'bash' ? ['else', '  sh "$script" </dev/null'] : ['else', '  "$@" </dev/null']),
    'fi',
    'exit $?',
  ];
}

/** The values of secret variables, wherever they were printed. */
function withoutValues(text: string, env: LaunchSpec['env']): string {
  const secrets = Object.entries(env).filter(
    ([name, value]) => isSecretName(name, 'variable') && value.length > 5,
  );
  return secrets.reduce((rest, [, value]) => rest.replaceAll(value, redacted), text);
}

function folder(cwd: string | null): string {
  if (cwd === null || cwd === '~' || cwd === '') return '.';
  if (cwd.startsWith('~/')) return `./${quote(cwd.slice(2))}`;
  return cwd.startsWith('/') ? quote(cwd) : `./${quote(cwd)}`;
}
