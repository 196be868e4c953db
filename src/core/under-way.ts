import type { State, Verdict } from './state.js';

/** Whether a kill or relaunch of ours is being carried out. */
export const isUnderWay = ({ action }: Pick<State, 'action'>): boolean => action !== null && !action.finished;

/** What is true of the server itself: while a kill or relaunch is under way, the verdict that stood before it. */
export const standingVerdict = ({ action, verdict }: Pick<State, 'action' | 'verdict'>): Verdict =>
  action !== null && !action.finished ? action.before : verdict;
