import type { KillSignal } from '../core/dialog-look.js';
import type { SshOptions } from './connection.js';
import type { EngineOptions } from './load-engines.js';
import type { PresentOptions } from './present.js';
import type { ServerOptions } from './server-options.js';

export interface RelaunchOptions extends SshOptions, ServerOptions, PresentOptions, EngineOptions {
  readonly yes?: boolean;
  readonly env?: readonly string[];
  readonly before?: readonly string[];
  readonly detach?: boolean;
  readonly grace: string;
  readonly signal: KillSignal;
  /** Pids of processes outside the tree that are to be ended as well. */
  readonly also?: readonly number[];
  readonly preflight?: boolean;
}
