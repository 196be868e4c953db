import type { Duplex } from 'node:stream';
import type { Client } from 'ssh2';
import type { LinkLoss } from '../host.js';
import { plainText } from '../plain-text.js';
import type { TransportMeter } from './transport.js';
import { type AliveLimits, watchdogLimits, watchLink } from './watchdog.js';

/** One ssh2 connection that is logged in. */
export interface Link {
  readonly client: Client;
  /** Null while it is up. */
  loss(): LinkLoss | null;
  /** Calls `listener` once when the link goes by itself. Returns what unsubscribes it. */
  onDown(listener: (loss: LinkLoss) => void): () => void;
  /** Ends it on purpose: nobody is told. Settles when the transport is gone. */
  close(): Promise<void>;
}

/** Watches a logged-in connection from now on; `reason` is asked why it went. */
export function liveLink(
  client: Client,
  transport: Duplex,
  meter: TransportMeter,
  reason: () => string,
  alive: AliveLimits,
): Link {
  const listeners = new Set<(loss: LinkLoss) => void>();
  let loss: LinkLoss | null = null;
  let closing = false;

  const down = (found: LinkLoss) => {
    if (loss !== null || closing) return;
    loss = found;
    stopWatching();
    // Channels learn of it from ssh2 when the transport closes.
    transport.destroy();
    for (const listener of listeners) listener(found);
    listeners.clear();
  };
  const stopWatching = watchLink(
    () => meter,
    (silentMs) => down({ reason: `nothing heard for ${Math.round(silentMs / 1000)} s` }),
    { ...watchdogLimits, silentMs: alive.silentMs },
  );
  const gone = new Promise<void>((resolve) => {
    client.once('close', () => {
      stopWatching();
      down({ reason: plainText(reason()) });
      resolve();
    });
  });
  // RST and the like: 'close' follows, and ssh2 has taken its own channels down by then.
  client.on('end', () => down({ reason: plainText(reason()) }));

  return {
    client,
    loss: () => loss,
    onDown(listener) {
      const already = loss;
      // Whoever subscribes a moment too late must not wait for ever.
      if (already !== null) queueMicrotask(() => listeners.delete(listener) && listener(already));
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closing = true;
      stopWatching();
      client.end();
      const timer = setTimeout(() => transport.destroy(), politeMs);
      await gone;
      clearTimeout(timer);
    },
  };
}

// A dead peer never answers our goodbye.
const politeMs = 500;
