import type { Attempt, Target } from '../core/events.js';
import { initialState } from '../core/initial.js';
import { describeError } from '../errors.js';
import type { Host } from '../host/host.js';
import type { PathEnvironment } from '../store/paths.js';
import { createReading, type ReadingOptions } from '../triage/reading.js';
import { createEffects, type Outside } from './effects.js';
import { readHostFacts } from './host-facts.js';
import { createProbeSet } from './probe-set.js';
import { stayConnected } from './stay-connected.js';
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
    host: () => connection.host(),
    nextHost: () => connection.standing(),
    dispatch: store.dispatch,
    reading: freshReading,
    connectNow: () => connection.connectNow(),
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
  const connection = stayConnected({
    host: options.host,
    connect: options.connect,
    use: look,
    tell: (link) => store.dispatch({ type: 'link', at: now(), link }),
    signal: over.signal,
    now,
    random: options.random,
  });
  const ticks = setInterval(() => store.dispatch({ type: 'tick', at: now() }), tickMs);

  return {
    store,
    async close() {
      clearInterval(ticks);
      over.abort();
      await connection.ended;
      await connection.host().close();
    },
  };

  async function look(host: Host, signal: AbortSignal): Promise<void> {
    void readHostFacts(host, now).then(
      (facts) => store.dispatch({ type: 'host', at: now(), host: facts }),
      (error) => {
        if (!signal.aborted) {
          store.dispatch({ type: 'notice', at: now(), level: 'error', text: describeError(error) });
        }
      },
    );
    await probes.run(host, signal);
  }
}
