import type { ClientChannel } from 'ssh2';
import { commandChannel } from './command-channel.js';
import { ForwardedStream } from './forwarded-stream.js';
import { isSlotRefusal } from './open-failures.js';
import type { Route } from './route.js';
import type { SshTransport } from './ssh-host.js';

/** The channels of one ssh2 connection; `close` also ends its jump hosts. */
export function ssh2Transport({ link, close }: Route): SshTransport {
  return {
    via: 'ssh2',
    loss: link.loss,
    onDown: link.onDown,
    openSession: (command, onClosed) =>
      called(
        (done) => link.client.exec(command, done),
        (raw) => commandChannel(raw, () => link.loss() !== null, onClosed),
      ),
    ordered: true,
    isSlotRefusal,
    openForward: (port, address) =>
      called(
        (done) => link.client.forwardOut('127.0.0.1', 0, address, port, done),
        (raw) => new ForwardedStream(raw),
      ),
    close,
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
