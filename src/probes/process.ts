import type { Event } from '../core/events.js';
import {
  type ContainerPlace,
  type ContainerRun,
  type ProcessDoubt,
  type ProcessFact,
  processDoubts,
  type SeenContainer,
  type TreeMember,
} from '../core/process-fact.js';
import type { Host } from '../host/host.js';
import { withoutMarkLine } from '../remote/mark-line.js';
import type { ScriptOptions } from '../remote/script.js';
import { parseExitStatus } from './exit-status.js';
import { cannotWork, fromHex, lineReader, protocolError, runScript } from './run-script.js';
import { microseconds } from './timed-lines.js';

/** How the server's process is found; the first of pid, launch folder, log, port that is given decides. */
export interface FindProcess {
  readonly pid?: number | null | undefined;
  /** State folder of a launch of ours on the host, with its `pid` and `exit` files. */
  readonly launchFolder?: string | null | undefined;
  readonly log?: string | null | undefined;
  readonly port?: number | null | undefined;
  /** Goes before them all. One that was seen to run and is not there any more has gone. */
  readonly container?: SeenContainer | null | undefined;
}

export interface ProcessProbeOptions {
  readonly find: FindProcess;
  readonly emit: (event: Extract<Event, { type: 'process' }>) => void;
  /** Ms since the epoch. */
  readonly now: () => number;
  /** Hears of the file that the process writes to while `find.log` does not exist: `LogProbe.setWritesTo`. */
  readonly onWritesTo?: ((path: string) => void) | undefined;
  /**
   * Hears of the file that one of the tree writes to while `find.log` is there and empty; of `find.log` itself when it has
   * got something after that.
   */
  readonly onWritesElsewhere?: ((path: string) => void) | undefined;
  /** Hears of the file that the process writes to where `find.log` is not given: the log of a server found otherwise. */
  readonly onOutputFile?: ((path: string) => void) | undefined;
  /** Hears of the container that a process runs in which was found otherwise. */
  readonly onContainer?: ((name: string) => void) | undefined;
  readonly script?: ScriptOptions | undefined;
}

export interface ProcessProbe {
  /** Watches until `signal` aborts; rejects with `FiredupError` when the link or the remote part ends. */
  run(host: Host, signal: AbortSignal): Promise<void>;
}

/**
 * Finds the server's process by the contract's rule 3 and tells its tree, its end, or that and why it is not known;
 * an event for each change. A pid that is used again is told apart by boot id and start.
 */
export function createProcessProbe(options: ProcessProbeOptions): ProcessProbe {
  const { find, emit, now } = options;
  /** Who was alive in an earlier run, so that an end during a lost link is told as one. */
  let alive: Identity | null = null;

  return {
    async run(host, signal) {
      const before = alive;
      let boot = '-';
      let clock: Clock = { bootAt: null, hz: 100 };
      const tell = (process: ProcessFact) => {
        if (process.status === 'alive') alive = { boot, ...process };
        if (process.status === 'gone') alive = null;
        emit({ type: 'process', at: now(), process });
      };
      const readFact = factReader(() => clock, find.container ?? null);
      const tellFile = find.log ? options.onWritesTo : options.onOutputFile;
      await runScript(
        host,
        {
          ...scriptOf(find, wasAlive(before)),
          options: options.script,
          onHello(words) {
            boot = words.get('boot') ?? '-';
            const seconds = Number(words.get('btime'));
            clock = { bootAt: seconds > 0 ? seconds * 1000 : null, hz: Number(words.get('hz')) || 100 };
          },
          onOutput: lineReader((line) => {
            if (line.startsWith('W ')) return tellFile?.(fromHex(line.slice(2)));
            if (line.startsWith('E ')) return options.onWritesElsewhere?.(fromHex(line.slice(2)));
            if (line.startsWith('k ')) return options.onContainer?.(line.slice(2));
            const fact = readFact(line);
            if (fact !== null) tell(fact);
          }),
        },
        signal,
      );
    },
  };
}

interface Identity {
  readonly boot: string;
  readonly pid: number;
  readonly startTicks: string;
  readonly foundBy: Alive['foundBy'];
  readonly container?: ContainerRun;
  readonly doubt?: ProcessDoubt;
}

interface Clock {
  /** Boot of the host, ms since the epoch by its own clock. */
  readonly bootAt: number | null;
  readonly hz: number;
}

/** The script that looks for the process, and its arguments. */
function scriptOf(
  find: FindProcess,
  before: string,
): { readonly name: string; readonly args: readonly string[] } {
  const { container } = find;
  if (container) {
    const args = [before || wasRunning(container), container.engine, container.name];
    return { name: 'process-of-container', args };
  }
  if (find.pid == null && find.launchFolder) {
    return { name: 'process-of-launch', args: [find.log ?? '', find.launchFolder, before] };
  }
  return { name: 'process', args: [text(find.pid), find.log ?? '', text(find.port), before] };
}

const text = (number: number | null | undefined): string => (number == null ? '' : String(number));

const wasAlive = (identity: Identity | null): string =>
  identity === null
    ? ''
    : [
        identity.boot,
        identity.pid,
        identity.startTicks,
        identity.foundBy,
        ...(identity.container ? [identity.container.id, identity.container.started] : []),
        ...(identity.doubt ? [identity.doubt] : []),
      ].join(' ');

const wasRunning = (container: FindProcess['container']): string =>
  container?.running ? `- ${container.pid} 0 container ${container.id} ${container.started}` : '';

type Alive = Extract<ProcessFact, { status: 'alive' }>;

/** Reads the lines of `process.sh` one by one; returns a fact when one is complete. */
function factReader(clock: () => Clock, place: ContainerPlace | null): (line: string) => ProcessFact | null {
  const commands = new Map<number, string>();
  let container: ContainerRun | null = null;
  let isEnded = false;
  let open: { head: readonly string[]; tree: TreeMember[]; doubt: ProcessDoubt | null } | null = null;

  return (line) => {
    const [mark, ...words] = line.split(' ');
    switch (mark) {
      case 'c': {
        const [, id = '', started = '', restarts = '0', error = ''] = words;
        if (place)
          container = { ...place, id, started, restarts: Number(restarts) || 0, error: fromHex(error) };
        return null;
      }
      case 'K':
        isEnded = true;
        return null;
      case 'A':
        isEnded = false;
        open = { head: words, tree: [], doubt: null };
        return null;
      case 'D':
        if (open) open.doubt = processDoubts.find((doubt) => doubt === words[0]) ?? 'silent';
        return null;
      case 'C':
        commands.set(Number(words[0]), withoutMarkLine(wholeWords(words.slice(1).join(' ')).trim()));
        return null;
      case 'M':
        open?.tree.push({
          pid: Number(words[0]),
          parent: Number(words[1]),
          startTicks: words[2] ?? '',
          command: commands.get(Number(words[0])) ?? '',
        });
        return null;
      case 'end': {
        if (open === null) throw protocolError('a process without a beginning');
        const known = withContainer(aliveFact(open.head, open.tree, clock()), container);
        const fact = open.doubt === null ? known : { ...known, doubt: open.doubt };
        const members = new Set(open.tree.map(({ pid }) => pid));
        for (const pid of commands.keys()) if (!members.has(pid)) commands.delete(pid);
        open = null;
        return fact;
      }
      case 'G':
        return {
          status: 'gone',
          pid: Number(words[0]),
          exit: parseExitStatus(words.slice(1).join(' ')),
          ...(container === null ? {} : { container }),
          ...(isEnded ? { endedOnPurpose: true } : {}),
        };
      case 'N':
        return words.length === 0 ? { status: 'absent' } : { status: 'absent', reason: words.join(' ') };
      case 'U':
        return { status: 'unknown', reason: words.join(' ') };
      case 'X':
        throw cannotWork(words.join(' '));
      default:
        return null;
    }
  };
}

/** How much of a command line `process-loop.sh` tells (bytes). */
const commandBytes = 1500;

/** A word that was cut may look like another one: `--port 300`. */
const wholeWords = (command: string): string =>
  Buffer.byteLength(command) < commandBytes ? command : command.replace(/ \S*$/, ' …');

function aliveFact(head: readonly string[], tree: readonly TreeMember[], clock: Clock): Alive {
  const [pid = '', startTicks = '', foundBy = '', age = '', user = '-'] = head;
  if (!isFoundBy(foundBy)) throw protocolError('a process found in an unknown way');
  return {
    status: 'alive',
    pid: Number(pid),
    startTicks,
    startedAt:
      clock.bootAt === null ? null : clock.bootAt + Math.round((Number(startTicks) * 1000) / clock.hz),
    ageMs: Math.max(0, Math.round((Number(age) * 1000) / clock.hz)),
    command: tree.find((member) => member.pid === Number(pid))?.command ?? '',
    user: user === '-' ? null : user,
    foundBy,
    tree,
  };
}

/** The engine knows its start better than the ticks of a process that may not be seen from here. */
function withContainer(fact: Alive, container: ContainerRun | null): Alive {
  if (container === null) return fact;
  const startedAt = Math.floor(microseconds(container.started) / 1000);
  return { ...fact, container, startedAt: startedAt > 0 ? startedAt : fact.startedAt };
}

const isFoundBy = (word: string): word is Alive['foundBy'] =>
  ['pid', 'log', 'port', 'launch', 'container'].includes(word);
