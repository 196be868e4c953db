/**
 * Bytes of the host (a path, an argument, a variable) as text that gives the same bytes back: UTF-8, and each byte
 * that is not part of valid UTF-8 as a lone surrogate U+DC80…U+DCFF, as Python's `surrogateescape` does it.
 */
export function decodeBytes(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  if (!text.includes('\ufffd')) return text;
  let out = '';
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    out +=
      length === 0
        ? String.fromCharCode(0xdc00 + (buffer[at] ?? 0))
        : buffer.toString('utf8', at, at + length);
    at += Math.max(length, 1);
  }
  return out;
}

/** The inverse of `decodeBytes`. */
export function encodeBytes(text: string): Buffer {
  if (!/[\udc80-\udcff]/.test(text)) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    parts.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(char, 'utf8'));
  }
  return Buffer.concat(parts);
}

/** What a script of ours put out as hex digits. */
export function decodeHex(hex: string): string {
  return decodeBytes(Buffer.from(hex, 'hex'));
}

/** For an argument that a script passes to `printf %b`: plain characters, and all others as `\0ooo`. */
export function octalEscapes(text: string): string {
  let out = '';
  for (const byte of encodeBytes(text)) {
    const char = String.fromCharCode(byte);
    out += /[\w./{}~ -]/.test(char) ? char : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return out;
}

/** How many bytes at `at` are one valid UTF-8 character; 0: none. */
function sequenceLength(buffer: Buffer, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  const text = buffer.toString('utf8', at, at + length);
  return Buffer.from(text, 'utf8').equals(buffer.subarray(at, at + length)) && [...text].length === 1
    ? length
    : 0;
}
