import type { Attempt, Target } from '../core/events.js';
import { initialState } from '../core/initial.js';
import { describeError } from '../errors.js';
import { isFinal } from '../host/failures.js';
import type { Host } from '../host/host.js';
import type { PathEnvironment } from '../store/paths.js';
import { createReading, type ReadingOptions } from '../triage/reading.js';
import { backoffMs } from './backoff.js';
import { createEffects, type Outside } from './effects.js';
import { readHostFacts } from './host-facts.js';
import { pause } from './keep-running.js';
import { createProbeSet } from './probe-set.js';
import { createStore, type Store } from './store.js';

/** One server being watched: the store with its state, and the end of it all. */
export interface Watch {
  readonly store: Store;
  /** Stops looking and closes the connection. The server is left alone. */
  readonly close: () => Promise<void>;
}

export interface WatchOptions {
  /** Connected already, so that questions of the login came before any screen. */
  readonly host: Host;
  /** Connects again after a loss; asks nothing. */
  readonly connect: (signal: AbortSignal) => Promise<Host>;
  readonly target: Target;
  /** The launch of ours that is to be watched; null for a server that someone else started. */
  readonly attempt: Attempt | null;
  /** Whether `attempt` was started just now. */
  readonly attemptIsNew: boolean;
  readonly before?: readonly string[];
  readonly graceMs: number;
  /** The engines that are known, where the user's rules are among them. */
  readonly profiles?: NonNullable<ReadingOptions['profiles']>;
  readonly outside: Outside;
  readonly env: PathEnvironment;
  readonly now: () => number;
  readonly random: () => number;
}

/** How often time itself is an event (ms): ages, elapsed times and the stall rule hang on it. */
const tickMs = 250;

/** Watches a server until `close`, across losses of the connection. */
export function startWatch(options: WatchOptions): Watch {
  const { target, now } = options;
  const over = new AbortController();
  const known = options.profiles ? { profiles: options.profiles } : {};
  const freshReading = () => createReading({ engine: target.engine, ...known });
  let host = options.host;
  let wake = new AbortController();

  const store = createStore(
    initialState({
      target,
      reading: freshReading(),
      now: now(),
      ...(options.before ? { before: options.before } : {}),
    }),
    (effect, state) => effects(effect, state),
  );
  const effects = createEffects({
    host: () => host,
    dispatch: store.dispatch,
    reading: freshReading,
    connectNow: () => wake.abort(),
    graceMs: options.graceMs,
    outside: options.outside,
    env: options.env,
    now,
  });
  if (options.attempt) {
    const { attempt, attemptIsNew: isNew } = options;
    store.dispatch({ type: 'attempt', at: now(), attempt, isNew, reading: freshReading(), change: null });
  }
  const probes = createProbeSet({ target, attempt: options.attempt, dispatch: store.dispatch, now });
  store.subscribe((state, event) => {
    if (event.type === 'attempt') probes.follow(event.attempt);
    if (event.type !== 'log-partial' && event.type !== 'gpus') probes.aim(state);
  });
  const ticks = setInterval(() => store.dispatch({ type: 'tick', at: now() }), tickMs);

  const ended = stayConnected();
  return {
    store,
    async close() {
      clearInterval(ticks);
      over.abort();
      wake.abort();
      await ended;
      await host.close();
    },
  };

  async function stayConnected(): Promise<void> {
    while (!over.signal.aborted) {
      store.dispatch({ type: 'link', at: now(), link: { status: 'up' } });
      const reason = await lookUntilLost();
      if (over.signal.aborted || !(await reconnect(reason))) return;
    }
  }

  /** Resolves with why the link went; at once with an empty word when we are over. */
  async function lookUntilLost(): Promise<string> {
    const lost = new AbortController();
    let reason = '';
    const unsubscribe = host.onDown((loss) => {
      reason = loss.reason;
      lost.abort();
    });
    const signal = AbortSignal.any([over.signal, lost.signal]);
    void readHostFacts(host, now).then(
      (facts) => store.dispatch({ type: 'host', at: now(), host: facts }),
      (error) => {
        if (!signal.aborted) {
          store.dispatch({ type: 'notice', at: now(), level: 'error', text: describeError(error) });
        }
      },
    );
    await probes.run(host, signal);
    unsubscribe();
    return reason;
  }

  /** Whether a new connection stands. */
  async function reconnect(firstReason: string): Promise<boolean> {
    let reason = firstReason;
    for (let failures = 0; !over.signal.aborted; failures += 1) {
      const waitMs = backoffMs(failures, options.random());
      store.dispatch({ type: 'link', at: now(), link: { status: 'down', reason, retryAt: now() + waitMs } });
      wake = new AbortController();
      await pause(waitMs, AbortSignal.any([over.signal, wake.signal]));
      if (over.signal.aborted) return false;
      try {
        host = await options.connect(over.signal);
        return true;
      } catch (error) {
        reason = describeError(error);
        if (isFinal(error)) {
          store.dispatch({ type: 'link', at: now(), link: { status: 'lost', reason } });
          return false;
        }
      }
    }
    return false;
  }
}
