import { connectionError } from '../../errors.js';
import type { Finished, Host } from '../../host/host.js';
import { type RunOptions, run } from '../../host/run.js';
import { scriptCommand } from '../../remote/script.js';

/**
 * Runs one of our scripts to its end and returns what it said, line by line, as words. Lines that an rc file of the
 * login shell printed before are dropped. Rejects with `FiredupError`: `script-failed` when it said nothing,
 * `link-lost` when the connection broke meanwhile, and what `run` does.
 */
export async function runScript(
  host: Host,
  name: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<readonly Answer[]> {
  const finished = await run(host, scriptCommand(name, args), options);
  const text = spoken(finished);
  if (finished.lost) throw connectionError('link-lost', `The connection to ${host.label} broke.`);
  if (text === null) throw scriptFailed(host, name, finished.stderr);
  return text.split('\n').filter(Boolean).map(parseAnswer);
}

export interface Answer {
  readonly key: string;
  readonly words: readonly string[];
}

/** `KEY WORD WORD`: all that our scripts say is ASCII; what may be anything else is hex encoded. */
export function parseAnswer(line: string): Answer {
  const [key = '', ...words] = line.split(' ');
  return { key, words };
}

/** The line after which the output is the script's own. */
export const opening = '=firedup=';

export function scriptFailed(host: Host, name: string, stderr: string): Error {
  const reason = stderr.trim().split('\n').at(-1) ?? '';
  return connectionError(
    'script-failed',
    `The ${name} script gave no answer on ${host.label}${reason === '' ? '' : `: ${reason}`}.`,
    'firedup needs a POSIX sh, awk, sed and od there, and Linux.',
  );
}

function spoken(finished: Finished): string | null {
  const marker = `\n${opening}\n`;
  const at = finished.stdout.indexOf(marker);
  return at === -1 ? null : finished.stdout.slice(at + marker.length);
}
