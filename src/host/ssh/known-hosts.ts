import { createHash, createHmac } from 'node:crypto';
import { matchesPattern } from './patterns.js';

/** One usable line of a known_hosts file that names the host. */
export interface KnownHost {
  readonly file: string;
  readonly line: number;
  readonly marker: 'plain' | 'revoked' | 'cert-authority';
  /** Key type as in the file: `ssh-ed25519`, `ssh-rsa`, … */
  readonly type: string;
  readonly key: Buffer;
  /** Found under the bare host name although the port is not 22: good for recognising a key, never for refusing one. */
  readonly withoutPort: boolean;
}

/** What sshd(8) calls the host name field: who is looked up. */
export interface HostName {
  /** `host`, `[host]:port` for a port other than 22, or the HostKeyAlias as it stands. */
  readonly name: string;
  /** The bare host, looked up too when the port is not 22 and there is no alias (as ssh does). */
  readonly bare: string | null;
}

export type KeyVerdict =
  | { readonly kind: 'known' }
  | { readonly kind: 'new' }
  /** Only a certificate authority is known for the host; plain keys count as new. */
  | { readonly kind: 'ca-only'; readonly entry: KnownHost }
  /** Another key is known, of whatever type: ssh refuses that too. */
  | { readonly kind: 'changed'; readonly entry: KnownHost }
  | { readonly kind: 'revoked'; readonly entry: KnownHost };

/** The name under which ssh(1) keeps the key of `host` at `port`. */
export function hostName(host: string, port: number, alias: string | null): HostName {
  if (alias !== null) return { name: alias, bare: null };
  const bare = host.toLowerCase();
  return port === 22 ? { name: bare, bare: null } : { name: `[${bare}]:${port}`, bare };
}

/** The lines of one known_hosts file that are about `who`; lines that ssh would skip are skipped (sshd(8), SSH_KNOWN_HOSTS). */
export function knownHosts(text: string, file: string, who: HostName): readonly KnownHost[] {
  const found: KnownHost[] = [];
  text.split('\n').forEach((raw, index) => {
    const parsed = parseLine(raw);
    if (parsed === null) return;
    const named = matchesHost(parsed.hosts, who.name);
    const withoutPort = !named && who.bare !== null && matchesHost(parsed.hosts, who.bare);
    if (!named && !withoutPort) return;
    found.push({
      file,
      line: index + 1,
      marker: parsed.marker,
      type: parsed.type,
      key: parsed.key,
      withoutPort,
    });
  });
  return found;
}

/** What the known lines say of a key that a server offers (OpenSSH `check_key_in_hostkeys`). */
export function judgeKey(known: readonly KnownHost[], key: Buffer): KeyVerdict {
  const revoked = known.find((entry) => entry.marker === 'revoked' && entry.key.equals(key));
  if (revoked !== undefined) return { kind: 'revoked', entry: revoked };
  const plain = known.filter((entry) => entry.marker === 'plain');
  if (plain.some((entry) => entry.key.equals(key))) return { kind: 'known' };
  const other = plain.find((entry) => !entry.withoutPort);
  if (other !== undefined) return { kind: 'changed', entry: other };
  const authority = known.find((entry) => entry.marker === 'cert-authority');
  return authority === undefined ? { kind: 'new' } : { kind: 'ca-only', entry: authority };
}

/**
 * Host key algorithms to offer of those that are allowed, those of known keys first: else a host known by its RSA key only
 * would show its ed25519 key and look changed.
 */
export function algorithmOrder(
  known: readonly KnownHost[],
  algorithms: readonly string[],
): readonly string[] {
  const types = new Set(known.filter((entry) => entry.marker === 'plain').map((entry) => entry.type));
  const isKnown = (algorithm: string) => types.has(keyTypeOf(algorithm));
  return [...algorithms.filter(isKnown), ...algorithms.filter((algorithm) => !isKnown(algorithm))];
}

/** `SHA256:…` as ssh prints it. */
export const fingerprint = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** The type at the head of a key blob; null when the blob is no key. */
export function keyType(key: Buffer): string | null {
  if (key.length < 4) return null;
  const length = key.readUInt32BE(0);
  return length > 0 && length <= 64 && key.length >= 4 + length
    ? key.toString('latin1', 4, 4 + length)
    : null;
}

/** The host field of a new line: the name itself, or its hash with `salt` (20 random bytes) as HashKnownHosts asks. */
export function hostField(name: string, salt: Buffer | null): string {
  return salt === null ? name : `|1|${salt.toString('base64')}|${hash(salt, name)}`;
}

const keyTypeOf = (algorithm: string): string => (algorithm.startsWith('rsa-') ? 'ssh-rsa' : algorithm);

interface ParsedLine {
  readonly marker: KnownHost['marker'];
  readonly hosts: string;
  readonly type: string;
  readonly key: Buffer;
}

function parseLine(raw: string): ParsedLine | null {
  let fields = raw.replace(/\r$/, '').trimStart();
  if (fields === '' || fields.startsWith('#')) return null;
  let marker: KnownHost['marker'] = 'plain';
  const marked = /^@(\S+)[ \t]+/.exec(fields);
  if (fields.startsWith('@')) {
    if (marked?.[1] !== 'revoked' && marked?.[1] !== 'cert-authority') return null;
    marker = marked[1];
    fields = fields.slice(marked[0].length);
  }
  const [hosts, type, base64] = fields.split(/[ \t]+/);
  if (hosts === undefined || type === undefined || base64 === undefined) return null;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null;
  const key = Buffer.from(base64, 'base64');
  return keyType(key) === type ? { marker, hosts, type, key } : null;
}

function matchesHost(field: string, name: string): boolean {
  if (field.startsWith('|')) {
    const [, version, salt, digest] = field.split('|');
    if (version !== '1' || salt === undefined || digest === undefined) return false;
    return hash(Buffer.from(salt, 'base64'), name) === digest;
  }
  const lower = name.toLowerCase();
  let matched = false;
  for (const entry of field.toLowerCase().split(',')) {
    const negated = entry.startsWith('!');
    if (!matchesPattern(negated ? entry.slice(1) : entry, lower)) continue;
    // One negated match takes the whole line away, wherever it stands.
    if (negated) return false;
    matched = true;
  }
  return matched;
}

const hash = (salt: Buffer, name: string): string => createHmac('sha1', salt).update(name).digest('base64');
