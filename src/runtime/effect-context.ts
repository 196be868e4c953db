import type { Event } from '../core/events.js';
import type { Host } from '../host/host.js';
import type { PathEnvironment } from '../store/paths.js';
import type { Reading } from '../triage/findings.js';
import type { Copied } from './clipboard.js';

/** `ask`: blockers wait for an answer on screen; `tell`: they are shown and the start goes on; `off`: nobody looks. */
export type PreflightMode = 'ask' | 'tell' | 'off';

/** What the effects need of whoever shows the watch. */
export interface Outside {
  /** The user leaves, or goes `back` to where he came from; the server is not stopped. */
  readonly leave: (back: boolean) => void;
  /** Puts a text on the user's clipboard and tells where it went. */
  readonly copy: (text: string) => Copied;
  /** Lends the terminal to the user's editor, and resolves with the text afterwards; null or absent: there is none. */
  readonly edit?: ((text: string) => Promise<string>) | null;
}

export interface EffectContext {
  readonly host: () => Host;
  /** A connection that stands, now or after the next reconnect; rejects when there will be none. */
  readonly nextHost: () => Promise<Host>;
  readonly dispatch: (event: Event) => void;
  /** A fresh reading for the next attempt's log. */
  readonly reading: () => Reading;
  readonly connectNow: () => void;
  readonly cancelLogin: () => void;
  readonly graceMs: number;
  /** What blockers of the look before a start do; `off`: nobody looks. */
  readonly preflight: PreflightMode;
  readonly outside: Outside;
  /** For the paths of what is written on this machine. */
  readonly env: PathEnvironment;
  readonly now: () => number;
}
