import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { connectionError, describeError } from '../../errors.js';
import { type HostName, hostField, type KnownHost, keyType, knownHosts } from './known-hosts.js';

/**
 * Everything that the known_hosts `files` say about `who`, in their order. A file that is not there says nothing;
 * one that cannot be read is refused (`known-hosts-unreadable`), for it might hold the key or its revocation.
 */
export function readKnownHosts(files: readonly string[], who: HostName): readonly KnownHost[] {
  return files.flatMap((file) => {
    try {
      return knownHosts(readFileSync(file, 'utf8'), file, who);
    } catch (error) {
      if (isMissing(error)) return [];
      throw connectionError(
        'known-hosts-unreadable',
        `The known hosts file ${file} cannot be read: ${describeError(error)}`,
        'Without it no host key can be checked.',
        error,
      );
    }
  });
}

/**
 * Appends one line for `name`, as ssh does: file mode 0600, folder 0700, on a line of its own even where the file
 * lacks its final newline. Throws what the file system throws, and refuses names that would be read as patterns.
 */
export function appendKnownHost(file: string, name: string, key: Buffer, hashed: boolean): void {
  const type = keyType(key);
  if (type === null || /[\s@?*#|'"\\,!]/.test(name))
    throw new Error(`${name} cannot be written to known_hosts.`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const descriptor = openSync(file, 'a+', 0o600);
  try {
    const line = `${hostField(name, hashed ? randomBytes(20) : null)} ${type} ${key.toString('base64')}\n`;
    // One write in append mode: two of us at once do not mix their lines.
    writeSync(descriptor, endsOpen(descriptor) ? `\n${line}` : line);
  } finally {
    closeSync(descriptor);
  }
}

function endsOpen(descriptor: number): boolean {
  const { size } = fstatSync(descriptor);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(descriptor, last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
