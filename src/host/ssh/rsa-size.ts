import { wireField } from './wire-field.js';

/** How many bits the modulus of an RSA public key in SSH wire form has; null for another kind of key. */
export function rsaBits(key: Buffer): number | null {
  try {
    const [type, afterType] = wireField(key, 0);
    if (type.toString('latin1') !== 'ssh-rsa') return null;
    const [, afterExponent] = wireField(key, afterType);
    const [modulus] = wireField(key, afterExponent);
    const first = modulus.findIndex((byte) => byte !== 0);
    const head = modulus[first];
    return head === undefined ? 0 : (modulus.length - first) * 8 - Math.clz32(head) + 24;
  } catch {
    return null;
  }
}
