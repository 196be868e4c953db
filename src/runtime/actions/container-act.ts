import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import type { KillOptions, KillResult } from './kill-result.js';
import { type ContainerTarget, endOf } from './kill-target.js';
import { listen } from './listen.js';
import { decodeHex } from './remote-text.js';
import type { Answer } from './run-script.js';

/**
 * Ends one run of a container through its engine; resolves when the engine says that it has ended. `tell` hears of each
 * signal. Rejects with `FiredupError` `container-not-stopped` (the engine's words, exit code 7) or `link-lost`: then it
 * goes on there to its end.
 */
export async function stopContainer(
  host: Host,
  container: ContainerTarget,
  { signal, graceMs, abort }: KillOptions,
  tell: (text: string) => void,
): Promise<Exclude<KillResult['outcome'], 'rebooted'>> {
  const { engine, id, started, name } = container;
  const graceSeconds = Math.ceil((graceMs ?? 10_000) / 1000);
  const args = ['stop', engine, id, started, signal ?? 'TERM', String(graceSeconds)];
  const answers = await listen(host, 'container-act', args, abort, ({ key, words }) => {
    if (key === 'signal') tell(`SIG${words[0]} to container ${name} by ${engine} kill`);
    if (key === 'stopping')
      tell(`${engine} stop ${name} (${words[0]}, then KILL): its restart policy is ${words[1]}`);
  });
  const end = endOf(answers);
  if (end === 'gone') return 'gone';
  if (end === 'absent' || end === 'changed') return 'absent';
  const words = wordsOf(answers);
  if (words === null) return 'survivors';
  throw new FiredupError('container-not-stopped', `${engine} has not ended container ${name}: ${words}`, {
    exitCode: exitCodes.survivors,
    hint: 'Look at it there; what hangs in the kernel (driver, disk) cannot be ended.',
  });
}

/** Starts a container that has ended, as it was made. Rejects with `FiredupError` `container-not-started`. */
export async function startContainer(
  host: Host,
  { engine, id, name }: Pick<ContainerTarget, 'engine' | 'id' | 'name'>,
  abort?: AbortSignal,
): Promise<{ readonly started: string; readonly pid: number }> {
  const answers = await listen(host, 'container-act', ['start', engine, id, '-', '-', '0'], abort, () => {});
  const [started = '', pid = '0'] = answers.find(({ key }) => key === 'run')?.words ?? [];
  if (endOf(answers) === 'started') return { started, pid: Number(pid) };
  throw new FiredupError(
    'container-not-started',
    `${engine} could not start container ${name}: ${wordsOf(answers) ?? 'no reason given'}`,
    {
      exitCode: exitCodes.usage,
      hint: 'A container made with --rm is gone once it has ended: it has to be made anew with run.',
    },
  );
}

function wordsOf(answers: readonly Answer[]): string | null {
  const hex = answers.find(({ key }) => key === 'failed')?.words[0];
  return hex ? decodeHex(hex) : null;
}
