import type { ActionStep } from '../../core/events.js';
import type { Host } from '../../host/host.js';
import { stopContainer } from './container-act.js';
import { unseenBoot } from './container-target.js';
import type { HeldPort, KillOptions, KillResult, OtherWriter, Survivor } from './kill-result.js';
import { endOf, type KillTarget, killArguments, killRefused } from './kill-target.js';
import { listen } from './listen.js';
import { type Answer, answerCut, runScript } from './run-script.js';
import { commandOf, ownersOf } from './told-process.js';

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
  const step = (status: ActionStep['status'], text: string, isSignal = false) =>
    options.onStep?.({ action, step: 'kill', status, text, ...(isSignal ? { isSignal } : {}) });
  const name = target.container ? `container ${target.container.name}` : `pid ${target.pid} and its tree`;
  step('active', `Ending ${name}`);
  let ended: KillResult['outcome'] | null = null;
  if (target.container) {
    const outcome = await stopContainer(host, target.container, options, (text) =>
      step('active', text, true),
    );
    const survivors = await stillThere(host, target, options.abort);
    if (outcome === 'survivors' || survivors.length > 0) {
      step('failed', outcome === 'survivors' ? 'The container still runs' : stillThereText(survivors));
      return { outcome: 'survivors', survivors, others: [], heldPorts: [] };
    }
    if (target.bootId === unseenBoot) {
      step('done', 'The container has ended');
      return { outcome, survivors, others: [], heldPorts: [] };
    }
    ended = outcome;
  }
  // After a container has ended this finds nobody to signal, and looks whether the ports are free.
  const answers = await listen(
    host,
    'kill',
    killArguments('kill', target, options),
    options.abort,
    ({ key, words }) => {
      if (key === 'signal')
        step('active', `SIG${words[0]} to ${count(Number(words[1]), 'process', 'processes')}`, true);
    },
  );
  const end = ended ?? endOf(answers);
  if (end === 'forbidden') throw killRefused(target, host);
  if (end === 'blind') throw answerCut(host, 'kill');
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
  step('failed', stillThereText(survivors));
  return { outcome: 'survivors', survivors, others, heldPorts: [] };
}

/** What of a container's processes is there after its end: they are the engine's to signal. */
async function stillThere(
  host: Host,
  target: KillTarget,
  abort: AbortSignal | undefined,
): Promise<readonly Survivor[]> {
  const options = abort === undefined ? {} : { signal: abort };
  const answers = await runScript(host, 'kill', killArguments('list', target), options);
  if (endOf(answers) === 'blind') throw answerCut(host, 'kill');
  const ownerOf = ownersOf(answers);
  return answers
    .filter(({ key }) => key === 'member')
    .map(({ words: [pid, , , uid = '', , command = ''] }) => ({
      pid: Number(pid),
      command: commandOf(command),
      state: '?',
      ...ownerOf(uid),
    }));
}

const stillThereText = (survivors: readonly Survivor[]): string =>
  `${count(survivors.length, 'process is', 'processes are')} still there`;

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
