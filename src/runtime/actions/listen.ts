import type { Readable } from 'node:stream';
import { connectionError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { scriptCommand } from '../../remote/script.js';
import { type Answer, opening, parseAnswer, scriptFailed } from './run-script.js';

/** Like `runScript`, but each line is told as it comes, and there is no limit of time. */
export async function listen(
  host: Host,
  name: 'kill' | 'container-act',
  args: readonly string[],
  abort: AbortSignal | undefined,
  tell: (answer: Answer) => void,
): Promise<readonly Answer[]> {
  const channel = await host.exec(scriptCommand(name, args), abort === undefined ? {} : { signal: abort });
  channel.stdin.on('error', () => {});
  channel.stdin.end();
  let complaint = '';
  channel.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString('utf8')).slice(-2000);
  });
  const answers: Answer[] = [];
  let opened = false;
  for await (const line of linesOf(channel.stdout)) {
    if (opened) {
      const answer = parseAnswer(line);
      answers.push(answer);
      tell(answer);
    }
    opened ||= line === opening;
  }
  await channel.exited;
  if (answers.some(({ key }) => key === 'end')) return answers;
  if (!opened && complaint !== '') throw scriptFailed(host, name, complaint);
  throw connectionError(
    'link-lost',
    `The connection to ${host.label} broke while the server was being ended.`,
    'The kill goes on there to its end; connect again to see what is left.',
  );
}

/** Complete lines as they come. An output that is cut off ends like one that has ended. */
async function* linesOf(output: Readable): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const chunk of output) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {
    return;
  }
}
