import type { Duplex, Readable, Writable } from 'node:stream';

/** How a remote command ended. `lost` means that the link went first: then nothing is known of it. */
export interface Exit {
  readonly code: number | null;
  /** Name with SIG, as in `SIGKILL`. */
  readonly signal: string | null;
  readonly lost: boolean;
}

/** One running command on the host. Both outputs must be consumed, or the remote side blocks. */
export interface Channel {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Settles once, after both outputs have ended. Never rejects. */
  readonly exited: Promise<Exit>;
  /** Ends our side; the remote command learns of it by EOF on stdin and EPIPE on its output. */
  close(): void;
}

/** Why a connection ended by itself. */
export interface LinkLoss {
  readonly reason: string;
  readonly cause?: unknown;
}

/** Sessions on one connection (`MaxSessions`). */
export interface SessionsSeen {
  /** The most that the server has granted at once. */
  readonly most: number;
  /** Whether it has refused one: then it grants no more than that. */
  readonly refused: boolean;
}

/**
 * A machine that commands run on: over SSH or this one. Nothing outside `host/` knows which.
 * Every method rejects with a `FiredupError` after `close()` or once the link is down.
 */
export interface Host {
  /** As the user wrote it: `local`, an alias, `user@host:port`. */
  readonly label: string;
  readonly kind: 'ssh' | 'local';
  /** Who speaks SSH; `local` without any. */
  readonly via: 'ssh2' | 'ssh' | 'local';
  /** What was seen of the server's limit of sessions; null where there is none to see. */
  sessionsSeen(): SessionsSeen | null;
  /** Runs one command line by the login shell (ssh) or `/bin/sh -c` (local). Quote with `remote/quote.ts`. */
  exec(command: string, options?: { readonly signal?: AbortSignal }): Promise<Channel>;
  /** A stream to `address:port` as seen from the host (`direct-tcpip`); rejects when nothing listens there. */
  forward(port: number, address?: string): Promise<Duplex>;
  /** Calls `listener` once when the link goes by itself, not on `close()`. Returns what unsubscribes it. */
  onDown(listener: (loss: LinkLoss) => void): () => void;
  close(): Promise<void>;
}

/** What a finished command put out, as text (UTF-8). */
export interface Finished extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}
