import { getCiphers, getHashes } from 'node:crypto';
import { connectionError, type FiredupError } from '../../errors.js';
import { plainText } from '../plain-text.js';
import { matchesPattern } from './patterns.js';
import type { ConfigAnswer } from './read-ssh-config.js';

/** What the ssh config lets one login use, cut down to what ssh2 has, the preferred first. */
export interface Algorithms {
  readonly kex: readonly string[];
  readonly ciphers: readonly string[];
  readonly macs: readonly string[];
  readonly hostKeys: readonly string[];
  /** Signature algorithms of login keys; empty where no key of ours may be used. */
  readonly publicKeys: readonly string[];
  /** The options of which ssh2 has nothing, with what they ask for, as words for a sentence; usually empty. */
  readonly lacking: readonly string[];
}

type Kind = Exclude<keyof Algorithms, 'lacking'>;

/**
 * Reads the lists of `answer`. `defaults` is what the same ssh says without any config: where the ciphers are those, ours
 * come first that cost least. Without an ssh program (null) a leading `+`, `-` or `^` is applied to OpenSSH's defaults here.
 */
export function algorithmsOf(answer: ConfigAnswer, defaults: ConfigAnswer | null): Algorithms {
  const lacking: string[] = [];
  const list = (kind: Kind): readonly string[] => {
    const { option, usual, unusual } = known[kind];
    const asked = answer.get(option.toLowerCase())?.[0] ?? null;
    if (asked === null) return usual;
    const all = [...usual, ...unusual];
    const allowed = resolved(asked, usual, all);
    const isDefault = asked === defaults?.get(option.toLowerCase())?.[0];
    const found = isDefault ? usual.filter((name) => allowed.includes(name)) : allowed;
    // Without a key one may still log in by a password.
    if (found.length === 0 && kind !== 'publicKeys') lacking.push(`${option} ${plainText(asked, 80)}`);
    return found;
  };
  return {
    kex: list('kex'),
    ciphers: list('ciphers'),
    macs: list('macs'),
    hostKeys: list('hostKeys'),
    publicKeys: list('publicKeys'),
    lacking,
  };
}

/** What ssh2 uses where no config is asked. */
export const usualAlgorithms = (): Algorithms => algorithmsOf(new Map(), null);

/** Where nothing is left that ssh2 could use, no connection may be begun: ssh2 takes an empty list for its own defaults. */
export function nothingInCommon(label: string, { lacking }: Algorithms): FiredupError | null {
  const [first] = lacking;
  if (first === undefined) return null;
  return connectionError(
    'no-common-algorithm',
    `The ssh config allows ${label} only what ssh2 does not have: ${first}.`,
    "The system's ssh may have it: --transport ssh, where it is installed.",
  );
}

/** ssh_config(5): a comma list of patterns; `+` adds to the defaults, `-` takes away from them, `^` puts in front. */
function resolved(asked: string, usual: readonly string[], all: readonly string[]): readonly string[] {
  const sign = /^[-+^]/.exec(asked)?.[0] ?? '';
  const patterns = asked.slice(sign.length).split(',');
  const named = unique(
    patterns.flatMap((pattern) => all.filter((name) => matchesPattern(pattern.trim(), name))),
  );
  switch (sign) {
    case '+':
      return unique([...usual, ...named]);
    case '^':
      return unique([...named, ...usual]);
    case '-':
      return usual.filter((name) => !named.includes(name));
    default:
      return named;
  }
}

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** Those whose OpenSSL name (a cipher's or a hash's) this Node has: it may be built or set up (FIPS) without some. */
const those = (available: readonly string[], names: readonly (readonly [string, string])[]) =>
  names.filter(([, ssl]) => available.includes(ssl)).map(([name]) => name);

const ecdsa = ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'];

/**
 * What ssh2 1.17 has of what OpenSSH knows (its lib/protocol/constants.js). `usual` is among OpenSSH's defaults, in the order of
 * least cost; the others are used only where a config names them. Host keys by SHA-1 (`ssh-rsa`) and DSA are left to ssh.
 */
const known: Readonly<
  Record<
    Kind,
    { readonly option: string; readonly usual: readonly string[]; readonly unusual: readonly string[] }
  >
> = {
  kex: {
    option: 'KexAlgorithms',
    usual: [
      'curve25519-sha256',
      'curve25519-sha256@libssh.org',
      'ecdh-sha2-nistp256',
      'ecdh-sha2-nistp384',
      'ecdh-sha2-nistp521',
      'diffie-hellman-group-exchange-sha256',
      'diffie-hellman-group16-sha512',
      'diffie-hellman-group18-sha512',
      'diffie-hellman-group14-sha256',
    ],
    unusual: [
      'diffie-hellman-group-exchange-sha1',
      'diffie-hellman-group14-sha1',
      'diffie-hellman-group1-sha1',
    ],
  },
  ciphers: {
    option: 'Ciphers',
    usual: those(getCiphers(), [
      ['aes128-gcm@openssh.com', 'aes-128-gcm'],
      ['aes256-gcm@openssh.com', 'aes-256-gcm'],
      ['aes128-ctr', 'aes-128-ctr'],
      ['aes192-ctr', 'aes-192-ctr'],
      ['aes256-ctr', 'aes-256-ctr'],
      ['chacha20-poly1305@openssh.com', 'chacha20'],
    ]),
    unusual: those(getCiphers(), [
      ['aes128-cbc', 'aes-128-cbc'],
      ['aes192-cbc', 'aes-192-cbc'],
      ['aes256-cbc', 'aes-256-cbc'],
      ['3des-cbc', 'des-ede3-cbc'],
    ]),
  },
  macs: {
    option: 'MACs',
    usual: [
      'hmac-sha2-256-etm@openssh.com',
      'hmac-sha2-512-etm@openssh.com',
      'hmac-sha1-etm@openssh.com',
      'hmac-sha2-256',
      'hmac-sha2-512',
      'hmac-sha1',
    ],
    unusual: those(getHashes(), [
      ['hmac-sha1-96', 'sha1'],
      ['hmac-md5', 'md5'],
      ['hmac-md5-96', 'md5'],
    ]),
  },
  hostKeys: {
    option: 'HostKeyAlgorithms',
    usual: ['ssh-ed25519', ...ecdsa, 'rsa-sha2-512', 'rsa-sha2-256'],
    unusual: [],
  },
  publicKeys: {
    option: 'PubkeyAcceptedAlgorithms',
    usual: ['ssh-ed25519', ...ecdsa, 'rsa-sha2-512', 'rsa-sha2-256'],
    unusual: ['ssh-rsa'],
  },
};
