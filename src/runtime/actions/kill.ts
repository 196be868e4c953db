import type { Readable } from 'node:stream';
import type { KillSignal } from '../../core/dialog-look.js';
import type { ActionStep } from '../../core/events.js';
import { connectionError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { scriptCommand } from '../../remote/script.js';
import { commandOf, endOf, type KillTarget, killArguments, killRefused, ownersOf } from './kill-target.js';
import { type Answer, opening, parseAnswer, scriptFailed } from './run-script.js';

export interface KillOptions {
  /** Between the signal and SIGKILL; 10 s by default. */
  readonly graceMs?: number;
  /** The first signal; TERM by default. */
  readonly signal?: KillSignal;
  readonly onStep?: (step: ActionStep) => void;
  /** For `ActionStep.action`; `kill` by default. */
  readonly action?: ActionStep['action'];
  /** Stops waiting for the answer. The script on the host goes on to its end: half a kill helps nobody. */
  readonly abort?: AbortSignal;
}

export interface KillResult {
  /** `absent`: no process of it was there; `rebooted`: the host was started anew since. Both: nothing was signalled. */
  readonly outcome: 'gone' | 'survivors' | 'absent' | 'rebooted';
  readonly survivors: readonly Survivor[];
  /**
   * Who still has the log as its standard output or error, and was no member of the tree: not signalled. It may be a
   * part of the server that cut every tie to it, or another program.
   */
  readonly others: readonly OtherWriter[];
  /** Ports that its tree listened on and that someone still listens on 5 s after its end. */
  readonly heldPorts: readonly HeldPort[];
}

export interface HeldPort {
  readonly port: number;
  /** Null: it cannot be seen who holds it. */
  readonly holder: OtherWriter | null;
}

export interface OtherWriter {
  readonly pid: number;
  readonly owner: string;
  readonly command: string;
  readonly foreign: boolean;
}

export interface Survivor {
  readonly pid: number;
  readonly owner: string;
  readonly command: string;
  /** Of another user, and so it was not tried. */
  readonly foreign: boolean;
  /** As in `/proc/PID/stat`: `D` hangs in the kernel (driver, disk) and cannot be ended. */
  readonly state: string;
}

/**
 * Ends a server with all its processes: the signal to the server, a moment later to the rest of its tree, after the
 * grace SIGKILL. Resolves when every one has gone, or with who is left. The whole sequence runs on the host, so a
 * link that breaks does not stop it half way; then this rejects with `link-lost` and the preview tells what is left.
 */
export async function killTree(
  host: Host,
  target: KillTarget,
  options: KillOptions = {},
): Promise<KillResult> {
  const action = options.action ?? 'kill';
  const step = (status: ActionStep['status'], text: string) =>
    options.onStep?.({ action, step: 'kill', status, text });
  step('active', `Ending pid ${target.pid} and its tree`);
  const answers = await listen(
    host,
    killArguments('kill', target, options),
    options.abort,
    ({ key, words }) => {
      if (key === 'signal')
        step('active', `SIG${words[0]} to ${count(Number(words[1]), 'process', 'processes')}`);
    },
  );
  const end = endOf(answers);
  if (end === 'forbidden') throw killRefused(target, host);
  const others = othersOf(answers);
  if (end === 'gone' || end === 'absent' || end === 'rebooted') {
    const text = end === 'gone' ? 'Every process has gone' : 'It was no longer running';
    const heldPorts = heldPortsOf(answers);
    const more = [
      ...(others.length > 0 ? [othersText(others)] : []),
      ...(heldPorts.length > 0 ? [heldPortsText(heldPorts)] : []),
    ];
    step(heldPorts.length > 0 ? 'failed' : 'done', [text, ...more].join('; '));
    return { outcome: end, survivors: [], others, heldPorts };
  }
  const survivors = survivorsOf(answers);
  step('failed', `${count(survivors.length, 'process is', 'processes are')} still there`);
  return { outcome: 'survivors', survivors, others, heldPorts: [] };
}

/** Like `runScript`, but each line is told as it comes, and there is no limit of time. */
async function listen(
  host: Host,
  args: readonly string[],
  abort: AbortSignal | undefined,
  tell: (answer: Answer) => void,
): Promise<readonly Answer[]> {
  const channel = await host.exec(scriptCommand('kill', args), abort === undefined ? {} : { signal: abort });
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
  if (!opened && complaint !== '') throw scriptFailed(host, 'kill', complaint);
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

function survivorsOf(answers: readonly Answer[]): readonly Survivor[] {
  const ownerOf = ownersOf(answers);
  return answers
    .filter(({ key }) => key === 'survivor')
    .map(({ words: [pid, uid = '', state = '', command = ''] }) => ({
      pid: Number(pid),
      command: commandOf(command),
      state,
      ...ownerOf(uid),
    }));
}

function othersOf(answers: readonly Answer[]): readonly OtherWriter[] {
  const ownerOf = ownersOf(answers);
  return answers
    .filter(({ key }) => key === 'other')
    .map(({ words: [pid, uid = '', command = ''] }) => ({
      pid: Number(pid),
      command: commandOf(command),
      ...ownerOf(uid),
    }));
}

function heldPortsOf(answers: readonly Answer[]): readonly HeldPort[] {
  const ownerOf = ownersOf(answers);
  return answers
    .filter(({ key }) => key === 'held')
    .map(({ words: [port, pid = '-', uid = '', command = ''] }) => ({
      port: Number(port),
      holder: pid === '-' ? null : { pid: Number(pid), command: commandOf(command), ...ownerOf(uid) },
    }));
}

/** Which ports are not free, for people. */
export function heldPortsText(ports: readonly HeldPort[]): string {
  const list = ports.map(({ port, holder }) =>
    holder === null
      ? `port ${port} by someone who cannot be seen`
      : `port ${port} by ${holder.pid} (${holder.owner}) ${holder.command}`,
  );
  return `still listened on: ${list.join('; ')}`;
}

/** Who still writes the log, for people. */
export function othersText(others: readonly OtherWriter[]): string {
  const list = others.map(({ pid, owner, command }) => `${pid} (${owner}) ${command}`).join('; ');
  return `outside its tree, still writing the log: ${list}`;
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`;
