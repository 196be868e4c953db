import { connectionError, exitCodes, FiredupError } from '../errors.js';
import { LoginRefused } from './login-refused.js';

/**
 * For what `connectHost` rejects with: whether trying again by itself makes no sense or does harm: refused host keys, failed logins, wrong config.
 * Only what is known to pass (network, server busy, link lost) is not final, so that a fault never loops.
 */
export function isFinal(error: unknown): boolean {
  return !(error instanceof FiredupError && passing.has(error.code));
}

/**
 * Whether a login failed because nobody was there to answer its questions (a passphrase, a password, a code): asking
 * somebody is what helps then, not trying again.
 */
export function needsAnswer(error: unknown): boolean {
  if (!(error instanceof FiredupError)) return false;
  if (error.code === 'no-terminal') return true;
  const { cause } = error;
  if (cause instanceof LoginRefused) return cause.needsAnswer;
  return cause instanceof FiredupError && cause.code === 'no-terminal';
}

const passing = new Set([
  'unreachable',
  'connect-timeout',
  'handshake-timeout',
  'login-timeout',
  'closed-by-host',
  'not-ssh',
  'link-lost',
  'jump-failed',
]);

/** For calls on a host whose link went by itself. */
export const linkLost = (label: string, reason: string): FiredupError =>
  connectionError('link-lost', `The connection to ${label} is lost: ${reason}`);

/** For calls on a host after its `close()`. */
export const hostClosed = (label: string): FiredupError =>
  connectionError('host-closed', `The connection to ${label} is closed.`);

/** What an aborted wait rejects with. */
export const interrupted = (what: string): FiredupError =>
  new FiredupError('interrupted', `${what} was interrupted.`, { exitCode: exitCodes.interrupted });
