import type { KillSignal, NearListing } from './dialog-look.js';
import type { Attempt } from './events.js';
import type { LaunchSpec } from './launch-spec.js';
import type { RelaunchForm } from './relaunch-form.js';

/** What the fold asks the runtime to do. Data only: nothing in the core acts. */
export type Effect =
  | {
      readonly type: 'kill';
      readonly pid: number;
      readonly startTicks: string;
      readonly signal: KillSignal;
      /** Processes outside its tree that the user has chosen one by one. */
      readonly also: readonly NearListing[];
    }
  | {
      readonly type: 'relaunch';
      readonly form: RelaunchForm;
      readonly previous: Attempt | null;
      readonly signal: KillSignal;
      readonly also: readonly NearListing[];
    }
  /** Looks up what the dialog that was opened then asks about; acts on nothing. */
  | { readonly type: 'look-up'; readonly openedAt: number }
  /** Opens what the next attempt runs in the user's editor; null: it is still being looked up. */
  | { readonly type: 'edit-launch'; readonly spec: LaunchSpec | null; readonly form: RelaunchForm }
  /** The user's word on what stands in the way of a launch. */
  | { readonly type: 'launch-answer'; readonly goOn: boolean }
  /** Writes the last lines of the log itself to a file and the clipboard. */
  | { readonly type: 'dump'; readonly lines: readonly string[] }
  /** The same with other lines; `what` they are, in words. */
  | { readonly type: 'copy'; readonly what: string; readonly lines: readonly string[] }
  | { readonly type: 'connect-now' }
  /** Ends the login that is asking, unanswered. */
  | { readonly type: 'cancel-login' }
  | { readonly type: 'py-spy'; readonly pid: number; readonly startTicks: string }
  /** `back`: one step, to where the user came from. */
  | { readonly type: 'leave'; readonly back: boolean };
