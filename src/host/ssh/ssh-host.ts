import type { ClientChannel } from 'ssh2';
import { connectionError, FiredupError } from '../../errors.js';
import { hostClosed, interrupted, linkLost } from '../failures.js';
import type { Channel, Host } from '../host.js';
import { plainText } from '../plain-text.js';
import { commandChannel } from './command-channel.js';
import { ForwardedStream } from './forwarded-stream.js';
import type { Link } from './link.js';
import { sessionSlots } from './session-slots.js';

/** How long opening may take (ms). A dead link never calls back; the watchdog is faster, a busy link slower. */
const openLimitMs = 30_000;
const forwardLimitMs = 10_000;

/** A `Host` over one logged-in link; `close()` runs `closeRoute`, which also ends the jump hosts. */
export function sshHost(label: string, link: Link, closeRoute: () => Promise<void>): Host {
  const slots = sessionSlots(isSlotRefusal);
  const stop = new AbortController();
  const channels = new Set<Channel>();
  let closing: Promise<void> | null = null;

  link.onDown((loss) => stop.abort(linkLost(label, loss.reason)));

  const check = () => {
    if (closing !== null) throw hostClosed(label);
    const loss = link.loss();
    if (loss !== null) throw linkLost(label, loss.reason);
  };

  const openSession = async (command: string, signal: AbortSignal): Promise<Channel> => {
    check();
    const raw = await called<ClientChannel>((done) => link.client.exec(command, done));
    if (signal.aborted) {
      // Nobody waits for it any more.
      raw.on('error', () => {});
      raw.resume();
      raw.stderr.resume();
      raw.close();
      throw signal.reason;
    }
    return commandChannel(raw, () => link.loss() !== null, slots.release);
  };

  return {
    label,
    kind: 'ssh',
    async exec(command, options = {}) {
      check();
      const limit = deadline(openLimitMs, () =>
        connectionError('exec-timeout', `${label} did not start a command in ${openLimitMs / 1000} s.`),
      );
      const user = interruption(options.signal);
      const signal = AbortSignal.any([limit.signal, user.signal, stop.signal]);
      try {
        const channel = await slots.take(() => openSession(command, signal), signal);
        user.handOver(channel);
        channels.add(channel);
        void channel.exited.then(() => channels.delete(channel));
        return channel;
      } catch (error) {
        user.stop();
        throw explained(error, label, () => execRefused(label, error));
      } finally {
        limit.stop();
      }
    },
    async forward(port, address = '127.0.0.1') {
      check();
      const limit = deadline(forwardLimitMs, () =>
        connectionError(
          'forward-timeout',
          `${address}:${port} on ${label} did not answer in ${forwardLimitMs / 1000} s.`,
        ),
      );
      const signal = AbortSignal.any([limit.signal, stop.signal]);
      try {
        const opening = called<ClientChannel>((done) =>
          link.client.forwardOut('127.0.0.1', 0, address, port, done),
        );
        return new ForwardedStream(await orAborted(opening, signal, (late) => late.close()));
      } catch (error) {
        throw explained(error, label, () => forwardRefused(label, address, port, error));
      } finally {
        limit.stop();
      }
    },
    onDown: (listener) => link.onDown(listener),
    close() {
      closing ??= (async () => {
        stop.abort(hostClosed(label));
        for (const channel of channels) channel.close();
        await closeRoute();
      })();
      return closing;
    },
  };
}

/** ssh2's callback as a promise; it throws when the connection has ended already. */
function called<T>(start: (done: (error: Error | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, value) => (error === undefined ? resolve(value) : reject(error)));
  });
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal, discard: (late: T) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      work.then(discard, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function deadline(ms: number, reason: () => FiredupError) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason()), ms);
  return { signal: controller.signal, stop: () => clearTimeout(timer) };
}

/** The caller's signal: before the channel is open it ends the waiting, afterwards it closes the channel. */
function interruption(signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const abort = () => controller.abort(interrupted('The command'));
  signal?.addEventListener('abort', abort);
  if (signal?.aborted) abort();
  const stop = () => signal?.removeEventListener('abort', abort);
  return {
    signal: controller.signal,
    stop,
    handOver(channel: Channel) {
      controller.signal.addEventListener('abort', () => channel.close());
      void channel.exited.then(stop);
    },
  };
}

// RFC 4254: 1 prohibited, 2 connect failed (what sshd says at MaxSessions), 4 resource shortage.
const reasonOf = (error: unknown): unknown =>
  error instanceof Error && 'reason' in error ? error.reason : undefined;

const isSlotRefusal = (error: unknown): boolean => reasonOf(error) === 2 || reasonOf(error) === 4;

function explained(error: unknown, label: string, refused: () => FiredupError): FiredupError {
  if (error instanceof FiredupError) return error;
  if (reasonOf(error) !== undefined) return refused();
  const message = error instanceof Error ? error.message : String(error);
  if (/^(Not connected|No response from server)$/.test(message)) return linkLost(label, 'the host closed it');
  return refused();
}

const words = (error: unknown): string =>
  plainText(
    error instanceof Error ? error.message.replace('(SSH) Channel open failure: ', '') : String(error),
  );

const execRefused = (label: string, error: unknown): FiredupError =>
  connectionError(
    'exec-refused',
    `${label} does not start commands for us: ${words(error)}`,
    'Its sshd_config (MaxSessions, ForceCommand, PermitTTY) or the account may forbid it.',
    error,
  );

function forwardRefused(label: string, address: string, port: number, error: unknown): FiredupError {
  const place = `${address}:${port} on ${label}`;
  return reasonOf(error) === 1
    ? connectionError(
        'forward-forbidden',
        `${label} forbids forwarding: ${words(error)}`,
        'AllowTcpForwarding in its sshd_config.',
        error,
      )
    : connectionError('forward-refused', `Nothing answers on ${place}: ${words(error)}`, undefined, error);
}
