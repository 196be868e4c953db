import type { LogAheadChange } from '../core/events.js';
import type { ContainerPlace } from '../core/process-fact.js';
import type { Host } from '../host/host.js';
import type { ScriptOptions } from '../remote/script.js';
import { createReadAhead, type LogPosition, type ReadAhead } from './read-ahead.js';
import { createTurns } from './turns.js';

/** The end of a log is read ahead where so many bytes (and `afterMs` of reading) still lie before it. */
const farBytes = 1024 * 1024;

/** A fast link has read a log of a few MB within this time; of a container, whose size nobody knows, it is the time alone. */
const afterMs = 200;
const containerAfterMs = 1500;

/** So long (ms) what is read in order waits for the newest lines at most. */
const firstWithinMs = 3000;

/** After a reader that broke (ms). */
const againAfterMs = 5000;

export interface LogAheadOptions {
  readonly path: string;
  /** It is that of a container. */
  readonly container?: ContainerPlace | null | undefined;
  /** How long a container's log is read before its end is looked at; 1.5 s by default (ms). */
  readonly containerAfterMs?: number | undefined;
  readonly emit: (change: LogAheadChange) => void;
  /** Ms since the epoch. */
  readonly now: () => number;
  readonly script?: ScriptOptions | undefined;
}

/** Tells when the end of a large log is read ahead of the order, and when the order has come as far. */
export interface LogAhead {
  /** A run of the follower in order begins on `host`; returns what ends it. */
  attach(host: Host, signal: AbortSignal): () => void;
  /** The follower in order has opened a file, `resumed` where it left it. */
  opened(at: LogPosition, size: number, resumed: boolean): void;
  /** It has read up to `offset`. */
  moved(offset: number, size: number): void;
  /** It is at the end of what there is, or there is nothing to read. */
  caughtUp(): void;
  /** While the newest lines are on their way: what the reading in order has to wait for. */
  starting(): Promise<void> | null;
  /** Whether what is shown is ahead of the order. */
  isShown(): boolean;
}

export function createLogAhead(options: LogAheadOptions): LogAhead {
  const { emit, now } = options;
  let place: { readonly host: Host; readonly signal: AbortSignal } | null = null;
  let running: { readonly reader: ReadAhead; readonly stop: AbortController } | null = null;
  let isShown = false;
  /** The follower in order; null before it has opened anything. */
  let order:
    | (LogPosition & { readonly size: number; readonly since: number; readonly fromStart: boolean })
    | null = null;
  let isBehind = false;
  let starting: Promise<void> | null = null;
  let notBefore = 0;

  const start = ({ host, signal }: NonNullable<typeof place>): void => {
    const stop = new AbortController();
    const turns = createTurns();
    let goOn: () => void = () => {};
    const begun = new Promise<void>((resolve) => {
      goOn = resolve;
    }).then(() => {
      clearTimeout(limit);
      starting = null;
    });
    const limit = setTimeout(() => goOn(), firstWithinMs);
    starting = begun;
    const reader = createReadAhead({
      path: options.path,
      container: options.container,
      script: options.script,
      drained: turns.drained,
      onBegin(offset) {
        isShown = true;
        if (options.container) return emit({ kind: 'began', skippedBytes: null, fromStart: false });
        const skippedBytes = Math.max(0, offset - (order?.offset ?? 0));
        emit({ kind: 'began', skippedBytes, fromStart: order?.fromStart ?? false });
      },
      emit(change) {
        for (const line of change.lines) turns.worked(line.length);
        emit(change);
      },
      onLive: () => goOn(),
      onMove: endWhenReached,
    });
    running = { reader, stop };
    // Its end is no fault of the log: what is read in order comes all the same.
    void reader
      .run(host, AbortSignal.any([signal, stop.signal]))
      .catch(() => {})
      .then(() => {
        goOn();
        if (running?.reader !== reader) return;
        running = null;
        notBefore = now() + againAfterMs;
        endWhenReached();
      });
  };
  const startWhenFar = (): void => {
    if (running !== null || place === null || order === null || !isBehind) return;
    if (isFar(order) && now() >= notBefore) start(place);
  };
  const isFar = ({ size, offset, since }: NonNullable<typeof order>): boolean => {
    const forMs = now() - since;
    if (!options.container) return size - offset >= farBytes && forMs >= afterMs;
    return offset >= farBytes && forMs >= (options.containerAfterMs ?? containerAfterMs);
  };
  function endWhenReached(): void {
    if (isBehind) return;
    const ahead = running?.reader.position();
    if (ahead && (ahead.id !== order?.id || order.offset < ahead.offset)) return;
    end();
  }
  function end(): void {
    running?.stop.abort();
    running = null;
    if (!isShown) return;
    isShown = false;
    emit({ kind: 'ended' });
  }

  return {
    attach(host, signal) {
      place = { host, signal };
      return () => {
        place = null;
        running?.stop.abort();
        running = null;
      };
    },
    opened(at, size, resumed) {
      // The newest lines of a container are those of one run.
      if (options.container && !resumed) end();
      const fromStart = order === null ? at.offset === 0 : order.fromStart && resumed;
      order = { ...at, size, since: now(), fromStart };
      isBehind = true;
    },
    moved(offset, size) {
      if (order !== null) order = { ...order, offset, size };
      startWhenFar();
      endWhenReached();
    },
    caughtUp() {
      isBehind = false;
      endWhenReached();
    },
    starting: () => starting,
    isShown: () => isShown,
  };
}
