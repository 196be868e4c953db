import { logOfAttempt } from '../core/attempt-log.js';
import type { ContainerPlace, ProcessFact } from '../core/process-fact.js';
import { exitCodes, FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import { createProcessProbe, type FindProcess } from '../probes/process.js';
import type { AttemptRecord } from '../runtime/actions/attempts.js';
import { readCommand } from '../runtime/actions/read-command.js';
import type { Server } from './choose-server.js';

/**
 * The log that the server writes: as given or recorded, of a container the words that name it, else what its standard output goes to. Null where that is no
 * file, or cannot be read.
 */
export async function findLog(host: Host, server: Server): Promise<string | null> {
  if (server.kind === 'launched') return logOfAttempt(server.record.attempt);
  if (server.container !== null) return containerLog(server.container);
  if (server.log !== null) return server.log;
  const fact = await lookAtProcess(host, server);
  return fact.status === 'alive' ? (await readCommand(host, fact.pid)).log : null;
}

/** The same; a usage error where it cannot be told. */
export async function requireLog(host: Host, server: Server): Promise<string> {
  const log = await findLog(host, server);
  if (log !== null) return log;
  throw new FiredupError('no-log', `It cannot be told which log that server on ${host.label} writes.`, {
    exitCode: exitCodes.usage,
    hint: 'Give it with --log PATH.',
  });
}

/** The same for a single look: a launch that has left its log empty so far is looked at for the file that it writes. */
export const requireLogNow = (host: Host, server: Server): Promise<string> =>
  server.kind === 'launched' && server.record.isSilent && server.record.life.kind === 'running'
    ? logWrittenNow(host, server.record)
    : requireLog(host, server);

/** How the log of a container is called; no path. */
const containerLog = ({ engine, name }: ContainerPlace): string => `${engine} logs ${name}`;

/** What leads to the server's process. */
export const wayToFind = (server: Server): FindProcess =>
  server.kind === 'launched'
    ? { pid: null, log: server.record.attempt.log, port: null, launchFolder: server.record.attempt.folder }
    : {
        pid: server.pid,
        log: server.log,
        port: server.port,
        launchFolder: null,
        container: server.container,
      };

/** How long a first look at the process may take (ms). */
const lookMs = 15_000;

/** What it writes to is told together with its tree (ms after that). */
const fileMs = 1000;

/**
 * The log of a launch that runs and has left it empty so far: the file that its command writes to itself, if one of its
 * processes has it open now.
 */
async function logWrittenNow(host: Host, { attempt }: AttemptRecord): Promise<string> {
  const enough = new AbortController();
  let timer = setTimeout(() => enough.abort(), lookMs);
  let log = attempt.log;
  const probe = createProcessProbe({
    find: { log, launchFolder: attempt.folder },
    now: Date.now,
    emit({ process }) {
      clearTimeout(timer);
      timer = setTimeout(() => enough.abort(), process.status === 'alive' ? fileMs : 0);
    },
    onWritesElsewhere(other) {
      log = other;
      enough.abort();
    },
  });
  try {
    await probe.run(host, enough.signal);
  } finally {
    clearTimeout(timer);
  }
  return log;
}

/** What is known of the server's process now. */
export async function lookAtProcess(host: Host, server: Server): Promise<ProcessFact> {
  const find = wayToFind(server);
  const enough = new AbortController();
  const timer = setTimeout(() => enough.abort(), lookMs);
  let fact: ProcessFact = { status: 'unknown', reason: `no answer within ${lookMs / 1000} s` };
  const probe = createProcessProbe({
    find,
    now: Date.now,
    emit: (event) => {
      if (event.type !== 'process') return;
      fact = event.process;
      enough.abort();
    },
  });
  try {
    await probe.run(host, enough.signal);
  } finally {
    clearTimeout(timer);
  }
  return fact;
}
