import type { State } from './state.js';
import type { ViewState } from './view-state.js';

/** Sequence number of the lowest line shown. */
export const bottom = ({ view, log }: State): number => view.anchor ?? log.ring.end - 1;

/** The log shown down to the line `anchor` (null: the newest), but for `hidden` of its screen rows (see there). */
export const anchored = (
  anchor: number | null,
  hidden: number | null = 0,
): Pick<ViewState, 'anchor' | 'hidden'> => ({
  anchor,
  hidden,
});

export const withView = (state: State, change: Partial<ViewState>): State => ({
  ...state,
  view: { ...state.view, ...change },
});

export const withFilter = (state: State, change: Partial<ViewState['filter']>): State =>
  withView(state, { filter: { ...state.view.filter, ...change } });

/** The log in front, with the keys. */
export const toLog = (state: State): State => withView(withoutCard(state), { focus: 'log', overlay: null });

/** Whoever looks for something in the log wants to see it. A crash that is still to come has its card all the same. */
export const withoutCard = (state: State): State =>
  withView(state, { cardHidden: state.view.cardHidden || state.verdict.outcome === 'crashed' });
