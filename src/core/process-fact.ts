/** What is known of the server's process (contract, rule 3). */
export type ProcessFact =
  | {
      readonly status: 'alive';
      readonly pid: number;
      /** Field 22 of `/proc/PID/stat`, clock ticks since boot: with pid and boot id the identity. */
      readonly startTicks: string;
      /** Start in ms since the epoch by the host's clock; null where it cannot be told. */
      readonly startedAt: number | null;
      /** How long it had run when it was told (ms, by the host's own count); absent where that cannot be told. */
      readonly ageMs?: number;
      readonly command: string;
      readonly user: string | null;
      readonly foundBy: 'pid' | 'log' | 'port' | 'launch' | 'container';
      readonly tree: readonly TreeMember[];
      readonly container?: ContainerRun;
      readonly doubt?: ProcessDoubt;
    }
  | {
      readonly status: 'gone';
      readonly pid: number;
      readonly exit: ExitStatus | null;
      readonly container?: ContainerRun;
      /** Its launch's folder says that a kill or relaunch has ended it, of whichever firedup. */
      readonly endedOnPurpose?: boolean;
    }
  /**
   * Provably no writer of the log and no listener on the port; or, with the `reason`, the pid that was given is no
   * process: never was, has ended, or is a thread.
   */
  | { readonly status: 'absent'; readonly reason?: string }
  | { readonly status: 'unknown'; readonly reason: string };

/**
 * Why a process that lives may not be the server. It may only be left of one that has ended: a `fork` of it, which may have
 * inherited all that it has, also its listening socket; an `orphan`, the same of one that was seen for the first time, and
 * may yet be loading; or it is `silent`, and listens on no TCP port. Or it was found by the port that was given, and nobody
 * writes the log that was given: a `stranger`, where its output goes to no file, or it writes `elsewhere`.
 */
export type ProcessDoubt = (typeof processDoubts)[number];

export const processDoubts = ['fork', 'silent', 'orphan', 'stranger', 'elsewhere'] as const;

/** A container on the host, and who runs it. */
export interface ContainerPlace {
  readonly engine: 'docker' | 'podman';
  /** Its name, or its id: whatever bears it is meant, also one that is made anew. */
  readonly name: string;
}

/** A container, and its run when it was looked at. */
export interface SeenContainer extends ContainerPlace {
  readonly id: string;
  readonly started: string;
  readonly running: boolean;
  readonly pid: number;
}

/** One run of a container. */
export interface ContainerRun extends ContainerPlace {
  readonly id: string;
  /** As the engine writes it; with the id it names the run. */
  readonly started: string;
  /** How often its restart policy has started it again. */
  readonly restarts: number;
  /** Why the engine could not start it; empty where it could. */
  readonly error: string;
}

export interface TreeMember {
  readonly pid: number;
  readonly parent: number;
  readonly startTicks: string;
  readonly command: string;
}

/** What the launch's supervisor wrote when the command ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
  /**
   * The signal that such an exit code tells of (137: SIGKILL) where the command has exited by itself: perhaps a shell or
   * `docker run` whose child it has ended.
   */
  readonly relayed?: string;
  readonly at: number | null;
  /** Kernel OOM kills in the command's cgroup meanwhile; null where that cannot be read. */
  readonly oomKills: number | null;
}
