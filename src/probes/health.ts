import type { Duplex } from 'node:stream';
import type { Event, HealthAnswer } from '../core/events.js';
import { FiredupError } from '../errors.js';
import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { httpStatus } from './http-status.js';
import { findListener, isOwned, type Listener } from './listener.js';
import { lineReader, runScriptToEnd } from './run-script.js';

/** What to ask: `path` answers 200 only when the engine is ready. */
export interface HealthTarget {
  readonly port: number;
  readonly path: string;
  readonly source: HealthAnswer['source'];
}

export interface HealthProbeOptions {
  readonly emit: (event: Extract<Event, { type: 'health' }>) => void;
  /** Ms since the epoch. */
  readonly now: () => number;
  /** Between an answer and the next question. Default 3000. */
  readonly intervalMs?: number | undefined;
  /** Divides the interval; 1 but in the demo. */
  readonly timeScale?: number | undefined;
  readonly script?: ScriptOptions | undefined;
}

export interface HealthProbe {
  /** Asks until `signal` aborts; rejects with `FiredupError` when the link goes. Without a target it waits for one. */
  run(host: Host, signal: AbortSignal): Promise<void>;
  /** Asks this from now on, at once; null asks nothing. */
  retarget(target: HealthTarget | null): void;
  /** The processes of the server's tree: who else listens on the port is a stranger. */
  setTree(pids: readonly number[]): void;
}

type Result = HealthAnswer['result'];

/** For one question, from the first byte to the status line. */
const deadlineMs = 2000;
/** How long a listener that is the server's own is taken for the same. */
const ownerValidMs = 30_000;

/** Asks the server's readiness endpoint through the connection to its host, every few seconds. */
export function createHealthProbe(options: HealthProbeOptions): HealthProbe {
  const intervalMs = Math.max(250, (options.intervalMs ?? 3000) / (options.timeScale ?? 1));
  let target: HealthTarget | null = null;
  let tree: ReadonlySet<number> = new Set();
  let wake: () => void = () => {};
  let known: { readonly port: number; readonly listener: Listener; readonly at: number } | null = null;

  const owner = async (host: Host, port: number, signal: AbortSignal): Promise<boolean | null> => {
    const isFresh = known?.port === port && options.now() - known.at < ownerValidMs;
    if (known === null || !isFresh || isOwned(known.listener, tree) !== true) {
      known = { port, listener: await findListener(host, port, signal, options.script), at: options.now() };
    }
    return isOwned(known.listener, tree);
  };

  return {
    async run(host, signal) {
      const ask = asker(host, options.script);
      known = null;
      while (!signal.aborted) {
        const asked = target;
        if (asked !== null) {
          const result = await ask(asked, signal);
          const owned = result.kind === 'status' ? await owner(host, asked.port, signal) : null;
          if (signal.aborted) return;
          if (asked === target) {
            options.emit({ type: 'health', at: options.now(), answer: { ...asked, result, owned } });
          }
        }
        if (asked === target) {
          await new Promise<void>((resolve) => {
            const go = () => {
              clearTimeout(timer);
              signal.removeEventListener('abort', go);
              resolve();
            };
            const timer = setTimeout(go, intervalMs);
            signal.addEventListener('abort', go);
            wake = go;
          });
        }
      }
    },
    retarget(next) {
      if (next?.port === target?.port && next?.path === target?.path && next?.source === target?.source)
        return;
      target = next;
      wake();
    },
    setTree(pids) {
      tree = new Set(pids);
    },
  };
}

/** Asks by a forwarded stream; once that is forbidden, by a command on the host. */
function asker(host: Host, script: ScriptOptions | undefined) {
  let forbidden = false;
  return async (target: HealthTarget, signal: AbortSignal): Promise<Result> => {
    if (!forbidden) {
      const result = await askForwarded(host, target, signal);
      if (result !== 'forbidden') return result;
      forbidden = true;
    }
    return askOnHost(host, target, signal, script);
  };
}

async function askForwarded(
  host: Host,
  target: HealthTarget,
  signal: AbortSignal,
): Promise<Result | 'forbidden'> {
  let stream: Duplex | null = null;
  let over = false;
  let timer: NodeJS.Timeout | undefined;
  let stop: () => void = () => {};
  const ended = new Promise<Result>((resolve) => {
    stop = () => resolve({ kind: 'timeout' });
    timer = setTimeout(stop, deadlineMs);
    signal.addEventListener('abort', stop, { once: true });
  });
  const asked = host.forward(target.port, '127.0.0.1').then((opened) => {
    stream = opened;
    opened.on('error', () => {});
    if (over) {
      opened.destroy();
      return { kind: 'timeout' } as const;
    }
    return httpStatus(opened, target.port, pathOf(target));
  });
  try {
    return await Promise.race([asked, ended]);
  } catch (error) {
    return failureOf(error);
  } finally {
    over = true;
    asked.catch(() => {});
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    closeSoon(stream);
  }
}

/** Lets a short body come to its end first: servers log a connection that breaks off. */
function closeSoon(stream: Duplex | null): void {
  if (stream === null) return;
  const timer = setTimeout(() => stream.destroy(), 200);
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}

function failureOf(error: unknown): Result | 'forbidden' {
  if (!(error instanceof FiredupError)) throw error;
  switch (error.code) {
    case 'forward-forbidden':
      return 'forbidden';
    case 'forward-refused':
      return { kind: 'refused' };
    case 'forward-timeout':
      return { kind: 'timeout' };
    case 'forward-failed':
      return { kind: 'failed', reason: error.message };
    default:
      throw error;
  }
}

async function askOnHost(
  host: Host,
  target: HealthTarget,
  signal: AbortSignal,
  script: ScriptOptions | undefined,
): Promise<Result> {
  let result: Result = { kind: 'failed', reason: 'no answer' };
  await runScriptToEnd(
    host,
    {
      name: 'http-get',
      args: [String(target.port), pathOf(target)],
      options: script,
      onOutput: lineReader((line) => {
        if (line.startsWith('H ')) result = resultOf(line.slice(2));
      }),
    },
    signal,
  );
  return result;
}

function resultOf(words: string): Result {
  if (/^\d{3}$/.test(words)) return { kind: 'status', code: Number(words) };
  if (words === 'refused') return { kind: 'refused' };
  if (words === 'timeout') return { kind: 'timeout' };
  return { kind: 'failed', reason: words.replace(/^failed /, '') };
}

/** The path comes from an engine's profile or the log: nothing of it may end the request line. */
function pathOf({ path }: HealthTarget): string {
  const safe = path.replace(/[^\x21-\x7e]/g, encodeURIComponent);
  return safe.startsWith('/') ? safe : `/${safe}`;
}
