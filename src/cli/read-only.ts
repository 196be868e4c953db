import { usageError } from '../errors.js';

/** Throws a usage error when a command that acts was told not to act. */
export function refuseReadOnly(options: { readonly readOnly?: boolean }, command: string): void {
  if (options.readOnly)
    throw usageError(
      `${command} acts on the host, and --read-only switches every action off.`,
      'Leave it away, or read-only: in the config, to act.',
    );
}
