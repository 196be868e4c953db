import type { Attempt } from './events.js';
import type { RelaunchForm } from './state.js';

/** What the fold asks the runtime to do. Data only: nothing in the core acts. */
export type Effect =
  | { readonly type: 'kill'; readonly pid: number; readonly startTicks: string }
  | { readonly type: 'relaunch'; readonly form: RelaunchForm; readonly previous: Attempt | null }
  /** The user's word on what stands in the way of a launch. */
  | { readonly type: 'launch-answer'; readonly goOn: boolean }
  /** Writes the last lines of the log itself to a file and the clipboard. */
  | { readonly type: 'dump'; readonly lines: readonly string[] }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'connect-now' }
  /** Ends the login that is asking, unanswered. */
  | { readonly type: 'cancel-login' }
  | { readonly type: 'py-spy'; readonly pid: number }
  | { readonly type: 'leave' };
