export interface GpuPaneModel {
  readonly rows: readonly GpuRow[];
  /** Instead of rows, or beside stale ones: `no GPU tool on this host`, `GPU data 14 s old`. */
  readonly note: string | null;
  readonly stale: boolean;
}

export interface GpuRow {
  readonly index: number;
  readonly name: string;
  readonly memUsedMiB: number | null;
  readonly memTotalMiB: number | null;
  /** Of a rank's GPU: the share of its memory that the server was told to take; null where that is not known. */
  readonly expectedShare: number | null;
  readonly utilPercent: number | null;
  readonly temperatureC: number | null;
  readonly powerW: number | null;
  /** Memory share over time, newest last, 0 to 1. */
  readonly history: readonly (number | null)[];
  /** Process that holds memory there, where it can be told. */
  readonly pid: number | null;
  /** `TP0`; with `?` where only the order tells it; null where nothing does. */
  readonly rank: string | null;
  readonly fault: string | null;
  /** The kernel's last words on it: `Xid 79: GPU has fallen off the bus.` */
  readonly kernel: string | null;
  /** `MIG 2x3g.71gb`; null without MIG. */
  readonly mig: string | null;
}
