import type { TimeBox } from '../../time-box.js';
import type { LineLevel } from '../../triage/findings.js';
import type { SlowSearch } from '../slow-search.js';

export interface LogPaneModel {
  /** `~/logs/server.log`. */
  readonly title: string;
  /** Seen before the connection went: how old, the header says. */
  readonly isOld: boolean;
  /** Says why there is nothing to show, or that reading is behind: `not there yet`, `reading 45 %`. */
  readonly note: string | null;
  readonly follow: boolean;
  /** Lines that came below what is shown. */
  readonly newBelow: number;
  /** Lines of what is watched now; those of earlier attempts stand above them. */
  readonly total: number;
  /** No line is there, of an earlier attempt neither. */
  readonly isEmpty: boolean;
  readonly filter: {
    readonly text: string;
    readonly editing: boolean;
    readonly mode: 'filter' | 'highlight';
    readonly error: string | null;
    readonly pattern: RegExp | null;
  };
  /** What keeps `rows` and `matched` from being all that there is. */
  readonly slow: SlowSearch | null;
  /** What the pattern is to be tried in. */
  readonly timeBox: TimeBox;
  /** Lines that pass the filters or, where they are only highlighted, match; null without one. */
  readonly matched: {
    readonly count: number;
    readonly of: number;
    /** In the lines of earlier attempts, which `count` and `of` leave out. */
    readonly earlier: number;
    /** How much has been looked at, 0 to 1. */
    readonly share: number;
  } | null;
  readonly errorsOnly: boolean;
  readonly milestonesOnly: boolean;
  readonly wrap: boolean;
  readonly column: number;
  readonly shortStamps: boolean;
  /**
   * Up to `height` lines, oldest first, that end at the scroll position and pass the filters; the unfinished
   * last line comes with `seq` null. Cheap: looks only as far back as it must.
   */
  readonly rows: (height: number) => readonly LogRow[];
  /** Up to `height` more below them, oldest first. */
  readonly rowsBelow: (height: number) => readonly LogRow[];
  /** The first that there are, oldest first. */
  readonly firstRows: (height: number) => readonly LogRow[];
  /** Screen rows of the lowest line below the pane's edge; null: so many that the line found is in sight. */
  readonly hidden: number | null;
  /** Changes when `rows` may give something else. */
  readonly version: string;
}

export interface LogRow {
  readonly seq: number | null;
  readonly number: number | null;
  readonly text: string;
  readonly level: LineLevel;
  readonly rank: string | null;
  readonly milestone: boolean;
  /** Null for a line that is on its own. */
  readonly fold: LogFold | null;
  /** The line that a jump led to, or one that the user has marked. */
  readonly flag: 'found' | 'marked' | null;
}

/** The group of lines that a row is shown for. */
export interface LogFold {
  readonly copies: number;
  readonly lines: number;
  /** All its lines are rows; this is the one that stands for them when they are not. */
  readonly isOpen: boolean;
  readonly isRow: boolean;
  /** Sequence number of its first line: what it is known by. */
  readonly first: number;
}
