import type { Event, HealthAnswer } from '../core/events.js';
import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { createAsker } from './ask-health.js';
import { findListener, isOwned, type Listener } from './listener.js';

/** What to ask: `path` answers 200 only when the engine is ready. */
export interface HealthTarget {
  readonly port: number;
  readonly path: string;
  readonly source: HealthAnswer['source'];
  /** Known to be the server's, whoever listens there for it (a container's published port). */
  readonly published?: boolean;
}

export interface HealthProbeOptions {
  readonly emit: (event: Extract<Event, { type: 'health' }>) => void;
  /** Ms since the epoch. */
  readonly now: () => number;
  /** Between an answer and the next question. Default 3000. */
  readonly intervalMs?: number | undefined;
  /** The same while it is ready. Default 15000. */
  readonly readyIntervalMs?: number | undefined;
  /** Divides the intervals; 1 but in the demo. */
  readonly timeScale?: number | undefined;
  readonly script?: ScriptOptions | undefined;
}

export interface HealthProbe {
  /** Asks until `signal` aborts; rejects with `FiredupError` when the link goes. Without a target it waits for one. */
  run(host: Host, signal: AbortSignal): Promise<void>;
  /** Asks this from now on, at once; null asks nothing. */
  retarget(target: HealthTarget | null): void;
  /** A server that is ready is asked seldom: each question is a line in its log. */
  setReady(isReady: boolean): void;
  /** The processes of the server's tree: who else listens on the port is a stranger. */
  setTree(pids: readonly number[]): void;
  /** It is known to listen: where 127.0.0.1 refuses, it does so on another address. */
  setServing(isServing: boolean): void;
}

/** How long a listener that is the server's own is taken for the same. */
const ownerValidMs = 30_000;

/** How often a port that 127.0.0.1 refuses is looked for on other addresses while it may well not be open yet (ms). */
const elsewhereMs = 15_000;

/** Asks the server's readiness endpoint through the connection to its host, every few seconds. */
export function createHealthProbe(options: HealthProbeOptions): HealthProbe {
  const intervalMs = Math.max(250, (options.intervalMs ?? 3000) / (options.timeScale ?? 1));
  const readyMs = Math.max(intervalMs, (options.readyIntervalMs ?? 15_000) / (options.timeScale ?? 1));
  let target: HealthTarget | null = null;
  let ready = false;
  let serving = false;
  let tree: ReadonlySet<number> = new Set();
  let wake: () => void = () => {};
  let known: { readonly port: number; readonly listener: Listener; readonly at: number } | null = null;

  const owner = async (host: Host, port: number, signal: AbortSignal): Promise<boolean | null> => {
    const isFresh = known?.port === port && options.now() - known.at < ownerValidMs;
    if (known === null || !isFresh || isOwned(known.listener, tree) !== true) {
      known = { port, listener: await look(host, port, signal), at: options.now() };
    }
    return isOwned(known.listener, tree);
  };
  const look = (host: Host, port: number, signal: AbortSignal): Promise<Listener> =>
    findListener(host, port, signal, options.script, tree);

  /** The address that the port is asked on. */
  const addressOf = (port: number): string =>
    (known?.port === port ? known.listener.address : undefined) ?? '127.0.0.1';

  /** After a refusal: whether it listens on another address than the one that was asked. */
  const isElsewhere = async (host: Host, port: number, signal: AbortSignal): Promise<boolean> => {
    const asked = addressOf(port);
    const isFresh = known?.port === port && options.now() - known.at < elsewhereMs;
    if (isFresh && !serving && asked === '127.0.0.1') return false;
    known = { port, listener: await look(host, port, signal), at: options.now() };
    return addressOf(port) !== asked;
  };

  return {
    async run(host, signal) {
      const ask = createAsker(host, options.script);
      known = null;
      while (!signal.aborted) {
        const asked = target;
        if (asked !== null) {
          const { published, ...place } = asked;
          const askNow = async () => {
            const address = addressOf(asked.port);
            return { address, ...(await ask({ ...place, address }, signal)) };
          };
          let told = await askNow();
          if (told.result.kind === 'refused' && (await isElsewhere(host, asked.port, signal)))
            told = await askNow();
          const { result, ...where } = told;
          const isTold = result.kind === 'status';
          const owned =
            isTold && published && tree.size > 0
              ? true
              : isTold
                ? await owner(host, asked.port, signal)
                : null;
          if (signal.aborted) return;
          if (asked === target) {
            options.emit({
              type: 'health',
              at: options.now(),
              answer: { ...place, result, owned, ...(isTold ? where : {}) },
            });
          }
        }
        if (asked === target) {
          await new Promise<void>((resolve) => {
            const go = () => {
              clearTimeout(timer);
              signal.removeEventListener('abort', go);
              resolve();
            };
            const timer = setTimeout(go, ready ? readyMs : intervalMs);
            signal.addEventListener('abort', go);
            wake = go;
          });
        }
      }
    },
    retarget(next) {
      if (
        next?.port === target?.port &&
        next?.path === target?.path &&
        next?.source === target?.source &&
        next?.published === target?.published
      )
        return;
      target = next;
      wake();
    },
    setReady(isReady) {
      if (ready === isReady) return;
      ready = isReady;
      if (!isReady) wake();
    },
    setTree(pids) {
      tree = new Set(pids);
    },
    setServing(isServing) {
      serving = isServing;
    },
  };
}
