import { randomBytes } from 'node:crypto';
import type { Channel, SessionsSeen } from '../host.js';
import { type Mux, openMux } from './mux/mux.js';
import { muxCommand } from './mux/script.js';
import { sessionSlots } from './session-slots.js';

/** How commands get their sessions, however few the server grants. */
export interface Sessions {
  exec(command: string, signal: AbortSignal): Promise<Channel>;
  /** The multiplexer's session counts too. */
  seen(): SessionsSeen;
}

export interface SessionsOptions {
  /** Opens one session; `onClosed` must be called once when the server has let go of it. */
  readonly open: (command: string, onClosed: () => void) => Promise<Channel>;
  /** Whether an error of `open` says that the server has no session left (`MaxSessions`). */
  readonly isRefusal: (error: unknown) => boolean;
  /** Whether to keep a multiplexer ready until the server has shown that it grants enough sessions. */
  readonly standby: boolean;
  /** Whether the server sees calls of `open` in their order; else the first must be through before the next. */
  readonly ordered: boolean;
}

/**
 * Each command has a session of its own where the server grants four at once: log, process, telemetry and one for short
 * commands. Until that is known the first session holds a multiplexer, which runs what is refused; opened later, it
 * might find none left for itself. Without one (no POSIX shell, ForceCommand) commands wait for each other.
 */
export function sessions({ open, isRefusal, standby, ordered }: SessionsOptions): Sessions {
  const slots = sessionSlots(isRefusal);
  let starts = standby ? 3 : 0;
  let mux: Promise<Mux | null> | null = null;
  /** Once the multiplexer has its session, or none. */
  let granted: Promise<void> = Promise.resolve();

  const begin = (): Promise<Mux | null> => {
    starts--;
    const nonce = randomBytes(8).toString('hex');
    const { command, input } = muxCommand(nonce);
    const session = open(command, () => {});
    granted = session.then(
      () => {},
      () => {},
    );
    return session.then((raw) => openMux(raw, nonce, input)).catch(() => null);
  };
  const spare = async (): Promise<Mux | null> => {
    if ((await mux)?.ended() && starts > 0) mux = begin();
    return mux;
  };
  /** Four at once: the multiplexer's session is better used for a command. */
  const retire = () => {
    starts = 0;
    void mux?.then((found) => found?.close());
    mux = null;
  };

  return {
    seen: () => ({ most: slots.most() + (mux === null ? 0 : 1), refused: slots.refused() }),
    async exec(command, signal) {
      const direct = () => open(command, slots.release);
      if (mux === null && starts > 0) mux = begin();
      if (mux === null) return slots.take(direct, signal);
      if (!ordered) await granted;
      const opened = await slots.attempt(direct);
      if (opened !== null) {
        if (slots.granted() >= enough) retire();
        return opened;
      }
      if (slots.granted() >= enough) retire();
      const found = await spare();
      signal.throwIfAborted();
      if (found === null) return slots.take(direct, signal);
      try {
        return await found.exec(command, signal);
      } catch (error) {
        // It was retired in the same moment: then there are sessions enough.
        if (!found.ended() || starts > 0 || signal.aborted) throw error;
        return slots.take(direct, signal);
      }
    },
  };
}

const enough = 4;
