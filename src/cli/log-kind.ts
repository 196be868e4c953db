/** What the first bytes of a file say it is. */
export type LogKind =
  | { readonly kind: 'text' }
  | { readonly kind: 'utf-16le' | 'utf-16be' | 'gzip' }
  /** Packed in a way that is not read here; `command` unpacks it to stdout. */
  | { readonly kind: 'packed'; readonly what: string; readonly command: string }
  | { readonly kind: 'binary'; readonly what: string };

/** How many bytes are enough to tell. */
export const headBytes = 64 * 1024;

/** Tells the kind of a file by its first bytes (`headBytes`, or all there are). Text may hold bad UTF-8 and holes of NULs. */
export function kindOf(head: Buffer): LogKind {
  if (startsWith(head, [0xff, 0xfe]) && !startsWith(head, [0xff, 0xfe, 0, 0])) return { kind: 'utf-16le' };
  if (startsWith(head, [0xfe, 0xff])) return { kind: 'utf-16be' };
  // The third byte is the method: deflate is the only one there is (RFC 1952).
  if (startsWith(head, [0x1f, 0x8b, 0x08])) return { kind: 'gzip' };
  for (const [magic, what, command] of packed) {
    if (startsWith(head, magic)) return { kind: 'packed', what, command };
  }
  for (const [magic, what, offset] of binaries) {
    if (startsWith(head.subarray(offset ?? 0), magic)) return { kind: 'binary', what };
  }
  if (isSafetensors(head)) return { kind: 'binary', what: 'a safetensors file' };
  return isText(head) ? { kind: 'text' } : { kind: 'binary', what: 'binary data' };
}

type Magic = readonly number[] | string;

const packed: readonly (readonly [Magic, string, string])[] = [
  [[0x28, 0xb5, 0x2f, 0xfd], 'zstd', 'zstd -dc'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'xz', 'xz -dc'],
  ['BZh', 'bzip2', 'bzip2 -dc'],
  [[0x04, 0x22, 0x4d, 0x18], 'lz4', 'lz4 -dc'],
  ['PK\x03\x04', 'zip', 'unzip -p'],
];

const binaries: readonly (readonly [Magic, string, number?])[] = [
  ['\x7fELF', 'a program (ELF)'],
  ['GGUF', 'a GGUF model'],
  ['SQLite format 3\0', 'an SQLite database'],
  ['\x89PNG', 'a picture'],
  ['LPKSHHRH', 'a journal of systemd; journalctl --file prints it'],
  ['ustar', 'a tar archive; tar -xOf prints what is in it', 257],
];

function startsWith(bytes: Buffer, magic: Magic): boolean {
  const wanted = typeof magic === 'string' ? Buffer.from(magic, 'latin1') : Buffer.from(magic);
  return bytes.length >= wanted.length && bytes.compare(wanted, 0, wanted.length, 0, wanted.length) === 0;
}

/** Eight bytes of length, then a header in JSON, which would pass for text. */
const isSafetensors = (head: Buffer): boolean =>
  head.length > 10 && head[8] === 0x7b && head[9] === 0x22 && head.readUInt32LE(4) === 0;

// Random bytes hold 11 of 100 such characters, a log of colours and bars none: CR, tab, bell, backspace and ESC are its own.
const mostControls = 0.05;

/** Runs of NULs this long are holes that a truncated file has, and say nothing. */
const holeBytes = 64;

function isText(head: Buffer): boolean {
  let controls = 0;
  let counted = 0;
  let nuls = 0;
  for (const byte of head) {
    if (byte === 0) {
      nuls += 1;
      continue;
    }
    if (nuls > 0 && nuls < holeBytes) controls += nuls;
    nuls = 0;
    counted += 1;
    if (byte < 0x07 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f) controls += 1;
  }
  // Nothing but a hole so far: the lines after it will tell.
  if (counted === 0) return head.length === 0 || nuls >= holeBytes;
  return controls <= Math.max(1, counted * mostControls);
}
