import type { ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';

export interface KeyPair {
  /** Private key in OpenSSH's format, without a passphrase. */
  readonly privateKey: string;
  /** `ssh-ed25519 AAAA…`, without the comment. */
  readonly publicKey: string;
  readonly parsed: ParsedKey;
}

/**
 * Makes an Ed25519 key pair. ssh2 1.17 strips zero bytes from the front of the public key, which then no longer
 * parses: one key in 256 is unusable, so such a one is made again.
 */
export function makeKeyPair(comment: string, generate = generateOne): KeyPair {
  for (;;) {
    const pair = generate(comment);
    const parsed = ssh2.utils.parseKey(pair.public);
    const secret = ssh2.utils.parseKey(pair.private);
    if (parsed instanceof Error || secret instanceof Error) continue;
    return { privateKey: pair.private, publicKey: pair.public.split(' ').slice(0, 2).join(' '), parsed };
  }
}

const generateOne = (comment: string): { readonly private: string; readonly public: string } =>
  ssh2.utils.generateKeyPairSync('ed25519', { comment });
