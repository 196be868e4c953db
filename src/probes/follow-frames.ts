import { cannotWork, fromHex, protocolError } from './run-script.js';

/** What `follow.sh` says; see there. */
export type FollowFrame =
  | {
      readonly kind: 'opened';
      readonly id: string;
      readonly offset: number;
      readonly size: number;
      readonly modifiedAt: number;
    }
  /** `bytes` begin with the anchor. */
  | { readonly kind: 'data'; readonly start: number; readonly bytes: Buffer; readonly size: number }
  | { readonly kind: 'truncated'; readonly size: number; readonly lostBytes: number }
  | { readonly kind: 'rotated'; readonly late: boolean }
  | { readonly kind: 'packed'; readonly bytes: number | null }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'beat' }
  | { readonly kind: 'end' };

/** Reads the frames out of the bytes of the channel, however they are cut. Throws at anything else. */
export function frameReader(take: (frame: FollowFrame) => void): (bytes: Buffer) => void {
  let buffer: Buffer = Buffer.alloc(0);
  /** A data frame whose bytes are on their way. */
  let body: { start: number; length: number; size: number; parts: Buffer[]; got: number } | null = null;

  const takeLine = (line: string) => {
    if (body !== null) {
      const { start, size, parts } = body;
      const counts = Number(/^d (\d+)$/.exec(line)?.[1] ?? Number.NaN);
      if (Number.isNaN(counts)) throw protocolError('a broken piece of the log');
      const bytes = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
      body = null;
      return take({ kind: 'data', start, bytes: bytes.subarray(0, counts), size });
    }
    const [word = '', ...rest] = line.split(' ');
    if (word !== 'D') return take(frameOf(word, rest));
    const [start, length, size] = numbers(rest, 3);
    body = { start, length, size, parts: [], got: 0 };
  };

  return (bytes) => {
    buffer = buffer.length === 0 ? bytes : Buffer.concat([buffer, bytes]);
    for (;;) {
      if (body !== null && body.got < body.length) {
        const part = buffer.subarray(0, body.length - body.got);
        if (part.length === 0) return;
        body.parts.push(part);
        body.got += part.length;
        buffer = buffer.subarray(part.length);
        continue;
      }
      const end = buffer.indexOf(0x0a);
      if (end < 0) {
        if (buffer.length > 4096) throw protocolError('a line without end');
        return;
      }
      const line = buffer.toString('latin1', 0, end);
      buffer = buffer.subarray(end + 1);
      takeLine(line);
    }
  };
}

function frameOf(word: string, rest: readonly string[]): FollowFrame {
  switch (word) {
    case 'O': {
      const [offset, size, modified] = numbers(rest.slice(1), 3);
      return { kind: 'opened', id: rest[0] ?? '', offset, size, modifiedAt: modified * 1000 };
    }
    case 'T': {
      const [size, lostBytes] = numbers(rest, 2);
      return { kind: 'truncated', size, lostBytes };
    }
    case 'R':
      return { kind: 'rotated', late: rest[0] === 'late' };
    case 'G':
      return { kind: 'packed', bytes: rest[0] === '-' ? null : Number(rest[0]) };
    case 'M':
      return { kind: 'missing' };
    case 'U':
      // `sh: 1: cannot open /a/b: Permission denied`
      return {
        kind: 'unreadable',
        reason:
          fromHex(rest[0] ?? '')
            .trim()
            .split(': ')
            .at(-1) ?? '',
      };
    case 'B':
      return { kind: 'beat' };
    case 'E':
      return { kind: 'end' };
    case 'X':
      throw cannotWork(rest.join(' '));
    default:
      throw protocolError('words that its log follower never says');
  }
}

function numbers(words: readonly string[], count: 2): [number, number];
function numbers(words: readonly string[], count: 3): [number, number, number];
function numbers(words: readonly string[], count: number): number[] {
  const found = words.slice(0, count).map(Number);
  if (found.length < count || !found.every(Number.isSafeInteger))
    throw protocolError('a broken frame of the log');
  return found;
}
