import type { Effect } from './effects.js';
import type { Link, LoginQuestion } from './events.js';
import { leaveLog } from './log.js';
import { told } from './notice.js';
import type { State } from './state.js';

/** Folds what became of the connection. A login's dialog goes with its success and stays with its failure. */
export function reduceLink(state: State, link: Link, at: number): State {
  const { dialog } = state;
  const next =
    link.status === 'up'
      ? { ...state, link, upSince: at, listeningSince: at }
      : { ...withoutStreak(state), link, log: state.link.status === 'up' ? leaveLog(state) : state.log };
  if (dialog?.kind !== 'login') return next;
  if (link.status === 'up') return { ...next, dialog: null };
  if (link.status === 'waiting' && link.trying) return next;
  const failure = link.status === 'connecting' ? null : link.reason;
  return { ...next, dialog: { ...dialog, question: null, failure } };
}

/** Answers before a break and after it are no unbroken row of them. */
const withoutStreak = (state: State): State =>
  state.health === null ? state : { ...state, health: { ...state.health, okSince: null, openSince: null } };

/** The login asks something, or has its answer (null). What nobody sees is not asked: the dialog was closed meanwhile. */
export function reduceQuestion(state: State, question: LoginQuestion | null): State {
  const { dialog } = state;
  if (dialog?.kind !== 'login' || dialog.failure !== null) return state;
  return { ...state, dialog: { ...dialog, question } };
}

/** `c`: does not wait for the next try; where the login was refused or needs an answer, it opens its dialog. */
export function connectNow(state: State): readonly [State, readonly Effect[]] {
  const { link } = state;
  if (link.status === 'up') return [told(state, 'the connection stands'), []];
  if (link.status !== 'waiting') return [told(state, 'connecting now'), [{ type: 'connect-now' }]];
  const dialog = { kind: 'login', openedAt: state.now, question: null, failure: null } as const;
  return [{ ...state, dialog }, link.trying ? [] : [{ type: 'connect-now' }]];
}

/** Esc in the login's dialog: the login ends, and waits for the next `c`. */
export function cancelLogin(state: State): readonly [State, readonly Effect[]] {
  const isOver = state.dialog?.kind === 'login' && state.dialog.failure !== null;
  return [{ ...state, dialog: null }, isOver ? [] : [{ type: 'cancel-login' }]];
}
