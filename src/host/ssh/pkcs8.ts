import { createPrivateKey, type KeyObject } from 'node:crypto';

/** Whether `text` is a PKCS#8 key (`BEGIN PRIVATE KEY`), which ssh reads and ssh2 does not; and whether it is locked. */
export function pkcs8Kind(text: string): 'open' | 'encrypted' | null {
  if (text.includes('-----BEGIN ENCRYPTED PRIVATE KEY-----')) return 'encrypted';
  return text.includes('-----BEGIN PRIVATE KEY-----') ? 'open' : null;
}

/** An open PKCS#8 key in a form that ssh2 reads; throws for a key type that ssh does not know. */
export function fromPkcs8(text: string): string {
  const key = createPrivateKey({ key: text });
  switch (key.asymmetricKeyType) {
    case 'rsa':
      return key.export({ type: 'pkcs1', format: 'pem' }).toString();
    case 'ec':
      return key.export({ type: 'sec1', format: 'pem' }).toString();
    case 'ed25519':
      return opensshEd25519(key);
    default:
      throw new Error(`a ${key.asymmetricKeyType} key, which is not supported`);
  }
}

/** OpenSSH's own format (PROTOCOL.key), without encryption: the only one in which ssh2 takes an ed25519 key. */
function opensshEd25519(key: KeyObject): string {
  const { x, d } = key.export({ format: 'jwk' });
  if (x === undefined || d === undefined) throw new Error('no ed25519 key');
  const publicPart = Buffer.from(x, 'base64url');
  const type = Buffer.from('ssh-ed25519');
  const publicBlob = Buffer.concat([field(type), field(publicPart)]);
  const secret = Buffer.concat([
    Buffer.alloc(8),
    field(type),
    field(publicPart),
    field(Buffer.concat([Buffer.from(d, 'base64url'), publicPart])),
    field(Buffer.alloc(0)),
  ]);
  const padding = Buffer.from([1, 2, 3, 4, 5, 6, 7].slice(0, (8 - (secret.length % 8)) % 8));
  const none = field(Buffer.from('none'));
  const body = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    none,
    none,
    field(Buffer.alloc(0)),
    Buffer.from([0, 0, 0, 1]),
    field(publicBlob),
    field(Buffer.concat([secret, padding])),
  ]);
  const lines = body.toString('base64').match(/.{1,70}/g) ?? [];
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines.join('\n')}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
