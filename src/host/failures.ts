import { connectionError, exitCodes, FiredupError } from '../errors.js';

/**
 * For what `connectHost` rejects with: whether trying again by itself makes no sense or does harm: refused host keys, failed logins, wrong config.
 * Only what is known to pass (network, server busy, link lost) is not final, so that a fault never loops.
 */
export function isFinal(error: unknown): boolean {
  return !(error instanceof FiredupError && passing.has(error.code));
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
