import type { Algorithms } from './algorithms.js';
import type { LoginMethod } from './login-methods.js';
import type { AliveLimits } from './watchdog.js';

/** Everything that is needed to log in to one machine, as the ssh config says it. */
export interface Destination {
  /** `user@host`, or the alias as the user wrote it: for messages. */
  readonly label: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly family: 0 | 4 | 6;
  readonly hostKeyAlias: string | null;
  readonly userKnownHosts: readonly string[];
  readonly globalKnownHosts: readonly string[];
  /** A `RevokedHostKeys` file; null when there is none. */
  readonly revokedHostKeys: string | null;
  /** `StrictHostKeyChecking`; `no` counts as accept-new: a changed key is refused all the same. */
  readonly unknownKeys: 'refuse' | 'ask' | 'accept';
  readonly hashKnownHosts: boolean;
  /** Tokens expanded; defaults included, so not all of them exist. */
  readonly identityFiles: readonly string[];
  readonly identitiesOnly: boolean;
  readonly certificateFiles: readonly string[];
  /** What the config lets be tried, in its order. */
  readonly methods: readonly LoginMethod[];
  readonly algorithms: Algorithms;
  /** `RequiredRSASize`: RSA keys of fewer bits are refused, the host's and ours. */
  readonly requiredRsaBits: number;
  /** `NumberOfPasswordPrompts`. */
  readonly passwordTries: number;
  /** `VerifyHostKeyDNS`: keys that DNS vouches for. */
  readonly hostKeyDns: boolean;
  readonly gssapi: boolean;
  /** `BatchMode`: nobody is asked anything. */
  readonly batchMode: boolean;
  /** Null: no agent. */
  readonly agentSocket: string | null;
  /** Of one attempt. */
  readonly connectTimeoutMs: number;
  /** `ConnectionAttempts`: how often TCP is tried, a second apart. */
  readonly connectionAttempts: number;
  /** The handshake is bounded by `ConnectTimeout` as well, where the config sets it. */
  readonly handshakeMs: number | null;
  readonly alive: AliveLimits;
  /** Jump hosts, first to be passed first, as `[user@]host[:port]` or aliases. */
  readonly jumps: readonly string[];
  /** A shell command line that connects stdin and stdout to the SSH server, tokens put in; null: TCP. */
  readonly proxyCommand: string | null;
  /** `ForkAfterAuthentication`: a system ssh would go to the background. */
  readonly forks: boolean;
  /** An option that only the system's ssh can honour; null when there is none. */
  readonly onlySystemSsh: string | null;
  /** Whether there is an `ssh` program. */
  readonly hasSsh: boolean;
  /** What was left out without an `ssh` program; shown once. */
  readonly notes: readonly string[];
}
