import type { Link } from '../core/events.js';
import type { ProcessFact } from '../core/process-fact.js';
import { exitCodes, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { createContainerFollower } from '../probes/container-follow.js';
import { createFollower, type FollowChange, type Follower, type FollowerOptions } from '../probes/follow.js';
import { createProcessProbe } from '../probes/process.js';
import { keepRunning } from '../runtime/keep-running.js';
import type { Asking } from '../runtime/login-again.js';
import { createMovingLog } from '../runtime/moving-log.js';
import { type Connect, stayConnected } from '../runtime/stay-connected.js';
import type { Server } from './choose-server.js';
import { wayToFind } from './look-at-server.js';
import type { Remark } from './plain-bytes.js';
import type { TailOutput } from './tail-output.js';

export interface FollowLogOptions {
  /** Connected already. */
  readonly host: Host;
  readonly connect: Connect;
  readonly asking: Asking;
  /** The host as the user wrote it. */
  readonly label: string;
  readonly log: string;
  readonly server: Server;
  readonly lastLines: number | 'all';
  /** Stop after the last bytes of the server once its process is gone. */
  readonly untilExit: boolean;
  readonly output: TailOutput;
  readonly remark: Remark;
  readonly signal: AbortSignal;
}

/**
 * Puts a log out as it grows, across lost connections, until `signal` aborts or the server is gone (`untilExit`). What
 * happens besides is a remark, each gap with its size where that can be known. Rejects with `FiredupError` when the
 * connection is lost for good, when the host cannot be watched, or when there is no log at the end.
 */
export async function followLog(options: FollowLogOptions): Promise<void> {
  const { log, output, remark, signal } = options;
  const over = new AbortController();
  let failure: FiredupError | null = null;
  let wasDown = false;
  const fail = (error: FiredupError): void => {
    failure ??= error;
    over.abort();
  };

  const witness = exitWitness(options, (other) => {
    if (!reader.moveTo(other)) return;
    output.breakLine();
    remark(`the server writes to ${other}`);
  });
  let hasBegun = false;
  const container = options.server.kind === 'attached' ? options.server.container : null;
  const open = (path: string): Follower => {
    const following: Omit<FollowerOptions, 'path'> = {
      // After the log of a launch was left empty, the one that its command writes is the first.
      lastLines: options.lastLines === 'all' || hasBegun ? undefined : options.lastLines,
      onBytes(bytes) {
        hasBegun = true;
        output.write(bytes);
      },
      onChange(change) {
        witness.sawLog(change);
        if (change.kind !== 'opened' && change.kind !== 'caught-up') output.breakLine();
        const words = wordsFor(change, path);
        if (words !== null) remark(words);
      },
      drained: output.drained,
    };
    return container
      ? createContainerFollower({ ...following, container })
      : createFollower({ ...following, path });
  };
  const reader = createMovingLog(log, open);
  const tellLink = (link: Link): void => {
    if (link.status === 'down' && !wasDown) remark(`${link.reason}; connecting again`);
    if (link.status === 'waiting') {
      output.breakLine();
      remark(link.reason);
    }
    if (link.status === 'up' && wasDown) remark('connected again');
    wasDown = link.status !== 'up';
    if (link.status === 'lost') fail(lostForGood(options.label, link.reason));
  };
  const onFault = (error: unknown): void => {
    if (error instanceof FiredupError && error.code === 'host-unsupported') fail(error);
  };
  const use = async (host: Host, lost: AbortSignal): Promise<void> => {
    const gone = witness.gone.signal;
    const either = AbortSignal.any([lost, gone]);
    await Promise.all([
      keepRunning(reader, host, either, onFault),
      options.untilExit || mayMove(options.server) ? keepRunning(witness.probe, host, either, onFault) : null,
    ]);
    // All that it wrote is in the file by now.
    await keepRunning({ run: reader.runToEnd }, host, lost, onFault);
  };

  const connection = stayConnected({
    host: options.host,
    connect: options.connect,
    asking: options.asking,
    use,
    tell: tellLink,
    signal: AbortSignal.any([signal, over.signal]),
    now: Date.now,
    random: Math.random,
  });
  await connection.ended;
  await connection.host().close();
  if (failure !== null) throw failure;
  if (!signal.aborted && !witness.hasLog()) {
    throw new FiredupError('no-log', `The server is gone, and there is no log ${log} to read.`, {
      exitCode: exitCodes.usage,
    });
  }
}

/** A launch whose command may send its output elsewhere. */
const mayMove = (server: Server): boolean =>
  server.kind === 'launched' && ['starting', 'running'].includes(server.record.life.kind);

/**
 * Tells, through `gone`, that the server has ended: it was seen to go, or nobody writes the log that is there. `moved`
 * hears of the file that a launch writes to.
 */
function exitWitness({ server, log, remark, untilExit }: FollowLogOptions, moved: (path: string) => void) {
  const gone = new AbortController();
  let fact: ProcessFact | null = null;
  let isOpen = false;
  const judge = (): void => {
    if (!untilExit) return;
    if (fact?.status === 'gone' || (fact?.status === 'absent' && isOpen)) gone.abort();
  };
  const probe = createProcessProbe({
    find: server.kind === 'launched' || server.container ? wayToFind(server) : { ...wayToFind(server), log },
    now: Date.now,
    emit: ({ process }) => {
      fact = process;
      if (process.status === 'unknown' && untilExit)
        remark(`it cannot be told whether the server runs: ${process.reason}`);
      judge();
    },
    onWritesTo: (other) => remark(`${log} is not there; the server writes to ${other}`),
    onWritesElsewhere(other) {
      if (server.kind === 'launched') moved(other);
      else if (other !== log) remark(`${log} is empty; the server writes to ${other}`);
    },
  });
  return {
    gone,
    probe,
    hasLog: () => isOpen,
    sawLog(change: FollowChange) {
      if (change.kind === 'opened') isOpen = true;
      judge();
    },
  };
}

function wordsFor(change: FollowChange, log: string): string | null {
  switch (change.kind) {
    case 'missing':
      return `${log} is not there yet; waiting for it`;
    case 'unreadable':
      return `${log} cannot be read: ${change.reason}; waiting until it can`;
    case 'truncated':
      return change.lostBytes === 0 ? null : gap(change.lostBytes, `${log} was truncated`);
    case 'gap':
      return gap(change.bytes, `${log} is not what it was before the connection was lost`);
    case 'opened':
    case 'caught-up':
    case 'rotated':
      return null;
  }
}

const gap = (bytes: number | null, why: string): string =>
  `gap of ${bytes === null ? 'unknown size' : `${bytes} bytes`}: ${why}`;

const lostForGood = (label: string, reason: string): FiredupError =>
  new FiredupError('link-lost', `The connection to ${label} is lost for good: ${reason}`, {
    exitCode: exitCodes.connection,
  });
