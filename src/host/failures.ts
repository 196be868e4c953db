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
 * What a login failed for because nobody was there to answer it (a passphrase, a password, a code, an unknown host key),
 * as a sentence: asking somebody is what helps then, not trying again. Null where it failed for something else.
 */
export function openQuestion(error: unknown): string | null {
  if (!(error instanceof FiredupError)) return null;
  if (error.code === 'no-terminal') return error.message;
  const { cause } = error;
  if (cause instanceof LoginRefused) return cause.question;
  return cause instanceof FiredupError && cause.code === 'no-terminal' ? cause.message : null;
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
