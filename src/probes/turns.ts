/** After so many bytes of a large log, keys and timers have their turn: a few ms of work, whatever has come at once. */
const turnBytes = 256 * 1024;

export interface Turns {
  /** So many bytes were worked on. */
  worked(bytes: number): void;
  /** For `RemoteScript.drained`: a promise when others are to have their turn. */
  drained(): Promise<void> | null;
}

/** Counts the work of one reader, and lets others in between. */
export function createTurns(): Turns {
  let inTurn = 0;
  return {
    worked(bytes) {
      inTurn += bytes;
    },
    drained() {
      if (inTurn < turnBytes) return null;
      inTurn = 0;
      return new Promise((resolve) => setImmediate(resolve));
    },
  };
}
