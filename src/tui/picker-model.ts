import type { StatusModel } from '../core/view-models/screen.js';

/** What a row says in one word: an outcome, or why there is none. `login`: it asks for a password or the like. */
export type ServerWord = StatusModel['outcome'] | 'asking' | 'none' | 'offline' | 'login';

/** The same for people. */
export const serverWords: Readonly<Record<ServerWord, string>> = {
  ready: 'READY',
  crashed: 'CRASHED',
  loading: 'LOADING',
  stalled: 'STALLED',
  stopped: 'STOPPED',
  unknown: 'UNKNOWN',
  asking: 'asking',
  none: 'not started',
  offline: 'no connection',
  login: 'login needed',
};

/** One server as the picker and `firedup status` list it. */
export interface PickerRow {
  readonly server: string;
  readonly host: string;
  readonly word: ServerWord;
  readonly attempt: string;
  /** `12 min`: how long it has run, or been over. */
  readonly since: string;
  /** One sentence. */
  readonly detail: string;
  /** It is being asked again: what it says is its last answer. */
  readonly isAskedAgain?: true;
  /** How one that is not started is: the line to type, and what it runs. Absent where the config does not say. */
  readonly start?: { readonly line: string; readonly command: string };
}

/** Whether an answer of it is awaited. */
export const isAwaited = (row: PickerRow): boolean => row.word === 'asking' || row.isAskedAgain === true;

/** What the picker shows; the chosen row is the screen's own. */
export interface PickerModel {
  /** Where the targets come from. */
  readonly source: string;
  readonly rows: readonly PickerRow[];
  /** Time of the day of the last question, `18:25:10`. */
  readonly askedAt: string;
}
