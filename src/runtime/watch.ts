import type { Attempt, Target } from '../core/events.js';
import { serverKey } from '../core/history.js';
import { initialState } from '../core/initial.js';
import { describeError } from '../errors.js';
import type { Host } from '../host/host.js';
import type { PathEnvironment } from '../store/paths.js';
import { createReading, type ReadingOptions } from '../triage/reading.js';
import type { Outside, PreflightMode } from './effect-context.js';
import { createEffects } from './effects.js';
import { readHostFacts } from './host-facts.js';
import { keepHistory } from './keep-history.js';
import type { Asking } from './login-again.js';
import { createLoginQuestions } from './login-questions.js';
import { createProbeSet } from './probe-set.js';
import { deflate } from './squeeze.js';
import { type Connect, stayConnected } from './stay-connected.js';
import { createStore, type Store } from './store.js';
import { timeBox } from './time-box.js';

/** One server being watched: the store with its state, and the end of it all. */
export interface Watch {
  readonly store: Store;
  /** What was typed for the question of a login. */
  readonly answer: (text: string) => void;
  /** Keeps what there is to keep of the attempts; what comes later is not kept. */
  readonly keep: () => Promise<void>;
  /** Keeps it, stops looking and closes the connection. The server is left alone. */
  readonly close: () => Promise<void>;
}

export interface WatchOptions {
  /** Connected already, so that questions of the login came before any screen. */
  readonly host: Host;
  readonly connect: Connect;
  /** Who is asked where a login after a loss needs it; `screen`: whoever presses `c` before it. */
  readonly asking: 'screen' | Exclude<Asking, { kind: 'on-demand' }>;
  readonly target: Target;
  /** The launch of ours that is to be watched; null for a server that someone else started. */
  readonly attempt: Attempt | null;
  /** Whether `attempt` was started just now. */
  readonly attemptIsNew: boolean;
  /** Commands that a relaunch runs before the start. */
  readonly before?: readonly string[];
  /** Those that ran before the start of `attempt`; absent where that is not known. */
  readonly ranBefore?: readonly string[];
  readonly graceMs: number;
  /** How a relaunch from here looks at the host first; `ask` by default. */
  readonly preflight?: PreflightMode;
  /** A look of some seconds: what only tells over time (GPUs, disk, CPU) is not asked for. */
  readonly glance?: boolean;
  /** The engines that are known, where the user's rules are among them. */
  readonly profiles?: NonNullable<ReadingOptions['profiles']>;
  readonly outside: Outside;
  /** For the paths of history and dumps. */
  readonly env: PathEnvironment;
  readonly now: () => number;
  readonly random: () => number;
}

/** How often time itself is an event (ms): ages, elapsed times and the stall rule hang on it. */
const tickMs = 250;

/** Between two ticks this much time passes only where the machine sleeps, or nothing runs (ms). */
const sleptMs = 3000;

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
      squeeze: deflate,
      timeBox,
      ...(options.before ? { before: options.before } : {}),
      looksFirst: options.preflight !== 'off',
    }),
    (effect, state) => effects(effect, state),
  );
  const questions = createLoginQuestions(store.dispatch, now);
  const effects = createEffects({
    host: () => connection.host(),
    nextHost: () => connection.standing(),
    dispatch: store.dispatch,
    reading: freshReading,
    connectNow: () => connection.connectNow(),
    cancelLogin: questions.cancel,
    graceMs: options.graceMs,
    preflight: options.preflight ?? 'ask',
    outside: options.outside,
    env: options.env,
    now,
  });
  if (options.attempt) {
    const { attempt, attemptIsNew: isNew } = options;
    const ran = options.ranBefore === undefined ? {} : { before: options.ranBefore };
    store.dispatch({ type: 'attempt', at: now(), attempt, isNew, reading: freshReading(), ...ran });
  }
  const history = keepHistory(store, {
    env: options.env,
    server: { host: target.host, name: options.attempt?.name ?? serverKey(target) },
    now,
  });
  const probes = createProbeSet({
    target,
    attempt: options.attempt,
    glance: options.glance === true,
    dispatch: store.dispatch,
    now,
  });
  store.subscribe((state, event) => {
    if (event.type === 'attempt') probes.follow(event.attempt);
    if (event.type !== 'log-partial' && event.type !== 'gpus') probes.aim(state);
  });
  const connection = stayConnected({
    host: options.host,
    connect: options.connect,
    asking:
      options.asking === 'screen'
        ? { kind: 'on-demand', prompts: questions.prompts, cancelled: questions.begin }
        : options.asking,
    use: look,
    tell: (link) => store.dispatch({ type: 'link', at: now(), link }),
    signal: over.signal,
    now,
    random: options.random,
  });
  let lastTickAt = now();
  const ticks = setInterval(() => {
    const at = now();
    const slept = at - lastTickAt > sleptMs;
    lastTickAt = at;
    store.dispatch({ type: 'tick', at, slept });
  }, tickMs);

  return {
    store,
    answer: questions.answer,
    keep: history.close,
    async close() {
      clearInterval(ticks);
      // Before the connection ends: an outcome must not be taken for one of a lost link.
      await history.close();
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
