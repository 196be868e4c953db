import type { Duplex } from 'node:stream';
import { connectionError, FiredupError } from '../../errors.js';
import { hostClosed, linkLost } from '../failures.js';
import type { Channel, Host, LinkLoss } from '../host.js';
import { onAbort } from '../on-abort.js';
import { execRefused, forwardRefused } from './open-failures.js';
import { opening, stopper } from './opening.js';
import { sessions } from './sessions.js';

/** One logged-in connection, whichever program speaks SSH on it. */
export interface SshTransport {
  readonly via: 'ssh2' | 'ssh';
  /** Null while it is up. */
  loss(): LinkLoss | null;
  /** Calls `listener` once when it goes by itself. Returns what unsubscribes it. */
  onDown(listener: (loss: LinkLoss) => void): () => void;
  /** Opens one session; `onClosed` is called once when the server has let go of its slot. */
  openSession(command: string, onClosed: () => void): Promise<Channel>;
  /** Whether the server sees sessions in the order in which they were asked for. */
  readonly ordered: boolean;
  /** Whether an error of `openSession` says that there are too many sessions. */
  isSlotRefusal(error: unknown): boolean;
  openForward(port: number, address: string): Promise<Duplex>;
  close(): Promise<void>;
}

/** How long opening may take: on a dead link the watchdog is faster, on a busy slow one this is not too short. */
const execLimitMs = 30_000;
const forwardLimitMs = 10_000;

/** A `Host` over one connection; with `standby`, one that runs many commands however few sessions it is granted. */
export function sshHost(label: string, transport: SshTransport, standby: boolean): Host {
  const stops = stopper();
  const channels = new Set<Channel>();
  let closing: Promise<void> | null = null;

  transport.onDown((loss) => stops.stop(linkLost(label, loss.reason)));

  const check = () => {
    if (closing !== null) throw hostClosed(label);
    const loss = transport.loss();
    if (loss !== null) throw linkLost(label, loss.reason);
  };

  /** The loss explains whatever failed through it. */
  const explain = (error: unknown, refused: () => FiredupError): FiredupError => {
    if (error instanceof FiredupError) return error;
    const loss = transport.loss();
    if (loss !== null) return linkLost(label, loss.reason);
    const message = error instanceof Error ? error.message : '';
    return /^(Not connected|No response from server)$/.test(message)
      ? linkLost(label, 'the host closed it')
      : refused();
  };

  const { exec, seen } = sessions({
    async open(command, onClosed) {
      check();
      return transport.openSession(command, onClosed);
    },
    isRefusal: transport.isSlotRefusal,
    standby,
    ordered: transport.ordered,
  });

  return {
    label,
    kind: 'ssh',
    via: transport.via,
    sessionsSeen: seen,
    async exec(command, options = {}) {
      check();
      const late = () =>
        connectionError('exec-timeout', `${label} did not start a command in ${execLimitMs / 1000} s.`);
      const limits = { ms: execLimitMs, late, stopper: stops, signal: options.signal };
      try {
        const channel = await opening(limits, async (signal) => {
          const opened = await exec(command, signal);
          // Nobody waits for it any more; its slot comes back when the server lets go of it.
          if (signal.aborted) opened.close();
          return opened;
        });
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
          const stream = await transport.openForward(port, address);
          if (signal.aborted) stream.destroy();
          return stream;
        });
      } catch (error) {
        throw explain(error, () => forwardRefused(label, address, port, error));
      }
    },
    onDown: (listener) => transport.onDown(listener),
    close() {
      closing ??= (async () => {
        stops.stop(hostClosed(label));
        for (const channel of channels) channel.close();
        await transport.close();
      })();
      return closing;
    },
  };
}
