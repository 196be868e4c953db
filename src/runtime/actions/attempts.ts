import type { Attempt } from '../../core/events.js';
import { type LaunchSpec, launchSpec } from '../../core/launch-spec.js';
import type { ExitStatus } from '../../core/process-fact.js';
import { exitCodes, FiredupError } from '../../errors.js';
import type { Host } from '../../host/host.js';
import { parseExitStatus } from '../../probes/exit-status.js';
import { seeStatus } from './check-pid.js';
import { type GpuUse, parseGpuUse } from './gpu-holders.js';
import { checkName } from './launch.js';
import { decodeHex } from './remote-text.js';
import { type Answer, runScript } from './run-script.js';

/** One launch as its folder on the host tells it, and what has become of it. */
export interface AttemptRecord {
  readonly attempt: Attempt;
  /** The launch's id, which all its processes carry as `FIREDUP_ATTEMPT`. */
  readonly id: string;
  /** Host name that it ran on: a home folder may be shared by several. */
  readonly hostname: string | null;
  /** Who started it, and from which address (null: not over ssh, or not recorded). */
  readonly startedBy: { readonly user: string; readonly from: string | null } | null;
  /** What was in use on the GPUs just before; null: not recorded. */
  readonly gpusBefore: GpuUse | null;
  /** Its log is empty, and nobody has seen yet whether it writes to another file. */
  readonly isSilent: boolean;
  readonly life: AttemptLife;
}

export type AttemptLife =
  | { readonly kind: 'starting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ended'; readonly exit: ExitStatus }
  /** The process has gone and nobody recorded how; or it ran under another boot of this or another host. */
  | { readonly kind: 'unknown'; readonly reason: string };

/** The names under which there are attempts on the host. */
export async function listNames(host: Host, signal?: AbortSignal): Promise<readonly string[]> {
  const answers = await ask(host, ['names'], signal);
  return answers.filter(({ key }) => key === 'name').map(({ words }) => words.join(' '));
}

/** The attempts under a name, the first first. */
export async function listAttempts(
  host: Host,
  name: string,
  signal?: AbortSignal,
): Promise<readonly AttemptRecord[]> {
  checkName(name);
  const answers = await ask(host, ['list', name], signal);
  return blocks(answers).map((block) => recordOf(block, name));
}

/**
 * The attempt that is meant where only the name is given: the one that runs here, else the last. On a home folder that
 * several hosts share, the last one may be another host's.
 */
export function currentAttempt(records: readonly AttemptRecord[]): AttemptRecord | undefined {
  const runs = ({ life }: AttemptRecord) => life.kind === 'running' || life.kind === 'starting';
  return records.findLast(runs) ?? records.at(-1);
}

/**
 * One attempt with what is needed to start it again: argv, environment (real values), cwd and log template come back
 * as they were given. Rejects with `FiredupError` `no-attempt` or `state-unreadable`.
 */
export async function readAttempt(
  host: Host,
  name: string,
  number: number | 'latest',
  signal?: AbortSignal,
): Promise<AttemptRecord & { readonly spec: LaunchSpec }> {
  checkName(name);
  const answers = await ask(host, ['read', name, String(number)], signal);
  const [block] = blocks(answers);
  if (block === undefined) {
    const what = number === 'latest' ? 'attempt' : `attempt ${number}`;
    throw new FiredupError('no-attempt', `There is no ${what} of "${name}" on ${host.label}.`, {
      exitCode: exitCodes.usage,
      hint: seeStatus(host),
    });
  }
  return { ...recordOf(block, name), spec: specOf(block.get('launch')?.[0] ?? '', host) };
}

/** Runs `attempts.sh`. What may not be read is no sign that nothing is there. */
async function ask(
  host: Host,
  args: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly Answer[]> {
  const answers = await runScript(host, 'attempts', args, signal === undefined ? {} : { signal });
  const hidden = answers.find(({ key }) => key === 'denied')?.words[0];
  if (hidden === undefined) return answers;
  throw new FiredupError(
    'state-unreadable',
    `What was launched on ${host.label} is not known: the folder ${decodeHex(hidden)} cannot be read.`,
    {
      exitCode: exitCodes.usage,
      hint: 'Is it of another user, or XDG_STATE_HOME set for another one there?',
    },
  );
}

type Block = ReadonlyMap<string, readonly string[]>;

function blocks(answers: readonly Answer[]): Block[] {
  const found: Map<string, readonly string[]>[] = [];
  for (const { key, words } of answers) {
    if (key === 'attempt') found.push(new Map());
    found.at(-1)?.set(key, words);
  }
  return found;
}

function recordOf(block: Block, name: string): AttemptRecord {
  const text = (key: string) => decodeHex(block.get(key)?.[0] ?? '');
  const [pid, startTicks = '', bootId = '', startedAt] = block.get('pid') ?? [];
  const starter = block.get('starter') ?? [];
  const shown = shownLaunch(text('shown'));
  return {
    attempt: {
      number: Number(block.get('attempt')?.[0]),
      name,
      folder: text('folder'),
      log: text('log'),
      ...(block.has('writes-to') ? { writesTo: text('writes-to') } : {}),
      logIsFresh: block.has('fresh'),
      wasKilled: block.has('killed'),
      ...shown,
      pid: Number(pid ?? 0),
      startTicks,
      bootId,
      startedAt: Number(startedAt ?? starter[3] ?? 0) * 1000,
    },
    id: block.get('id')?.[0] ?? '',
    hostname: starter[4] ?? null,
    startedBy: starterOf(starter.slice(5)),
    gpusBefore: parseGpuUse(text('gpus')),
    isSilent: block.has('empty'),
    life: lifeOf(block),
  };
}

/** `FROM|- USER`; a name of a directory service may hold blanks. */
function starterOf([from = '-', ...user]: readonly string[]): AttemptRecord['startedBy'] {
  return user.length === 0 ? null : { user: user.join(' '), from: from === '-' ? null : from };
}

function lifeOf(block: Block): AttemptLife {
  const exit = parseExitStatus((block.get('exit') ?? []).join(' '));
  if (exit !== null) return { kind: 'ended', exit };
  switch (block.get('alive')?.[0]) {
    case 'yes':
      return { kind: block.has('pid') ? 'running' : 'starting' };
    case 'other-boot':
      return { kind: 'unknown', reason: 'it ran before the last boot of this host, or on another one' };
    default:
      if (!block.has('pid')) return { kind: 'unknown', reason: 'it never came up' };
      // In KiB: a block or two may have come back meanwhile.
      if (Number(block.get('room')?.[0] || 64) < 64)
        return { kind: 'unknown', reason: 'the disk of its folder is full' };
      return { kind: 'unknown', reason: 'its supervisor was killed' };
  }
}

/** What was launched as it may be shown. */
function shownLaunch(json: string): Pick<Attempt, 'command' | 'env' | 'cwd' | 'before'> {
  const shown = parsed(json);
  const command = typeof shown?.command === 'string' ? shown.command : '';
  const { cwd, before } = shown ?? {};
  return {
    command,
    env: variables(shown?.env),
    ...(typeof cwd === 'string' || cwd === null ? { cwd } : {}),
    ...(Array.isArray(before) ? { before: before.filter((step) => typeof step === 'string') } : {}),
  };
}

function specOf(hex: string, host: Host): LaunchSpec {
  const stored = parsed(decodeHex(hex));
  if (
    stored === null ||
    !Array.isArray(stored.command) ||
    !stored.command.every((word) => typeof word === 'string')
  ) {
    throw new FiredupError('unreadable-attempt', `What was launched on ${host.label} cannot be read.`, {
      exitCode: exitCodes.usage,
    });
  }
  return launchSpec({
    command: stored.command,
    shell: stored.shell === true,
    env: variables(stored.env),
    cleanEnv: stored.cleanEnv === true,
    cwd: typeof stored.cwd === 'string' ? stored.cwd : null,
    log: typeof stored.log === 'string' ? stored.log : null,
  });
}

function variables(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'),
  );
}

function parsed(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}
