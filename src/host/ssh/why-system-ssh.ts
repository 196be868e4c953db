import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { FiredupError } from '../../errors.js';
import { LoginRefused } from '../login-refused.js';
import { plainText } from '../plain-text.js';
import { listAgentKeys } from './agent-list.js';
import type { Environment } from './config.js';
import type { Destination } from './destination.js';
import { hostName } from './known-hosts.js';
import { readKnownHosts } from './known-hosts-file.js';
import { isKrl } from './revoked-keys.js';

/**
 * What one of the machines on the way asks for that ssh2 cannot do and the system's ssh can, as words for a sentence;
 * null where ssh2 will do. Looks at files and the agent only, not at the network.
 */
export async function whySystemSsh(destinations: readonly Destination[]): Promise<string | null> {
  for (const destination of destinations) {
    const why = certificate(destination) ?? securityKey(destination) ?? other(destination);
    if (why !== null) return why;
  }
  for (const destination of destinations) {
    const why = await unusualAgentKey(destination);
    if (why !== null) return why;
  }
  return null;
}

/** The same, for what only the failure of a login by ssh2 shows. */
export function whySystemSshAfter(
  error: unknown,
  destinations: readonly Destination[],
  env: Environment,
): string | null {
  if (!(error instanceof FiredupError)) return null;
  if (error.code === 'no-common-algorithm')
    return 'the server takes none of the algorithms that ssh2 has and the ssh config allows';
  if (!(error.cause instanceof LoginRefused)) return null;
  const takesTickets = error.cause.offered.includes('gssapi-with-mic') && hasTicket(env);
  return takesTickets && destinations.some(({ gssapi }) => gssapi)
    ? 'the server takes Kerberos tickets (GSSAPI)'
    : null;
}

function certificate({ certificateFiles, identityFiles }: Destination): string | null {
  const file = [...certificateFiles, ...identityFiles.map((path) => `${path}-cert.pub`)].find(existsSync);
  return file === undefined ? null : `${file} is a user certificate`;
}

function securityKey({ identityFiles }: Destination): string | null {
  const file = identityFiles.find((path) => existsSync(path) && /^sk-/.test(textOf(`${path}.pub`)));
  return file === undefined ? null : `${file} is on a security key (FIDO)`;
}

function other(destination: Destination): string | null {
  if (destination.onlySystemSsh !== null) return `the ssh config sets ${destination.onlySystemSsh}`;
  const lacking = notInSsh2(destination);
  if (lacking !== null) return lacking;
  const { revokedHostKeys: revoked } = destination;
  if (revoked !== null && isKrl(revoked)) return `RevokedHostKeys ${revoked} is a binary list`;
  const { host, port, hostKeyAlias, userKnownHosts, globalKnownHosts } = destination;
  const who = hostName(host, port, hostKeyAlias);
  try {
    const known = readKnownHosts([...userKnownHosts, ...globalKnownHosts], who);
    if (known.some(({ marker }) => marker === 'plain')) return null;
    if (destination.hostKeyDns) return `DNS may vouch for the host key of ${who.name} (VerifyHostKeyDNS)`;
    return known.some(({ marker }) => marker === 'cert-authority')
      ? `${who.name} is known by a certificate authority only`
      : null;
  } catch {
    // What cannot be read is told where the host key is judged.
    return null;
  }
}

/** Where the lists of the config leave ssh2 nothing. */
function notInSsh2({ algorithms, methods }: Destination): string | null {
  const [first] = algorithms.lacking;
  if (first !== undefined) return `ssh2 has nothing of what the ssh config allows: ${first}`;
  if (methods.length === 0) return 'the ssh config allows no way to log in that ssh2 has';
  return methods.includes('publickey') && algorithms.publicKeys.length === 0
    ? 'ssh2 has nothing of what the ssh config allows: PubkeyAcceptedAlgorithms'
    : null;
}

async function unusualAgentKey({ agentSocket, identitiesOnly }: Destination): Promise<string | null> {
  if (agentSocket === null || identitiesOnly) return null;
  const keys = await listAgentKeys(agentSocket, 5000).catch(() => []);
  for (const { publicKey, comment } of keys) {
    const type = publicKey.toString('latin1', 4, 4 + Math.min(100, publicKey.readUInt32BE(0)));
    const name = plainText(comment, 60) || 'a key';
    if (/-cert-v01@/.test(type)) return `the agent holds a user certificate (${name})`;
    if (/^sk-/.test(type)) return `the agent holds a security key (${name})`;
  }
  return null;
}

/** Whether there is a ticket cache; ssh itself finds out whether it is any good. */
function hasTicket(env: Environment): boolean {
  return env.KRB5CCNAME !== undefined || existsSync(`/tmp/krb5cc_${userInfo().uid}`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
