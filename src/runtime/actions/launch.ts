import { randomUUID } from 'node:crypto';
import type { Attempt } from '../../core/events.js';
import { displayCommand, type LaunchSpec } from '../../core/launch-spec.js';
import { exitCodes, FiredupError, usageError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { redact, redactEnv } from '../../ingest/redact.js';
import { launchPayload } from './launch-payload.js';
import { decodeHex, octalEscapes } from './remote-text.js';
import { type Answer, answerCut, runScript } from './run-script.js';

export interface LaunchRequest {
  /** Under which the attempts are kept and numbered: one server of the host. */
  readonly name: string;
  readonly spec: LaunchSpec;
  /** Steps that have run for it, to be recorded. */
  readonly before?: readonly string[];
  /**
   * Names this launch. The same id twice starts one server: whoever lost the link in the middle asks again with
   * the same id. Default: a new one.
   */
  readonly id?: string;
  readonly signal?: AbortSignal;
}

/**
 * Starts a command on the host, detached: it lives on without us. Resolves when the process is there (a command that
 * cannot be found is an attempt that ended with 127). State folder: `${XDG_STATE_HOME:-~/.local/state}/firedup/NAME/N/`.
 * Rejects with `FiredupError`: `already-running`, `cwd-missing`, `log-not-writable`, `no-space`, … and then nothing was
 * started; or with the connection's error, and then it is open: ask again with the same `id`.
 */
export async function launchCommand(host: Host, request: LaunchRequest): Promise<Attempt> {
  checkName(request.name);
  const { spec } = request;
  const id = request.id ?? randomUUID();
  const payload = launchPayload(spec, id, request.before);
  const answers = await runScript(
    host,
    'launch',
    [request.name, id, octalEscapes(spec.cwd ?? ''), octalEscapes(spec.log ?? ''), String(payload.length)],
    { stdin: payload, ...(request.signal === undefined ? {} : { signal: request.signal }) },
  ).catch((error: unknown) => {
    throw error instanceof FiredupError && error.code === 'answer-cut' ? unanswered(host) : error;
  });
  const refused = answers.find(({ key }) => key === 'refused');
  if (refused !== undefined)
    throw refusal(refused.words[0] ?? '', decodeHex(refused.words[1] ?? ''), host, request);
  if (!answers.some(({ key }) => key === 'started' || key === 'again')) throw unanswered(host);
  return started(answers, request);
}

/**
 * Rejects with `already-running` where a start under `name` would be refused for other processes than those of `ending`,
 * and starts nothing: for who ends these before. The script is sent no payload, which it refuses after the others.
 */
export async function mayStart(
  host: Host,
  name: string,
  ending: readonly number[],
  signal?: AbortSignal,
): Promise<void> {
  checkName(name);
  const answers = await runScript(host, 'launch', [name, randomUUID(), '', '', '1'], {
    stdin: Buffer.alloc(0),
    ...(signal === undefined ? {} : { signal }),
  });
  const [reason = '', detail = ''] = answers.find(({ key }) => key === 'refused')?.words ?? [];
  if (reason === 'cut-payload') return;
  if (reason === '') throw answerCut(host, 'launch');
  const words = decodeHex(detail);
  // `running N PID …`, `leftover N PID,PID…`
  const pids = words.split(' ')[1]?.split(',') ?? [];
  if (ending.some((pid) => pids.includes(String(pid)))) return;
  throw refusal(reason, words, host, { name });
}

/** Throws a usage error when attempts cannot be kept under `name`. */
export function checkName(name: string): void {
  if (/^[A-Za-z0-9_][A-Za-z0-9_.@+-]{0,99}$/.test(name)) return;
  throw usageError(
    `${JSON.stringify(name)} is no name for a server.`,
    'Letters, digits and _ . @ + - will do.',
  );
}

function started(answers: readonly Answer[], request: LaunchRequest): Attempt {
  const words = (...keys: string[]) => answers.find(({ key }) => keys.includes(key))?.words ?? [];
  const [number, pid, startTicks = '', bootId = '', startedAt] = words('started', 'again');
  return {
    number: Number(number),
    name: request.name,
    folder: decodeHex(words('folder')[0] ?? ''),
    log: decodeHex(words('log')[0] ?? ''),
    logIsFresh: answers.some(({ key }) => key === 'fresh'),
    wasKilled: false,
    command: displayCommand(request.spec),
    env: redactEnv(request.spec.env),
    cwd: request.spec.cwd,
    before: (request.before ?? []).map(redact),
    pid: Number(pid),
    startTicks,
    bootId,
    startedAt: Number(startedAt) * 1000,
  };
}

function refusal(
  reason: string,
  detail: string,
  host: Host,
  { name }: Pick<LaunchRequest, 'name'>,
): FiredupError {
  const on = `on ${host.label}`;
  switch (reason) {
    case 'running': {
      const [attempt = '', pid = '-', since, from = '-', ...user] = detail.split(' ');
      const startedBy = user.length === 0 ? null : { user: user.join(' '), from: from === '-' ? null : from };
      return alreadyRunning(host, {
        name,
        number: attempt,
        pid: pid === '-' ? null : pid,
        since: Number(since),
        startedBy,
      });
    }
    case 'leftover': {
      const [attempt, pids = '', since, ...starter] = detail.split(' ');
      return failure(
        'already-running',
        `Attempt ${attempt} of "${name}" has ended, but left processes behind that go on ${on} (pid ${pids.replaceAll(',', ', ')}), ${sinceText(since)}${starterText(starter)}.`,
        'Kill or relaunch it: that ends them too; or start another one under another --name.',
      );
    }
    case 'cwd-missing':
      return failure('cwd-missing', `There is no folder ${detail} ${on}.`, 'Give another --cwd.');
    case 'cwd-denied':
      return failure('cwd-denied', `The folder ${detail} ${on} cannot be entered.`, 'Give another --cwd.');
    case 'log-is-folder':
      return failure(
        'log-is-folder',
        `The log ${detail} ${on} is a folder.`,
        'Give the path of a file to --log.',
      );
    case 'log-folder':
      return failure(
        'log-not-writable',
        `The log folder ${detail} ${on} cannot be made.`,
        'Give another --log.',
      );
    case 'log-denied':
      return failure('log-not-writable', `The log ${detail} ${on} cannot be written.`, 'Give another --log.');
    case 'no-space':
      return failure(
        'no-space',
        `There is no space left in ${detail} ${on}.`,
        'Free some, or give another --log.',
      );
    case 'state-folder':
      return failure(
        'state-folder',
        `The folder ${detail} ${on} cannot be made.`,
        'Set XDG_STATE_HOME there.',
      );
    case 'attempt-denied':
      return failure(
        'attempt-denied',
        `The attempt in ${detail} ${on} cannot be looked into; it may still run.`,
        'It is of another user: end it as that one, or start under another --name.',
      );
    case 'no-setsid':
      return failure('no-setsid', `There is no setsid ${on}.`, 'It is part of util-linux and of busybox.');
    case 'no-proc':
      return failure('not-linux', `There is no /proc ${on}.`, 'Servers can be launched on Linux only.');
    case 'cut-payload':
      return failure(
        'cut-launch',
        `The connection broke before the launch ${on}; nothing was started.`,
        null,
      );
    case 'no-start':
      return failure('no-start', `The command did not come up within 10 s ${on}; see ${detail}.`, null);
    default:
      return failure('launch-refused', `The launch was refused ${on}: ${reason} ${detail}`, null);
  }
}

/** The script has ended half way, and there is no attempt to speak of. */
const unanswered = (host: Host): FiredupError =>
  failure(
    'launch-unanswered',
    `The launch ended half way on ${host.label}: nothing is known to have been started.`,
    'firedup history tells what is there.',
  );

/** Why nothing is started under a name whose attempt runs; `since` in seconds of the epoch, 0 or NaN: not known. */
export function alreadyRunning(
  host: Host,
  running: {
    readonly name: string;
    readonly number: string | number;
    /** Null: it is being started. */
    readonly pid: string | number | null;
    readonly since: number;
    readonly startedBy: { readonly user: string; readonly from: string | null } | null;
  },
): FiredupError {
  const { name, number, pid, since, startedBy } = running;
  const who = pid === null ? 'is being started' : `runs as pid ${pid}`;
  const starter = startedBy === null ? [] : [startedBy.from ?? '-', startedBy.user];
  return failure(
    'already-running',
    `Attempt ${number} of "${name}" ${who} on ${host.label} ${sinceText(since)}${starterText(starter)}.`,
    'Watch it, kill it or relaunch it; or start another one under another --name.',
  );
}

function sinceText(epoch: string | number | undefined): string {
  const seconds = Number(epoch);
  if (!Number.isFinite(seconds) || seconds === 0) return 'since an unknown time';
  return `since ${new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
}

function starterText([from = '-', ...user]: readonly string[]): string {
  if (user.length === 0) return '';
  return ` by ${user.join(' ')}${from === '-' ? '' : ` from ${from}`}`;
}

function failure(code: string, message: string, hint: string | null): FiredupError {
  return new FiredupError(code, message, { exitCode: exitCodes.usage, hint });
}
