import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import ssh2, { type ParsedKey } from 'ssh2';
import { plainText } from '../plain-text.js';
import { decryptKey } from './decrypt-key.js';
import { fromPkcs8, pkcs8Kind } from './pkcs8.js';
import { wireField } from './wire-field.js';

/** A private key on disk, before anybody was asked for its passphrase. */
export interface KeyFile {
  readonly path: string;
  readonly encrypted: boolean;
  /** SSH wire form; null for an old encrypted PEM file with no `.pub` beside it. */
  readonly publicKey: Buffer | null;
  /** The key of a file that is not encrypted; null for one that is. */
  readonly open: ParsedKey | null;
  /** Decrypts and parses it, off the main thread; an `Error` says what is wrong (`isWrongPassphrase` tells a typing error). */
  unlock(passphrase: string): Promise<ParsedKey | Error>;
}

/**
 * Reads a private key file (OpenSSH and PEM forms). Null when it is not there; an `Error` when it is of no use, be it
 * that others can read a file of ours, which ssh refuses too (authfile.c, `sshkey_perm_ok`).
 */
export function readKeyFile(path: string): KeyFile | Error | null {
  let text: string;
  try {
    const descriptor = openSync(path, 'r');
    try {
      const { uid, mode } = fstatSync(descriptor);
      text = readFileSync(descriptor, 'utf8');
      // A public key may stand there alone, for a private half that an agent holds.
      if (uid === process.getuid?.() && (mode & 0o077) !== 0 && isPrivate(text))
        return new Error(`${path} can be read by others (mode ${modeText(mode)}): chmod 600`);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return new Error(`${path} cannot be read`);
  }
  return keyFileOf(path, text, () => readPublicHalf(`${path}.pub`));
}

const isPrivate = (text: string): boolean => /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text);

const modeText = (mode: number): string => `0${(mode & 0o777).toString(8)}`;

/** A private key from its text; `publicHalf` is asked only where the text does not tell its public key. */
export function keyFileOf(path: string, text: string, publicHalf: () => Buffer | null): KeyFile | Error {
  const unlock = async (passphrase: string) => {
    const unlocked = await decryptKey(text, passphrase);
    return unlocked instanceof Error ? unlocked : parsePrivate(unlocked);
  };
  const locked = (publicKey: Buffer | null) => ({ path, encrypted: true, publicKey, open: null, unlock });
  if (pkcs8Kind(text) === 'encrypted') return locked(publicHalf());
  const open = parsePrivate(text);
  if (!(open instanceof Error)) {
    if (!open.isPrivateKey()) return new Error(`${path} holds no private key`);
    return { path, encrypted: false, publicKey: open.getPublicSSH(), open, unlock };
  }
  if (!/encrypted/i.test(open.message)) return new Error(`${path}: ${plainText(open.message)}`);
  return locked(publicPart(text) ?? publicHalf());
}

/** Without a passphrase: quick. */
function parsePrivate(text: string): ParsedKey | Error {
  try {
    return single(ssh2.utils.parseKey(pkcs8Kind(text) === null ? text : fromPkcs8(text)));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Whether `unlock` failed for its passphrase and not for the file. */
export const isWrongPassphrase = (error: Error): boolean =>
  /passphrase|integrity check|malformed/i.test(error.message);

/** The public key of an `id_x.pub` file. */
export function readPublicHalf(path: string): Buffer | null {
  try {
    const parsed = single(ssh2.utils.parseKey(readFileSync(path, 'utf8')));
    return parsed instanceof Error ? null : parsed.getPublicSSH();
  } catch {
    return null;
  }
}

/** The public key that an OpenSSH private key file carries in the clear (PROTOCOL.key: magic, cipher, kdf, options, count, key). */
function publicPart(text: string): Buffer | null {
  const body = /-----BEGIN OPENSSH PRIVATE KEY-----([\s\S]+?)-----END/.exec(text)?.[1];
  if (body === undefined) return null;
  const blob = Buffer.from(body.replace(/\s+/g, ''), 'base64');
  const magic = 'openssh-key-v1\0';
  if (blob.toString('latin1', 0, magic.length) !== magic) return null;
  try {
    let at = magic.length;
    for (let skipped = 0; skipped < 3; skipped++) [, at] = wireField(blob, at);
    const [key] = wireField(blob, at + 4);
    return Buffer.from(key);
  } catch {
    return null;
  }
}

/** parseKey may give a list, whatever its types say; files hold one key. */
function single(parsed: ParsedKey | Error | readonly ParsedKey[]): ParsedKey | Error {
  if (parsed instanceof Error) return parsed;
  if (!Array.isArray(parsed)) return parsed as ParsedKey;
  return parsed[0] ?? new Error('no key in it');
}
