import type { DialogLook, KillSignal } from './dialog-look.js';
import type { LoginQuestion } from './events.js';

/** The question as it is first asked, at `openedAt` (ms). */
export function newDialog(kind: 'kill' | 'relaunch', openedAt: number, ofRemedy = false): Dialog {
  const opened: ActionDialog = { openedAt, signal: 'TERM', look: null, also: [] };
  return kind === 'kill' ? { kind, ...opened } : { kind, ...opened, editing: null, problem: null, ofRemedy };
}

/** A question on the screen. Cancel has the focus: only `confirm` acts. */
export type Dialog =
  | ({ readonly kind: 'kill' } & ActionDialog)
  | ({
      readonly kind: 'relaunch';
      /** The input line while it is being edited. */
      readonly editing: string | null;
      /** What is wrong with what was edited. */
      readonly problem: string | null;
      /** Opened to put in a remedy. */
      readonly ofRemedy: boolean;
    } & ActionDialog)
  /** A login that somebody asked for. What is typed for it stays outside of the state. */
  | {
      readonly kind: 'login';
      readonly openedAt: number;
      /** Null while the host has the word. */
      readonly question: LoginQuestion | null;
      /** Why it is over; null while it is under way. */
      readonly failure: string | null;
    };

export interface ActionDialog {
  readonly openedAt: number;
  readonly signal: KillSignal;
  /** Null while it is being looked up. */
  readonly look: DialogLook | null;
  /** Pids of processes near the server that are to be ended as well. */
  readonly also: readonly number[];
}
