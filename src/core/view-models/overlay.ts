import type { Difference } from '../compare-runs.js';
import type { Overlay } from '../intents.js';
import type { HistoryDetail, HistoryRow } from './history.js';
import type { TriageCard } from './triage-card.js';

export type OverlayModel =
  | {
      readonly kind: Exclude<Overlay, 'triage' | 'history' | 'arguments'>;
      readonly top: number;
    }
  | { readonly kind: 'triage'; readonly top: number; readonly card: TriageCard }
  | {
      readonly kind: 'history';
      readonly top: number;
      /** The newest first. */
      readonly rows: readonly HistoryRow[];
      /** Index of the row that Enter opens. */
      readonly chosen: number;
      readonly opened: HistoryDetail | null;
    }
  | {
      readonly kind: 'arguments';
      readonly top: number;
      readonly rows: readonly Difference[];
      /** What they are compared with; null where there is no earlier attempt. */
      readonly comparison: ComparisonModel | null;
    };

export interface ComparisonModel {
  /** `attempt 2 (crashed)`. */
  readonly with: string;
  /** What the arrow keys compare with instead; null where there is nothing else. */
  readonly other: string | null;
}
