import { connectionError, type FiredupError } from '../../errors.js';
import { plainText } from '../plain-text.js';

/** Whether a channel was refused because there are too many already; what sshd says at `MaxSessions`. */
export const isSlotRefusal = (error: unknown): boolean =>
  reasonOf(error) === connectFailed || reasonOf(error) === resourceShortage;

export const execRefused = (label: string, error: unknown): FiredupError =>
  connectionError(
    'exec-refused',
    `${label} does not start commands for us: ${words(error)}`,
    'Its sshd_config (MaxSessions, ForceCommand) or the account may forbid it.',
    error,
  );

export function forwardRefused(label: string, address: string, port: number, error: unknown): FiredupError {
  return reasonOf(error) === prohibited
    ? connectionError(
        'forward-forbidden',
        `${label} forbids forwarding: ${words(error)}`,
        'AllowTcpForwarding in its sshd_config.',
        error,
      )
    : connectionError(
        'forward-refused',
        `Nothing answers on ${address}:${port} on ${label}: ${words(error)}`,
        undefined,
        error,
      );
}

// RFC 4254, 5.1.
const prohibited = 1;
const connectFailed = 2;
const resourceShortage = 4;

const reasonOf = (error: unknown): unknown =>
  error instanceof Error && 'reason' in error ? error.reason : undefined;

const words = (error: unknown): string =>
  plainText(
    error instanceof Error ? error.message.replace('(SSH) Channel open failure: ', '') : String(error),
  );
