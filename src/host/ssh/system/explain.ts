import { connectionError, type FiredupError, usageError } from '../../../errors.js';
import { plainText } from '../../plain-text.js';
import { errorWords } from '../error-words.js';
import { busyHint, limitsHint } from '../link-failures.js';

/** Why a system ssh did not log in, from what it wrote on stderr. */
export function explainSsh(label: string, stderr: string): FiredupError {
  const lines = stderr
    .split(/\r?\n/)
    .map((line) => plainText(line, 300))
    .filter((line) => line !== '' && !/^@+$/.test(line));
  const last = lines.at(-1) ?? 'it gave no reason';
  for (const [pattern, code, say, hint] of reasons) {
    const line = lines.find((text) => pattern.test(text));
    if (line === undefined) continue;
    const before = hint === busyHint ? lines[lines.indexOf(line) - 1] : undefined;
    if (before !== undefined) return connectionError(code, `${say(label)}: ${before}`, tunnelHint);
    return connectionError(code, `${say(label)}: ${detail(code, lines) ?? line}`, hint);
  }
  if (/^(command-line|.*: line \d+): Bad /i.test(last) || /terminating, \d+ bad configuration/.test(last)) {
    return usageError(`The ssh config cannot be used: ${lines[0] ?? last}`);
  }
  return connectionError('ssh-failed', `ssh did not log in to ${label}: ${last}`);
}

type Reason = readonly [pattern: RegExp, code: string, say: (label: string) => string, hint?: string];

/** Its own words, OpenSSH 7 to 10; the first that fits counts. */
const reasons: readonly Reason[] = [
  [
    /REVOKED HOST KEY|revoked by file|marked as revoked/i,
    'host-key-revoked',
    (label) => `The host key of ${label} is revoked`,
  ],
  [
    /HOST IDENTIFICATION HAS CHANGED|host key .* has changed/i,
    'host-key-changed',
    (label) => `The host key of ${label} has changed`,
    'Somebody may be listening. If the host was really set up anew, remove its line with ssh-keygen -R.',
  ],
  [
    /Host key verification failed|No .* host key is known for/i,
    'host-key-unknown',
    (label) => `The host key of ${label} is not known`,
    'Compare the fingerprint, then log in once by hand with ssh, or pass --accept-new.',
  ],
  [
    /Permission denied|Too many authentication failures/i,
    'login-failed',
    (label) => `${label} refused the login`,
    'Check the user name, and name the right key with -i or IdentityFile.',
  ],
  [
    /no matching .* found|Unable to negotiate/i,
    'no-common-algorithm',
    (label) => `${label} and ssh have no algorithm in common`,
  ],
  [
    /Could not resolve hostname/i,
    'unreachable',
    (label) => `The name of ${label} cannot be resolved`,
    'Check the spelling, the ssh config, and the VPN.',
  ],
  [
    /Connection refused|No route to host|Network is unreachable/i,
    'unreachable',
    (label) => `${label} cannot be reached`,
  ],
  [
    /timed out|Timeout, server/i,
    'connect-timeout',
    (label) => `${label} did not answer in time`,
    'Is the machine up, and is the network or VPN there?',
  ],
  [
    /kex_exchange_identification|banner exchange/i,
    'closed-by-host',
    (label) => `${label} closed the connection before the login`,
    busyHint,
  ],
  [
    /authentication code incorrect|Corrupted (MAC|padlen)|Packet corrupt|Connection corrupted|Bad packet|error in libcrypto|incomplete message|invalid format|Protocol error/i,
    'closed-by-host',
    (label) => `The login to ${label} broke off: what came over the link was damaged`,
  ],
  [
    /Connection aborted|connection abort|(Network|Host) is down/i,
    'unreachable',
    (label) => `${label} cannot be reached`,
  ],
  [
    /closed by|Connection reset|Broken pipe/i,
    'closed-by-host',
    (label) => `${label} ended the connection during the login`,
    limitsHint,
  ],
];

/** What came before ssh's own words is of whoever was to carry it there. */
const tunnelHint = 'This is what the ProxyCommand or the jump host said.';

/** For host keys: the lines that name file and fingerprint. */
function detail(code: string, lines: readonly string[]): string | null {
  if (!code.startsWith('host-key')) return null;
  const telling = lines.filter((line) =>
    /SHA256:|known_hosts|Offending|RevokedHostKeys|is known for|in file/.test(line),
  );
  return telling.length === 0 ? null : telling.join(' ');
}

/** Why a connection that was up went, in a few words. */
export function lossReason(stderr: string, silentMs: number): string {
  const last = stderr
    .split(/\r?\n/)
    .map((line) => plainText(line))
    .filter((line) => line !== '' && !/^channel \d+:|^mux_/.test(line))
    .at(-1);
  if (last === undefined) return 'the host closed it';
  if (/^Timeout, server/.test(last)) return `nothing heard for ${Math.round(silentMs / 1000)} s`;
  if (/closed by remote host/.test(last)) return 'the host closed it';
  return errorWords(new Error(last));
}
