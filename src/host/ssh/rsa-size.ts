/** How many bits the modulus of an RSA public key in SSH wire form has; null for another kind of key. */
export function rsaBits(key: Buffer): number | null {
  try {
    const [type, afterType] = field(key, 0);
    if (type.toString('latin1') !== 'ssh-rsa') return null;
    const [, afterExponent] = field(key, afterType);
    const [modulus] = field(key, afterExponent);
    const first = modulus.findIndex((byte) => byte !== 0);
    const head = modulus[first];
    return head === undefined ? 0 : (modulus.length - first) * 8 - Math.clz32(head) + 24;
  } catch {
    return null;
  }
}

/** RFC 4251, 5: a length in four bytes, then so many. */
function field(data: Buffer, at: number): readonly [Buffer, number] {
  const end = at + 4 + data.readUInt32BE(at);
  if (end > data.length) throw new RangeError('cut short');
  return [data.subarray(at + 4, end), end];
}
