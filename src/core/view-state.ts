import type { Overlay, Pane } from './intents.js';
import type { Matches } from './matches.js';
import type { Query } from './query.js';

/** How the user looks at it all: what has the keys, where the log stands, what is looked for. */
export interface ViewState {
  readonly focus: Pane;
  readonly overlay: Overlay | null;
  /** The triage card stands in the lower pane after a crash until Esc puts it away, or the log is asked for. */
  readonly cardHidden: boolean;
  /** Sequence number of the lowest line shown; null follows the newest. */
  readonly anchor: number | null;
  /**
   * How many of its screen rows are below the pane's edge: the screen scrolls wrapped lines by rows. Null after a jump: as
   * many as it takes to have the line found in sight.
   */
  readonly hidden: number | null;
  readonly column: number;
  /** Groups of lines are shown as one row each, but those whose first line is in `opened`. */
  readonly folds: boolean;
  readonly opened: ReadonlySet<number>;
  /** The line that a jump led to; and those that the user has marked, in order. */
  readonly found: number | null;
  readonly marks: readonly number[];
  /** Of time stamps only the time of day. */
  readonly shortStamps: boolean;
  readonly filter: FilterState;
  /** The lines that pass the filters, null for all; and, where matches are only highlighted, these. Both are changed in place. */
  readonly shown: Matches | null;
  readonly hits: Matches | null;
  readonly errorsOnly: boolean;
  readonly milestonesOnly: boolean;
  readonly wrap: boolean;
  readonly zoom: boolean;
  readonly mouse: boolean;
  /** First line shown in the overlay. */
  readonly overlayTop: number;
  /** First one shown in the phases pane; null: those around the one that is under way. */
  readonly phasesTop: number | null;
  /** Id of the attempt that is chosen in the history (null: the newest), and whether it is opened. */
  readonly chosen: string | null;
  readonly isOpened: boolean;
  readonly compareWith: 'previous' | 'good';
  readonly theme: number;
}

export interface FilterState {
  readonly text: string;
  readonly editing: boolean;
  readonly mode: 'filter' | 'highlight';
  /** What `text` asks for, or the last one that could be read. */
  readonly query: Query;
  /** Why `text` cannot be read. */
  readonly error: string | null;
  /** What was looked for before, the newest last; and which of them stands in the line, over what was typed. */
  readonly past: readonly string[];
  readonly recalled: { readonly index: number; readonly typed: string } | null;
}
