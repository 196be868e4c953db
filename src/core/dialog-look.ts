import type { LaunchSpec } from './launch-spec.js';

/** What the host says about what a dialog asks: looked up when it opens. */
export interface DialogLook {
  /** Every process that a kill would end; the server among them, if it is there. */
  readonly ends: readonly ListedProcess[];
  /** Members of its tree that belong to others: told, not tried. */
  readonly foreign: readonly ListedProcess[];
  /** Outside its tree, with something in common: left alone unless each is asked for. */
  readonly near: readonly NearListing[];
  /** What was started last; null where it is not known. */
  readonly spec: LaunchSpec | null;
  /** What could not be read or carried over, a sentence each. */
  readonly notes: readonly string[];
}

export interface ListedProcess {
  readonly pid: number;
  readonly startTicks: string;
  readonly owner: string;
  readonly ageMs: number;
  readonly command: string;
}

export interface NearListing {
  readonly pid: number;
  readonly startTicks: string;
  readonly owner: string;
  /** Of another user, who alone can end it. */
  readonly foreign: boolean;
  readonly command: string;
  /** `also writes the log`. */
  readonly why: string;
}

/** The first signal of a kill, without SIG. */
export const killSignals = ['TERM', 'INT', 'KILL'] as const;

export type KillSignal = (typeof killSignals)[number];
