/** One answer of the GPU tool, whatever the vendor. */
export type GpuReading =
  | {
      readonly status: 'ok';
      readonly gpus: readonly GpuSample[];
      readonly apps: readonly GpuApp[];
      readonly tookMs: number;
      /** What the tool said besides: `Unable to determine the device handle for GPU…`. */
      readonly warnings?: readonly string[];
    }
  /** No GPU tool on the host. */
  | { readonly status: 'absent' }
  /** The tool's own words, first line. */
  | {
      readonly status: 'failed';
      readonly reason: string;
      readonly code: number | null;
    }
  /** A call hangs in the driver and cannot be ended. */
  | { readonly status: 'stuck'; readonly reason: string };

/** Null means that the tool did not say, never zero. */
export interface GpuSample {
  readonly index: number;
  readonly uuid: string;
  readonly name: string;
  readonly memTotalMiB: number | null;
  readonly memUsedMiB: number | null;
  readonly utilPercent: number | null;
  readonly temperatureC: number | null;
  readonly powerW: number | null;
  readonly powerLimitW: number | null;
  /** `00000000:3B:00.0`, by which the kernel's log names it. */
  readonly busId?: string | null;
  /** Instances of a GPU in MIG mode (`3g.71gb`); absent without MIG. It has no utilisation of its own then. */
  readonly migInstances?: readonly string[];
  /** `GPU is lost`, `[Unknown Error]`: the tool's words where a cell tells of a fault. */
  readonly fault: string | null;
}

export interface GpuApp {
  readonly uuid: string;
  readonly pid: number;
  readonly memUsedMiB: number | null;
}

/** One tick of `/proc`: totals since their beginnings; rates are differences over `uptimeMs`. */
export interface HostSample {
  readonly uptimeMs: number;
  readonly cpus: number | null;
  readonly memTotalMiB: number | null;
  readonly memAvailableMiB: number | null;
  /** Page cache of the host; null or absent where it is not read. */
  readonly cachedMiB?: number | null;
  /** Received by all network interfaces but `lo`; null or absent where it is not read. */
  readonly rxBytes?: number | null;
  /** OOM kills in the cgroup of the tree (`memory.events`, `oom_kill`), a total; null or absent where it is not read. */
  readonly oomKills?: number | null;
  /** Lines of the kernel's log on OOM kills and Xid errors that are new since the sample before. */
  readonly kernelLines?: readonly string[];
  readonly processes: readonly ProcessSample[];
}

export interface ProcessSample {
  readonly pid: number;
  readonly parent: number;
  readonly startTicks: string;
  readonly name: string;
  /** `R`, `S`, `D`, `Z`, `T`, … */
  readonly state: string;
  readonly cpuMs: number;
  readonly rssMiB: number | null;
  /** Null for another user's process. */
  readonly readBytes: number | null;
  readonly readChars: number | null;
  /** `write_bytes` or `wchar`, whichever is read: a download shows there. */
  readonly writtenBytes?: number | null;
  /** Total; pages of a mapped file that had to come from disk. */
  readonly majorFaults?: number | null;
  /** Kernel function it sleeps in; `0` and absent say nothing. */
  readonly wchan?: string | null;
}
