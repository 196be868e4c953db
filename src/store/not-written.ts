import { exitCodes, FiredupError, fileReason } from '../errors.js';

/** A file of ours, `what` for people, that could not be written at `path`: why, and where else it may go. */
export function notWritten(
  code: string,
  what: string,
  path: string,
  error: NodeJS.ErrnoException,
): FiredupError {
  return new FiredupError(code, `${what} cannot be written to ${path}: ${fileReason(error)}.`, {
    exitCode: exitCodes.usage,
    hint: 'Set XDG_STATE_HOME to a folder that can be written.',
    cause: error,
  });
}
