import type { LogLine } from './line.js';
import { stripAnsi } from './strip-ansi.js';

/** Longest line (bytes) that is kept whole; of a longer one the head and the tail stay. */
const headBytes = 64 * 1024;
const tailBytes = 4 * 1024;

export interface LineSplitter {
  /** Takes the next bytes of the file and returns the lines that they complete. */
  push(bytes: Uint8Array): LogLine[];
  /** The unfinished last line with its `\r` frames so far; empty when there is none. */
  partial(): string;
  /** The file ends here: its last line if it had no `\n`. The next `push` starts a new file at line 1. */
  end(): LogLine[];
}

/**
 * Splits a log into lines: BYTES at 0x0A, whole lines then decoded as UTF-8 (bad bytes become U+FFFD), without
 * ANSI sequences and without the `\r` of a CRLF. Where the bytes are cut into pushes changes nothing.
 * Memory is bounded: of a line over 68 KiB, 64 KiB of head and 4 KiB of tail stay around a marker with what was
 * left out; a run of NULs (a file truncated under a writer that does not append) is named, not kept.
 */
export function createLineSplitter(): LineSplitter {
  let lines = 0;
  const pending = createPending();

  return {
    push(bytes) {
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const out: LogLine[] = [];
      let from = 0;
      for (let end = buffer.indexOf(0x0a); end >= 0; end = buffer.indexOf(0x0a, from)) {
        lines += 1;
        out.push({ number: lines, text: completeText(pending, buffer, from, end) });
        from = end + 1;
      }
      if (from < buffer.length) pending.add(buffer.subarray(from));
      return out;
    },
    partial() {
      return pending.length() === 0 ? '' : unfinishedText(pending);
    },
    end() {
      const last = pending.length() === 0 ? [] : [{ number: lines + 1, text: lineText(pending.take()) }];
      lines = 0;
      return last;
    },
  };
}

function completeText(pending: Pending, buffer: Buffer, from: number, end: number): string {
  if (pending.length() === 0 && end - from <= headBytes + tailBytes) {
    return clean(buffer.toString('utf8', from, end));
  }
  if (from < end) pending.add(buffer.subarray(from, end));
  return lineText(pending.take());
}

/** What has come of a line: whole while it is short, else its head, its tail and its length. */
interface Kept {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly omitted: number;
}

interface Pending {
  length(): number;
  add(bytes: Buffer): void;
  kept(): Kept;
  take(): Kept;
}

function createPending(): Pending {
  let head: Buffer = Buffer.alloc(0);
  let headLength = 0;
  let tail: Buffer = Buffer.alloc(0);
  let total = 0;

  const kept = (): Kept => {
    const beyond = total - headLength;
    // Up to 68 KiB nothing is left out: head and tail are the line.
    return {
      head: Buffer.from(head.subarray(0, headLength)),
      tail: Buffer.from(tail),
      omitted: Math.max(0, beyond - tail.length),
    };
  };
  return {
    length: () => total,
    add(bytes) {
      total += bytes.length;
      const room = Math.min(headBytes - headLength, bytes.length);
      if (room > 0) {
        head = withRoom(head, headLength, headLength + room);
        bytes.copy(head, headLength, 0, room);
        headLength += room;
      }
      if (room === bytes.length) return;
      const rest = bytes.subarray(Math.max(room, bytes.length - tailBytes));
      const keep = Math.max(0, tailBytes - rest.length);
      tail = Buffer.concat([keep === 0 ? Buffer.alloc(0) : tail.subarray(-keep), rest]);
    },
    kept,
    take() {
      const taken = kept();
      headLength = 0;
      tail = Buffer.alloc(0);
      total = 0;
      return taken;
    },
  };
}

function withRoom(buffer: Buffer, used: number, needed: number): Buffer {
  if (needed <= buffer.length) return buffer;
  const larger = Buffer.alloc(Math.min(headBytes, Math.max(needed, buffer.length * 2)));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

function lineText(kept: Kept): string {
  if (kept.omitted === 0) return clean(Buffer.concat([kept.head, kept.tail]).toString('utf8'));
  const head = clean(kept.head.toString('utf8', 0, wholeLength(kept.head)));
  const tail = clean(kept.tail.toString('utf8', continuationLength(kept.tail)));
  return `${head} … ${kept.omitted} bytes left out … ${tail}`;
}

/** As `lineText`, but what may still be completed (a character, an escape sequence) is held back. */
function unfinishedText(pending: Pending): string {
  const kept = pending.kept();
  const { head, tail } = kept;
  const open =
    tail.length === 0
      ? { ...kept, head: head.subarray(0, wholeLength(head)) }
      : { ...kept, tail: tail.subarray(0, wholeLength(tail)) };
  return lineText(open).replace(/\x1b(?:\[[0-?]*[ -/]*)?$/, '');
}

function clean(text: string): string {
  let out = stripAnsi(text);
  if (out.endsWith('\r')) out = out.slice(0, -1);
  if (out.includes('\0')) out = out.replace(/\0+/g, (run) => `[${run.length} NUL bytes]`);
  return out;
}

/** Length without the first bytes of a UTF-8 character that is cut at the end. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

/** How many bytes at the beginning continue a character whose first byte was left out. */
function continuationLength(bytes: Buffer): number {
  let length = 0;
  while (length < Math.min(3, bytes.length) && ((bytes[length] ?? 0) & 0xc0) === 0x80) length += 1;
  return length;
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
