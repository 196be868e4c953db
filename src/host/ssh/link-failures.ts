import { connectionError, type FiredupError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { errorWords } from './error-words.js';

export interface FailedLogin {
  readonly label: string;
  readonly phase: 'handshake' | 'login';
  /** ssh2's last error; null when the server just closed. */
  readonly error: (Error & { readonly level?: string }) | null;
  /** The first bytes that the peer sent. */
  readonly head: Buffer;
  readonly authFailure: (serverWords: string | null) => FiredupError;
}

/** Why a login ended, from ssh2's error and the first bytes of the peer. */
export function loginFailure(failed: FailedLogin): FiredupError {
  const { label, phase, error, head } = failed;
  const words = error === null ? null : error.message;
  if (phase === 'login') {
    if (error?.level === 'client-authentication') return failed.authFailure(null);
    if (words !== null && /too many authentication failures/i.test(words)) return failed.authFailure(words);
    return connectionError(
      'closed-by-host',
      `${label} ended the connection during the login${after(error)}.`,
      limitsHint,
      error ?? undefined,
    );
  }
  const said = plainText(head.toString('utf8'), 120);
  if (!/(^|\n)SSH-/.test(head.toString('latin1'))) {
    // sshd's own refusals come as plain text instead of its banner (MaxStartups, PerSourcePenalties).
    if (/^(Exceeded MaxStartups|Not allowed at this time)/.test(said)) {
      return connectionError('closed-by-host', `${label} refuses connections for now: ${said}`, busyHint);
    }
    return said === ''
      ? connectionError(
          'closed-by-host',
          `${label} closed the connection before it said anything${after(error)}.`,
          busyHint,
        )
      : connectionError('not-ssh', `${label} is no SSH server; it says: ${said}`, 'Is the port right?');
  }
  if (words !== null && /no matching/i.test(words)) {
    return connectionError(
      'no-common-algorithm',
      `${label} and we have no algorithm in common: ${plainText(words)}`,
    );
  }
  return connectionError(
    'closed-by-host',
    `${label} ended the connection during the handshake${after(error)}.`,
    undefined,
    error ?? undefined,
  );
}

/** Where a login was cut short by the other side. */
export const limitsHint =
  'The server may limit logins (MaxStartups, LoginGraceTime: was the answer late, or is the way slow?), or the network dropped it.';

/** Where it did not begin: sshd drops connections without a word, or with one, when too many are logging in. */
export const busyHint =
  'The server may take no more logins for now (MaxStartups): wait a little and try again.';

/** Why a link that was up went, in a few words. */
export const linkReason = (error: Error | null): string =>
  error === null ? 'the host closed it' : errorWords(error);

const after = (error: Error | null): string => {
  const words = error === null ? null : errorWords(error);
  return words === null || words === 'the host closed it' ? '' : ` (${words})`;
};
