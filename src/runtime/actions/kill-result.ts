import type { KillSignal } from '../../core/dialog-look.js';
import type { ActionStep } from '../../core/events.js';

export interface KillOptions {
  /** Between the signal and SIGKILL; 10 s by default. */
  readonly graceMs?: number;
  /** The first signal; TERM by default. */
  readonly signal?: KillSignal;
  readonly onStep?: (step: ActionStep) => void;
  /** For `ActionStep.action`; `kill` by default. */
  readonly action?: ActionStep['action'];
  /** Stops waiting for the answer. The script on the host goes on to its end: half a kill helps nobody. */
  readonly abort?: AbortSignal;
}

export interface KillResult {
  /** `absent`: no process of it was there; `rebooted`: the host was started anew since. Both: nothing was signalled. */
  readonly outcome: 'gone' | 'survivors' | 'absent' | 'rebooted';
  readonly survivors: readonly Survivor[];
  /**
   * Who still has the log as its standard output or error, and was no member of the tree: not signalled. It may be a
   * part of the server that cut every tie to it, or another program.
   */
  readonly others: readonly OtherWriter[];
  /** Ports that its tree listened on and that someone still listens on 5 s after its end. */
  readonly heldPorts: readonly HeldPort[];
}

export interface HeldPort {
  readonly port: number;
  /** Null: it cannot be seen who holds it. */
  readonly holder: OtherWriter | null;
}

export interface OtherWriter {
  readonly pid: number;
  readonly owner: string;
  readonly command: string;
  readonly foreign: boolean;
}

export interface Survivor {
  readonly pid: number;
  readonly owner: string;
  readonly command: string;
  /** Of another user, and so it was not tried. */
  readonly foreign: boolean;
  /** As in `/proc/PID/stat`: `D` hangs in the kernel (driver, disk) and cannot be ended. */
  readonly state: string;
}
