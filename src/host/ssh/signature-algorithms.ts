import type { Client } from 'ssh2';

/**
 * By which algorithms a key of `type` may sign for a login: those of `accepted` (PubkeyAcceptedAlgorithms, the preferred
 * first), for RSA without those that the server has announced not to take. Empty: the key is of no use there.
 */
export function signatureAlgorithms(
  type: string,
  accepted: readonly string[],
  announced: readonly string[] | null,
): readonly string[] {
  if (type !== 'ssh-rsa') return accepted.filter((name) => name === type);
  const allowed = accepted.filter((name) => name in rsaHashes);
  // OpenSSH 7.4 takes SHA-2 and does not say so; servers of before RFC 8308 announce nothing.
  if (announced === null || !announced.some((name) => /^rsa-sha2-/.test(name))) {
    return announced === null || announced.includes('ssh-rsa') ? allowed : [];
  }
  return allowed.filter((name) => announced.includes(name));
}

/** For `Identity.sign`; undefined where the type of the key leaves no choice. */
export const hashOf = (algorithm: string): string | undefined => rsaHashes[algorithm];

/** RFC 8332. */
const rsaHashes: Readonly<Record<string, string>> = {
  'rsa-sha2-512': 'sha512',
  'rsa-sha2-256': 'sha256',
  'ssh-rsa': 'sha1',
};

/**
 * What the server announces as `server-sig-algs` (RFC 8308), null until then. ssh2 1.17 keeps it to itself and would always
 * take SHA-256 where both are there, so its handler is listened to; where there is none to be found, nothing is announced.
 * To be called after `connect`.
 */
export function announcedAlgorithms(client: Client): () => readonly string[] | null {
  let announced: readonly string[] | null = null;
  const { _protocol: protocol } = client as unknown as { readonly _protocol?: Protocol };
  const handlers = protocol?._handlers;
  const own = handlers?.EXT_INFO;
  if (handlers !== undefined && own !== undefined) {
    handlers.EXT_INFO = (from, extensions) => {
      announced ??= extensions.find(({ name }) => name === 'server-sig-algs')?.algs ?? null;
      own(from, extensions);
    };
  }
  return () => announced;
}

interface Protocol {
  readonly _handlers?: { EXT_INFO?: (from: unknown, extensions: readonly Extension[]) => void };
}

interface Extension {
  readonly name: string;
  readonly algs: readonly string[];
}
