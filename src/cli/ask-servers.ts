import { type ServerState, selectServerState } from '../core/select/server-state.js';
import type { State } from '../core/state.js';
import { connectionError, describeError, FiredupError } from '../errors.js';
import { openQuestion } from '../host/failures.js';
import type { Host } from '../host/host.js';
import { listNames } from '../runtime/actions/attempts.js';
import { startWatch } from '../runtime/watch.js';
import { chooseServer } from './choose-server.js';
import { wayBack } from './commands/watch.js';
import { connectAgain, hostSpec } from './connection.js';
import { lendNothing } from './lending.js';
import { loadEngines } from './load-engines.js';
import { findLog } from './look-at-server.js';
import type { TargetOptions } from './resolve-target.js';
import { targetOf } from './watch-target.js';
import { within } from './within.js';

/** A server whose state is wanted. */
export interface Asked {
  /** Its name in the config; null for one that is named by its host. */
  readonly target: string | null;
  readonly label: string;
  readonly options: TargetOptions;
}

/** What became of the question. */
export type Answer =
  | { readonly kind: 'judged'; readonly name: string | null; readonly state: ServerState }
  /** Nothing was launched there, or not under that name. */
  | { readonly kind: 'none'; readonly text: string }
  /** `needsAnswer`: the login asks for something that nobody was asked for. */
  | { readonly kind: 'unreachable'; readonly text: string; readonly needsAnswer: boolean }
  | { readonly kind: 'failed'; readonly text: string };

/** How long a connection may take, then each server, and all of a host together (ms). */
const connectMs = 15_000;
const judgeMs = 10_000;
const hostMs = 30_000;

/** How many servers of a host are looked at together: each look is several processes there. */
const mostAtOnce = 6;

/**
 * Asks for the state of servers, all at once, over one connection a host; nobody is asked for a password. Each one is
 * watched as `firedup wait` would, until its verdict stands or the time is up. `tell` hears of each as it comes.
 * Resolves when all have been told of, or `signal` aborts. Never rejects for what happens on a host.
 */
export async function askServers(
  asked: readonly Asked[],
  tell: (one: Asked, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const byHost = new Map<string, Asked[]>();
  for (const one of asked) {
    const key = JSON.stringify(hostSpec(one.label, one.options));
    byHost.set(key, [...(byHost.get(key) ?? []), one]);
  }
  await Promise.all([...byHost.values()].map((group) => askHost(group, tell, signal)));
}

async function askHost(
  group: readonly Asked[],
  tell: (one: Asked, answer: Answer) => void,
  signal: AbortSignal,
): Promise<void> {
  const [first] = group;
  if (first === undefined) return;
  const spec = hostSpec(first.label, first.options);
  const late = AbortSignal.timeout(connectMs);
  let host: Host;
  try {
    host = await connectAgain(spec)(AbortSignal.any([signal, late]));
  } catch (error) {
    const question = openQuestion(error);
    const text = late.aborted
      ? `There was no connection within ${connectMs / 1000} s.`
      : (question ?? describeError(error));
    for (const one of group) tell(one, { kind: 'unreachable', text, needsAnswer: question !== null });
    return;
  }
  const { signal: over, stop } = within(signal, hostMs);
  const leave = (): void => void host.close();
  over.addEventListener('abort', leave, { once: true });
  try {
    const meant = await Promise.all(group.map((one) => serversMeant(host, one, over).catch(() => [one])));
    const waiting = meant.flat();
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const answer = await askServer(host, one, over).catch((error) => failure(error, over));
        if (!signal.aborted) tell(one, answer);
      }
    };
    await Promise.all(Array.from({ length: mostAtOnce }, work));
  } finally {
    stop();
    over.removeEventListener('abort', leave);
    await host.close();
  }
}

/** A host alone means every server that firedup has launched there, each by its name. */
async function serversMeant(host: Host, asked: Asked, signal: AbortSignal): Promise<readonly Asked[]> {
  const { name, log, pid, port, container } = asked.options;
  if (asked.target !== null || [name, log, pid, port, container].some((said) => said !== undefined))
    return [asked];
  const names = await listNames(host, signal);
  return names.length === 0
    ? [asked]
    : names.map((one) => ({ ...asked, options: { ...asked.options, name: one } }));
}

function failure(error: unknown, over: AbortSignal): Answer {
  if (!(error instanceof FiredupError)) throw error;
  if (over.aborted) return { kind: 'failed', text: `There was no answer within ${hostMs / 1000} s.` };
  return { kind: error.code === 'not-launched' ? 'none' : 'failed', text: error.message };
}

async function askServer(host: Host, { label, options }: Asked, signal: AbortSignal): Promise<Answer> {
  const engines = await loadEngines(options);
  const server = await chooseServer(host, options);
  const target = targetOf(
    label,
    server,
    await findLog(host, server),
    options,
    engines,
    wayBack(label, server, options),
  );
  const watch = startWatch({
    // The connection is shared with the other servers of that host, and outlives this watch.
    host: lent(host),
    connect: () => Promise.reject(connectionError('asked-once', 'the connection was lost')),
    asking: { kind: 'nobody' },
    target,
    attempt: server.kind === 'launched' ? server.record.attempt : null,
    attemptIsNew: false,
    glance: true,
    graceMs: 0,
    profiles: engines.profiles,
    outside: lendNothing(),
    env: process.env,
    now: Date.now,
    random: Math.random,
  });
  const enough = within(signal, judgeMs);
  try {
    await settled(watch.store, enough.signal);
    return { kind: 'judged', name: target.name, state: selectServerState(watch.store.state()) };
  } finally {
    enough.stop();
    await watch.close();
  }
}

const lent = (host: Host): Host => ({
  label: host.label,
  kind: host.kind,
  via: host.via,
  sessionsSeen: () => host.sessionsSeen(),
  exec: (command, options) => host.exec(command, options),
  forward: (port, address) => host.forward(port, address),
  onDown: (listener) => host.onDown(listener),
  close: () => Promise.resolve(),
});

/** How long a verdict must stand (ms); that of a crash longer: its cause may follow the first fatal line. */
const standsMs = 600;
const crashStandsMs = 1500;

function settled(
  store: {
    readonly state: () => State;
    readonly subscribe: (listener: (state: State) => void) => () => void;
  },
  enough: AbortSignal,
): Promise<void> {
  let since: number | null = null;
  return new Promise((resolve) => {
    const stop = (): void => {
      unsubscribe();
      resolve();
    };
    const look = (state: State): void => {
      since = isTold(state) ? (since ?? state.now) : null;
      const limitMs = state.verdict.outcome === 'crashed' ? crashStandsMs : standsMs;
      const stands = since !== null && state.now - since >= limitMs;
      if (stands || state.link.status === 'lost') stop();
    };
    const unsubscribe = store.subscribe(look);
    if (enough.aborted) stop();
    else enough.addEventListener('abort', stop, { once: true });
  });
}

/** Whether every witness that is asked has had its say. */
function isTold({ verdict, process, log, target, health, now }: State): boolean {
  const { fact } = process;
  if (fact === null || verdict.provisional) return false;
  if (target.log !== null && log.status === 'unknown') return false;
  if (verdict.outcome !== 'loading') return true;
  // Its last lines may still be on their way; how it ended is said when they are in.
  if (fact.status === 'gone') return false;
  // An answer of the port must last for some seconds before it counts; a log without a writer, too.
  if (fact.status === 'alive' && target.port !== null && health === null) return false;
  if (health?.okSince != null || health?.openSince != null) return false;
  return fact.status !== 'absent' || (process.changedAt !== null && now - process.changedAt > 4000);
}
