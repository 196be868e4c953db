import { readFileSync } from 'node:fs';
import { connectionError, describeError } from '../../errors.js';
import { type KnownHost, keyType } from './known-hosts.js';

/**
 * The keys of a `RevokedHostKeys` file (ssh_config(5)): a public key a line. Throws `host-key-unchecked` when it cannot be
 * read, as ssh refuses every host then, or is a binary revocation list, which only ssh itself understands.
 */
export function readRevokedKeys(path: string): readonly KnownHost[] {
  const bytes = read(path);
  if (isBinaryList(bytes)) {
    throw connectionError(
      'host-key-unchecked',
      `RevokedHostKeys ${path} is a binary list (KRL), which only ssh itself can check.`,
      'Connect with --transport ssh.',
    );
  }
  return bytes
    .toString('utf8')
    .split('\n')
    .flatMap((text, index) => {
      // Options or a comment may stand around the key; its first base64 word is what counts.
      const word = text.startsWith('#')
        ? undefined
        : /(?:^|\s)(AAAA[A-Za-z0-9+/]+={0,2})(?:\s|$)/.exec(text)?.[1];
      const key = word === undefined ? null : Buffer.from(word, 'base64');
      const type = key === null ? null : keyType(key);
      if (key === null || type === null) return [];
      return [{ file: path, line: index + 1, marker: 'revoked' as const, type, key, withoutPort: false }];
    });
}

/** Whether the file is a KRL (PROTOCOL.krl); false for one that cannot be read. */
export function isKrl(path: string): boolean {
  try {
    return isBinaryList(readFileSync(path));
  } catch {
    return false;
  }
}

const isBinaryList = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 6) === 'SSHKRL';

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw connectionError(
      'host-key-unchecked',
      `The RevokedHostKeys file ${path} cannot be read: ${describeError(error)}`,
      'Without it no host key can be checked; ssh refuses too.',
      error,
    );
  }
}
