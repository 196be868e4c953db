import { connectionError, FiredupError } from '../../../errors.js';
import type { Destination } from '../destination.js';
import { fingerprint, hostName, type KnownHost } from '../known-hosts.js';
import { readKnownHosts } from '../known-hosts-file.js';

/**
 * Adds file, line and fingerprint to a refusal by a `@revoked` line: ssh itself only says that there is one. Any other
 * error is returned as it is.
 */
export function nameRevocation(error: unknown, destinations: readonly Destination[]): unknown {
  if (!(error instanceof FiredupError) || error.code !== 'host-key-revoked') return error;
  const places = destinations.flatMap(revokedLines).map(placeOf);
  // By a RevokedHostKeys file: that one it names.
  if (places.length === 0 || /SHA256:/.test(error.message)) return error;
  const words = `${error.message.replace(/: @.*$/, '')} (${[...new Set(places)].join(', ')}).`;
  return connectionError(
    error.code,
    words,
    error.hint ?? 'Do not log in there; ask whoever runs the host.',
    error,
  );
}

function revokedLines(destination: Destination): readonly KnownHost[] {
  const { host, port, hostKeyAlias, userKnownHosts, globalKnownHosts } = destination;
  try {
    const who = hostName(host, port, hostKeyAlias);
    return readKnownHosts([...userKnownHosts, ...globalKnownHosts], who).filter(
      ({ marker }) => marker === 'revoked',
    );
  } catch {
    // What cannot be read is no reason to say less than ssh did.
    return [];
  }
}

const placeOf = ({ file, line, type, key }: KnownHost): string =>
  `${file}:${line}: ${type} ${fingerprint(key)}`;
