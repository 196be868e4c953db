import type { Link } from '../core/events.js';
import { describeError } from '../errors.js';
import { isFinal } from '../host/failures.js';
import type { Host } from '../host/host.js';
import type { Prompts } from '../host/prompts.js';
import { leftOn, reap } from '../probes/leftovers.js';
import { backoffMs } from './backoff.js';
import { type Asking, loginAgain } from './login-again.js';
import { pause } from './pause.js';

/** Connects after a loss. Asks by `prompts`; without them nobody is asked. */
export type Connect = (signal: AbortSignal, prompts?: Prompts) => Promise<Host>;

export interface StayConnectedOptions {
  /** Connected already, so that questions of the login came before anything else. */
  readonly host: Host;
  readonly connect: Connect;
  /** Who can be asked where a login is refused, or cannot go on without an answer. */
  readonly asking: Asking;
  /** What the connection is for; `signal` aborts when it is lost, or when all is over. May end by itself. */
  readonly use: (host: Host, signal: AbortSignal) => Promise<void>;
  readonly tell: (link: Link) => void;
  /** Ends it all. */
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** 0 to 1, for the jitter of the waits. */
  readonly random: () => number;
}

export interface Connection {
  /** The newest one, lost or not. */
  readonly host: () => Host;
  /** Resolves with a connection that stands, now or later; rejects when there will be none any more. */
  readonly standing: () => Promise<Host>;
  /** Does not wait for the next try; goes on where a login was refused or waits for its answer. */
  readonly connectNow: () => void;
  /** Resolves when `signal` aborts, `use` has ended by itself, or the connection was given up (`tell` heard why). */
  readonly ended: Promise<void>;
}

/**
 * Uses a connection, and a new one after each loss, with growing waits between the tries. A refused key or a failed
 * login is never tried again by itself. The lost one is closed before the next is made, and what our scripts left
 * running on it is ended by the next.
 */
export function stayConnected(options: StayConnectedOptions): Connection {
  const { signal, tell } = options;
  const waiting = new Set<{
    readonly resolve: (host: Host) => void;
    readonly reject: (why: Error) => void;
  }>();
  let host = options.host;
  let isUp = true;
  let isOver = false;
  let wake = new AbortController();

  const ended = keep().finally(() => {
    isUp = false;
    isOver = true;
    for (const { reject } of waiting) reject(givenUp());
  });
  return {
    host: () => host,
    standing() {
      if (isUp) return Promise.resolve(host);
      if (isOver) return Promise.reject(givenUp());
      return new Promise((resolve, reject) => waiting.add({ resolve, reject }));
    },
    connectNow: () => wake.abort(),
    ended,
  };

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      isUp = true;
      for (const { resolve } of waiting) resolve(host);
      waiting.clear();
      tell({ status: 'up' });
      const reason = await serveUntilLost();
      if (reason === null || signal.aborted || !(await reconnect(reason))) return;
    }
  }

  /** Resolves with why the link went; null when its use has ended. */
  async function serveUntilLost(): Promise<string | null> {
    const lost = new AbortController();
    let reason: string | null = null;
    const unsubscribe = host.onDown((loss) => {
      reason = loss.reason;
      isUp = false;
      lost.abort();
    });
    try {
      await options.use(host, AbortSignal.any([signal, lost.signal]));
    } finally {
      unsubscribe();
    }
    return reason;
  }

  /** Whether a new connection stands. */
  async function reconnect(reason: string): Promise<boolean> {
    // Before the close: it strikes out whatever has ended.
    const leftovers = leftOn(host);
    const closed = closeInTime(host);
    const next = await connectAgain({
      ...options,
      async connect(...how) {
        await closed;
        return options.connect(...how);
      },
      reason,
      wake: () => {
        wake = new AbortController();
        return wake.signal;
      },
    });
    if (next === null) return false;
    host = next;
    void reap(host, leftovers).catch(() => {});
    return true;
  }
}

/** Jump hosts are connections of their own: they would add up. A dead one is not waited for. */
const closeInTime = (host: Host): Promise<unknown> =>
  Promise.race([host.close().catch(() => {}), pause(closeLimitMs)]);

const closeLimitMs = 3000;

const givenUp = (): Error => new Error('The connection was given up.');

export type ConnectAgainOptions = Pick<
  StayConnectedOptions,
  'connect' | 'asking' | 'tell' | 'signal' | 'now' | 'random'
> & {
  readonly reason: string;
  /** Asked before each wait for what cuts it short. */
  readonly wake?: () => AbortSignal;
};

/**
 * Tries to connect, with growing waits, until it stands. Null when `signal` aborts, or when trying again by itself
 * makes no sense or does harm and nobody goes on; `tell` has heard why.
 */
export async function connectAgain(options: ConnectAgainOptions): Promise<Host | null> {
  const { signal, tell, now } = options;
  const wake = options.wake ?? (() => signal);
  let reason = options.reason;
  for (let failures = 0; !signal.aborted; failures += 1) {
    const waitMs = backoffMs(failures, options.random());
    tell({ status: 'down', reason, retryAt: now() + waitMs });
    await pause(waitMs, AbortSignal.any([signal, wake()]));
    if (signal.aborted) return null;
    try {
      return await options.connect(signal);
    } catch (error) {
      reason = describeError(error);
      if (!isFinal(error)) continue;
      const login = await loginAgain(error, { ...options, wake });
      if (login.kind === 'up') return login.host;
      if (login.kind === 'over') return null;
      reason = login.reason;
    }
  }
  return null;
}
