import { connectionError, type FiredupError } from '../../errors.js';
import type { Finished, Host } from '../../host/host.js';
import { type RunOptions, run } from '../../host/run.js';
import { scriptCommand } from '../../remote/script.js';

/**
 * Runs one of our scripts to its end and returns what it said, line by line, as words. Lines that an rc file of the
 * login shell printed before are dropped. Its last line is `end` or `end WORDS`: an answer without it was cut off (a
 * process that was killed, a host out of processes or memory), and tells nothing, least of all that something is not
 * there. Rejects with `FiredupError`: `script-failed` when it said nothing, `answer-cut`, `link-lost` when the connection
 * broke meanwhile, and what `run` does.
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
  if (!/(^|\n)end( [^\n]*)?\n$/.test(text)) throw answerCut(host, name, finished.stderr);
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

export function scriptFailed(host: Host, name: string, stderr: string): FiredupError {
  return connectionError(
    'script-failed',
    `The ${name} script gave no answer on ${host.label}${lastWords(stderr)}.`,
    'firedup needs a POSIX sh, awk, sed and od there, and Linux.',
  );
}

/** It began to answer, and did not come to the end: nothing may be concluded from what it has not said. */
export function answerCut(host: Host, name: string, stderr = ''): FiredupError {
  return connectionError(
    'answer-cut',
    `The answer of the ${name} script on ${host.label} broke off${lastWords(stderr)}.`,
    'Try again; is the host out of processes, memory or disk?',
  );
}

function lastWords(stderr: string): string {
  const reason = stderr.trim().split('\n').at(-1) ?? '';
  return reason === '' ? '' : `: ${reason}`;
}

function spoken(finished: Finished): string | null {
  const marker = `\n${opening}\n`;
  const at = finished.stdout.indexOf(marker);
  return at === -1 ? null : finished.stdout.slice(at + marker.length);
}
