/** One answer of the GPU tool, whatever the vendor. */
export type GpuReading =
  | {
      readonly status: 'ok';
      readonly gpus: readonly GpuSample[];
      readonly apps: readonly GpuApp[];
      readonly tookMs: number;
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
}
