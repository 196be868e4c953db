import { logOfAttempt } from '../core/attempt-log.js';
import type { Attempt, Event, Target } from '../core/events.js';
import type { State } from '../core/state.js';
import { wantedProbes } from '../core/wanted.js';
import { describeError } from '../errors.js';
import type { Host } from '../host/host.js';
import { createHealthProbe } from '../probes/health.js';
import { createLogProbe } from '../probes/log.js';
import { createProcessProbe } from '../probes/process.js';
import { createTelemetryProbe } from '../probes/telemetry.js';
import { keepRunning, type Probe } from './keep-running.js';
import { createModelLook } from './model-look.js';
import { createMovingLog } from './moving-log.js';

/** Everything that looks at the host, pointed where the state says. */
export interface ProbeSet {
  /** Runs them all on a connected host until `signal` aborts. */
  readonly run: (host: Host, signal: AbortSignal) => Promise<void>;
  /** A new launch of ours: log and process are looked at anew. */
  readonly follow: (attempt: Attempt) => void;
  /** Points health and telemetry at what the state has revealed. */
  readonly aim: (state: State) => void;
}

/** A probe that stays broken says so again before this is over: it stands until something changes (ms). */
const brokenMs = 20_000;

export function createProbeSet(options: {
  readonly target: Target;
  readonly attempt: Attempt | null;
  /** Without telemetry. */
  readonly glance?: boolean;
  readonly dispatch: (event: Event) => void;
  readonly now: () => number;
}): ProbeSet {
  const { target, dispatch, now } = options;
  const emit = dispatch;
  const telemetry = createTelemetryProbe({ emit, now });
  const health = createHealthProbe({ emit, now, timeScale: target.timeScale });
  const lookAtModel = createModelLook({ dispatch, now });
  let server = watchServer(options.attempt);
  let place: { readonly host: Host; readonly signal: AbortSignal } | null = null;
  let serverStop = new AbortController();

  function watchServer(attempt: Attempt | null): readonly { readonly name: string; readonly probe: Probe }[] {
    const path = attempt?.log ?? target.log;
    const container = attempt ? null : target.container;
    const open = (path: string) => createLogProbe({ path, container, emit, now });
    const log = path === null ? null : createMovingLog(attempt ? logOfAttempt(attempt) : path, open);
    const find = {
      pid: attempt ? null : target.pid,
      log: container ? null : path,
      container,
      port: target.port,
      launchFolder: attempt?.folder ?? null,
    };
    const onWritesTo = (other: string): void => log?.current().setWritesTo(other);
    // The command of a launch may have sent its output elsewhere itself: `… >server.log 2>&1`.
    const onWritesElsewhere = (other: string): void => {
      if (attempt) log?.moveTo(other);
    };
    const onContainer = (name: string): void => {
      const text = `it runs in container ${name}: --container ${name} shows its exit code`;
      dispatch({ type: 'notice', at: now(), level: 'info', text });
    };
    const probe = createProcessProbe({ find, emit, now, onWritesTo, onWritesElsewhere, onContainer });
    const process = { name: 'process', probe };
    return log ? [{ name: 'log', probe: log }, process] : [process];
  }

  const start = (name: string, probe: Probe, host: Host, signal: AbortSignal): Promise<void> =>
    keepRunning(probe, host, signal, (error, earlier) => {
      const text = `${name} probe: ${describeError(error)}`;
      if (name === 'process' && earlier > 0) {
        dispatch({
          type: 'process',
          at: now(),
          process: { status: 'unknown', reason: describeError(error) },
        });
      }
      dispatch({ type: 'notice', at: now(), level: 'warning', text, forMs: brokenMs });
    });

  const startServer = (host: Host, signal: AbortSignal): Promise<unknown> => {
    serverStop = new AbortController();
    const either = AbortSignal.any([signal, serverStop.signal]);
    return Promise.all(server.map(({ name, probe }) => start(name, probe, host, either)));
  };

  return {
    async run(host, signal) {
      place = { host, signal };
      const ended = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      void startServer(host, signal);
      await Promise.all([
        ...(options.glance ? [] : [start('telemetry', telemetry, host, signal)]),
        start('health', health, host, signal),
        ended,
      ]);
      place = null;
    },
    follow(attempt) {
      serverStop.abort();
      server = watchServer(attempt);
      if (place) void startServer(place.host, place.signal);
    },
    aim(state) {
      const wanted = wantedProbes(state);
      health.retarget(wanted.health);
      health.setTree(wanted.pids);
      health.setServing(wanted.isServing);
      health.setReady(wanted.isReady);
      telemetry.watch(wanted.pids);
      if (!options.glance) lookAtModel(wanted.model, place);
    },
  };
}
