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
  /** `StrictHostKeyChecking`; `no` counts as accept-new: a changed key is refused all the same. */
  readonly unknownKeys: 'refuse' | 'ask' | 'accept';
  readonly hashKnownHosts: boolean;
  /** Tokens expanded; defaults included, so not all of them exist. */
  readonly identityFiles: readonly string[];
  readonly identitiesOnly: boolean;
  /** Null: no agent. */
  readonly agentSocket: string | null;
  readonly connectTimeoutMs: number;
  /** Jump hosts, first to be passed first, as `[user@]host[:port]` or aliases. */
  readonly jumps: readonly string[];
  /** A shell command line that connects stdin and stdout to the SSH server, tokens put in; null: TCP. */
  readonly proxyCommand: string | null;
  /** What the config asks for and we cannot do; shown once. */
  readonly notes: readonly string[];
}
