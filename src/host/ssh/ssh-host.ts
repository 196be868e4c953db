import type { ClientChannel } from 'ssh2';
import { connectionError, FiredupError } from '../../errors.js';
import { hostClosed, linkLost } from '../failures.js';
import type { Channel, Host } from '../host.js';
import { onAbort } from '../on-abort.js';
import { commandChannel } from './command-channel.js';
import { ForwardedStream } from './forwarded-stream.js';
import type { Link } from './live-link.js';
import { execRefused, forwardRefused, isSlotRefusal } from './open-failures.js';
import { opening, stopper } from './opening.js';
import { sessionSlots } from './session-slots.js';

/** How long opening may take: on a dead link the watchdog is faster, on a busy slow one this is not too short. */
const execLimitMs = 30_000;
const forwardLimitMs = 10_000;

/** A `Host` over one logged-in link; `close()` runs `closeRoute`, which also ends the jump hosts. */
export function sshHost(label: string, link: Link, closeRoute: () => Promise<void>): Host {
  const slots = sessionSlots(isSlotRefusal);
  const stops = stopper();
  const channels = new Set<Channel>();
  let closing: Promise<void> | null = null;

  link.onDown((loss) => stops.stop(linkLost(label, loss.reason)));

  const check = () => {
    if (closing !== null) throw hostClosed(label);
    const loss = link.loss();
    if (loss !== null) throw linkLost(label, loss.reason);
  };

  /** The loss explains whatever failed through it. */
  const explain = (error: unknown, refused: () => FiredupError): FiredupError => {
    if (error instanceof FiredupError) return error;
    const loss = link.loss();
    if (loss !== null) return linkLost(label, loss.reason);
    const message = error instanceof Error ? error.message : '';
    return /^(Not connected|No response from server)$/.test(message)
      ? linkLost(label, 'the host closed it')
      : refused();
  };

  const openSession = async (command: string, signal: AbortSignal): Promise<Channel> => {
    check();
    const channel = await called(
      (done) => link.client.exec(command, done),
      (raw) => commandChannel(raw, () => link.loss() !== null, slots.release),
    );
    // Nobody waits for it any more; its slot comes back when the server lets go of it.
    if (signal.aborted) channel.close();
    return channel;
  };

  return {
    label,
    kind: 'ssh',
    async exec(command, options = {}) {
      check();
      const late = () =>
        connectionError('exec-timeout', `${label} did not start a command in ${execLimitMs / 1000} s.`);
      const limits = { ms: execLimitMs, late, stopper: stops, signal: options.signal };
      try {
        const channel = await opening(limits, (signal) =>
          slots.take(() => openSession(command, signal), signal),
        );
        channels.add(channel);
        const off = onAbort(options.signal, () => channel.close());
        void channel.exited.then(() => {
          channels.delete(channel);
          off();
        });
        return channel;
      } catch (error) {
        throw explain(error, () => execRefused(label, error));
      }
    },
    async forward(port, address = '127.0.0.1') {
      check();
      const late = () =>
        connectionError(
          'forward-timeout',
          `${address}:${port} on ${label} did not answer in ${forwardLimitMs / 1000} s.`,
        );
      try {
        return await opening({ ms: forwardLimitMs, late, stopper: stops }, async (signal) => {
          const stream = await called(
            (done) => link.client.forwardOut('127.0.0.1', 0, address, port, done),
            (raw) => new ForwardedStream(raw),
          );
          if (signal.aborted) stream.destroy();
          return stream;
        });
      } catch (error) {
        throw explain(error, () => forwardRefused(label, address, port, error));
      }
    },
    onDown: (listener) => link.onDown(listener),
    close() {
      closing ??= (async () => {
        stops.stop(hostClosed(label));
        for (const channel of channels) channel.close();
        await closeRoute();
      })();
      return closing;
    },
  };
}

/**
 * ssh2's callback as a promise; rejects also where ssh2 throws ("Not connected"). `wrap` runs within the callback:
 * exit status and end of a short command are events that may follow in the same packet, before a promise settles.
 */
function called<T>(
  start: (done: (error: Error | undefined, channel: ClientChannel) => void) => void,
  wrap: (channel: ClientChannel) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, channel) => (error === undefined ? resolve(wrap(channel)) : reject(error)));
  });
}
