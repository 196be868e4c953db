import type { State } from './state.js';

/** Whether a kill or relaunch of ours is being carried out. */
export const isUnderWay = ({ action }: Pick<State, 'action'>): boolean => action !== null && !action.finished;
