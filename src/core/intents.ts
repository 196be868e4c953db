/** What a key asks for. `tui/keymap.ts` makes them from keys; the fold carries them out. */
export type Intent =
  | { readonly kind: 'ask-kill' }
  | { readonly kind: 'ask-relaunch' }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'dump' }
  | { readonly kind: 'copy' }
  | { readonly kind: 'edit-filter' }
  /** The input line as it stands after each key. */
  | { readonly kind: 'filter-text'; readonly text: string }
  /** An earlier filter (-1) into the input line, or back towards what was typed. */
  | { readonly kind: 'filter-recall'; readonly direction: 1 | -1 }
  | { readonly kind: 'filter-done' }
  | { readonly kind: 'filter-clear' }
  | { readonly kind: 'toggle-filter-mode' }
  | { readonly kind: 'match'; readonly direction: 1 | -1 }
  | {
      readonly kind: 'toggle';
      readonly what:
        | 'errors-only'
        | 'milestones-only'
        | 'follow'
        | 'wrap'
        | 'folds'
        | 'stamps'
        | 'zoom'
        | 'mouse'
        | 'comparison';
    }
  /** `lines` down (negative: up); of a pane whose size it knows, the screen tells the place instead. */
  | { readonly kind: 'scroll'; readonly lines: number }
  /** The log down to the line `anchor` (null: the newest, which it follows), but for `hidden` rows of it. */
  | { readonly kind: 'scroll-log'; readonly anchor: number | null; readonly hidden: number }
  /** The line that is meant from now on, by a click; the same again: none. The log stays where it stands. */
  | {
      readonly kind: 'choose-line';
      readonly seq: number;
      readonly anchor: number | null;
      readonly hidden: number;
    }
  /** The group above (-1) or below (1) is the one that Enter opens: the screen knows which are in sight, and its line. */
  | { readonly kind: 'choose-fold'; readonly direction: 1 | -1 }
  /** First row to show of an overlay or of the phases, within what there is: the screen knows how much that is. */
  | { readonly kind: 'scroll-block'; readonly block: 'overlay'; readonly top: number }
  /** Null: the phases around the one that is under way. */
  | { readonly kind: 'scroll-block'; readonly block: 'phases'; readonly top: number | null }
  /** Which attempt of the history is meant, by its id. */
  | { readonly kind: 'choose'; readonly id: string }
  | { readonly kind: 'scroll-sideways'; readonly columns: number }
  | { readonly kind: 'scroll-to'; readonly end: 'top' | 'bottom' }
  /** Marks the line that was found last, else the lowest in sight; a marked one no longer. */
  | { readonly kind: 'mark'; readonly lowest?: number }
  | { readonly kind: 'to-mark' }
  /** To the line of the log that the verdict rests on. */
  | { readonly kind: 'to-evidence' }
  | { readonly kind: 'overlay'; readonly overlay: Overlay }
  | { readonly kind: 'apply-remedy' }
  | { readonly kind: 'py-spy' }
  | { readonly kind: 'connect-now' }
  | { readonly kind: 'focus'; readonly pane: Pane }
  | { readonly kind: 'focus-next' }
  /**
   * Opens what is folded: of a focused log of `rows` in sight the group whose first line is `fold`, the triage card
   * that was put away, else the focused pane to its full size. From the card it goes to its line in the log.
   */
  | { readonly kind: 'open'; readonly rows?: number; readonly fold?: number | null }
  /** The screen says what it is called. */
  | { readonly kind: 'next-theme'; readonly name?: string }
  /** Back out of what is open; at the top it leaves. */
  | { readonly kind: 'back' }
  | { readonly kind: 'leave' }
  /** An edited relaunch command or environment line, from the dialog's input. */
  | { readonly kind: 'edit' }
  | { readonly kind: 'edit-in-place' }
  /** In a dialog: the next of TERM, INT, KILL. */
  | { readonly kind: 'next-signal' }
  /** In a dialog: ends the process near the server with this number (from 1) as well, or not. */
  | { readonly kind: 'toggle-near'; readonly number: number }
  | { readonly kind: 'edit-text'; readonly text: string }
  | { readonly kind: 'edit-done' };

export type Overlay = 'help' | 'triage' | 'history' | 'arguments';

export const panes = ['phases', 'gpus', 'log'] as const;

export type Pane = (typeof panes)[number];
