import type { ParsedKey } from 'ssh2';

/**
 * Keys that were unlocked in this run, so that a reconnect need not ask for the passphrase again while the screen
 * is up. In memory only; make one a run and hand it to each `connectHost`.
 */
export interface Keyring {
  /** The unlocked key of a file; null when it was not unlocked, or the file holds another key by now. */
  unlocked(path: string, publicKey: Buffer | null): ParsedKey | null;
  keep(path: string, key: ParsedKey): void;
}

/** An empty keyring. */
export function keyring(): Keyring {
  const keys = new Map<string, ParsedKey>();
  return {
    unlocked(path, publicKey) {
      const key = keys.get(path);
      if (key === undefined) return null;
      return publicKey === null || key.getPublicSSH().equals(publicKey) ? key : null;
    },
    keep: (path, key) => void keys.set(path, key),
  };
}
