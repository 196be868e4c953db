import type { SshOptions } from './connection.js';

/** How the host of HOST:PATH is reached. */
export interface LogOptions extends SshOptions {
  readonly config?: string;
}

/** A log to be read once, from its first byte to its last. */
export interface LogSource {
  /** How messages name it. */
  readonly name: string;
  /** Throws where it cannot be read, or was not had as a whole. */
  readonly bytes: AsyncIterable<Buffer>;
  readonly close: () => Promise<void>;
}
