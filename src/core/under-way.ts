import type { ActionState, State, Verdict } from './state.js';

/** The kill or relaunch of ours that is being carried out; null while there is none. */
export const actionUnderWay = ({ action }: Pick<State, 'action'>): ActionState | null =>
  action?.finished === false ? action : null;

export const isUnderWay = (state: Pick<State, 'action'>): boolean => actionUnderWay(state) !== null;

/** What is true of the server itself: while a kill or relaunch is under way, the verdict that stood before it. */
export const standingVerdict = (state: Pick<State, 'action' | 'verdict'>): Verdict =>
  actionUnderWay(state)?.before ?? state.verdict;
