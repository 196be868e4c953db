/**
 * Runs `work` for at most about `limitMs`: what may take for ever, such as a regular expression that somebody typed, on
 * a line that nobody has foreseen. `work` may be stopped anywhere, so it must only compute and note how far it has
 * come; whoever calls carries it on from there.
 */
export type TimeBox = (work: () => void, limitMs: number) => BoxedTime;

export interface BoxedTime {
  /** Whether `work` came to its end in time; false also where the limit came just then. */
  readonly isDone: boolean;
  /** Time of the CPU that it took (ms): other programs' share of the time is no fault of `work`. */
  readonly cpuMs: number;
}

/** For what takes no time, and where there is no clock: everything comes to its end. */
export const unlimited: TimeBox = (work) => {
  work();
  return { isDone: true, cpuMs: 0 };
};
