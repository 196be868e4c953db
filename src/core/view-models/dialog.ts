import type { KillSignal } from '../dialog-look.js';

export interface DialogModel {
  readonly kind: 'kill' | 'relaunch' | 'login';
  readonly title: string;
  /** Host, pid, command line and what will happen; none once it is answered. */
  readonly lines: readonly string[];
  /** The checklist, once the question is answered: what was done, what is being done, and what comes. */
  readonly steps: readonly DialogStep[];
  /** The checklist waits for an answer: y goes on, all else stops. */
  readonly asking: boolean;
  /** Null: it asks. Otherwise the input line that is being edited. */
  readonly editing: string | null;
  /** A line is to be typed that only the screen holds: as it is, or as dots. Null: none. */
  readonly answer: 'shown' | 'masked' | null;
  /** The first signal; null where nothing is to be ended. */
  readonly signal: KillSignal | null;
  /** How many processes near the server can be chosen by their number. */
  readonly choices: number;
  /** What the form holds cannot be started: it can only be edited, or left. */
  readonly blocked: boolean;
  readonly running: boolean;
  readonly finished: boolean;
}

/** One row of the checklist of a kill or relaunch. */
export interface DialogStep {
  /** `GPUs free`; empty for a last word. */
  readonly label: string;
  readonly text: string;
  /** `skipped`: there was no need for it. */
  readonly status: 'pending' | 'active' | 'done' | 'failed' | 'asks' | 'skipped';
  /** So far, or in all; null where that says nothing. */
  readonly seconds: number | null;
  readonly details: readonly string[];
}
