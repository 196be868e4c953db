import { connectionError } from '../errors.js';
import type { Host } from '../host/host.js';
import type { HostSpec } from '../host/spec.js';
import { connectAgain as tryAgain } from '../runtime/stay-connected.js';
import { askingOnTerminal, connectAgain } from './connection.js';
import { remark } from './remark.js';

/** How long a command that acts waits for the host to come back (ms). */
const patienceMs = 10 * 60_000;

/** Connects anew after the connection was lost in the middle of an action, and says so on stderr. */
export const nextConnection = (spec: HostSpec) => async (): Promise<Host> => {
  const reason = `The connection to ${spec.label} was lost`;
  let told = '';
  let why: string | null = null;
  const host = await tryAgain({
    reason,
    connect: connectAgain(spec),
    asking: askingOnTerminal(),
    tell(link) {
      if (link.status === 'lost') why = link.reason;
      if (link.status !== 'down' || link.reason === told) return;
      told = link.reason;
      remark(`${link.reason}; connecting again to see what has become of it`);
    },
    signal: AbortSignal.timeout(patienceMs),
    now: Date.now,
    random: Math.random,
  });
  if (host === null)
    throw connectionError('link-lost', `${reason} for good${why === null ? '.' : `: ${why}`}`);
  return host;
};
