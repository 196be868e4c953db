import { protocolError } from './run-script.js';

/** A line of a container's log; `bytes` with its `\n`, which the last one of a run may lack. */
export interface TimedLine {
  /** As the engine wrote it: with the bytes it tells a line from every other. */
  readonly stamp: string;
  /** The same in microseconds since the epoch; the nanoseconds beyond are only in `stamp`. */
  readonly us: number;
  readonly bytes: Buffer;
}

/** What `container-log.sh` puts out. */
export type LogPiece =
  | { readonly kind: 'line'; readonly line: TimedLine }
  /** Words of our script. */
  | { readonly kind: 'mark'; readonly words: readonly string[] }
  /** Words of the engine: why it gives no log. */
  | { readonly kind: 'remark'; readonly text: string };

export interface TimedLines {
  push(bytes: Buffer): LogPiece[];
  /** The unfinished last line, once no more of it can come. */
  end(): TimedLine | null;
}

/** Longest line (bytes) that is waited for; engines cut theirs to far less, or put them together of pieces. */
const longestLine = 64 * 1024 * 1024;

/**
 * Reads what `docker logs --timestamps` writes: each line behind its time, lines over 16 KiB in pieces with a time
 * before each of them (json-file and local drivers, Docker 20.10 to 28). The times are taken off again.
 */
export function createTimedLines(nonce: string): TimedLines {
  const mark = `=${nonce} `;
  let pending: Buffer[] = [];
  let pendingBytes = 0;

  const pieceOf = (line: Buffer): LogPiece | null => {
    const head = line.toString('latin1', 0, 40);
    if (head.startsWith(mark)) {
      return { kind: 'mark', words: line.toString('latin1', mark.length).trim().split(' ') };
    }
    const timed = timedLine(line, head);
    if (timed !== null) return { kind: 'line', line: timed };
    const text = line.toString('utf8').trim();
    return text === '' ? null : { kind: 'remark', text };
  };
  const take = (): Buffer => {
    const line = pending.length === 1 ? (pending[0] ?? Buffer.alloc(0)) : Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    return line;
  };

  return {
    push(bytes) {
      const pieces: LogPiece[] = [];
      let from = 0;
      for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
        pending.push(bytes.subarray(from, end + 1));
        const piece = pieceOf(take());
        if (piece !== null) pieces.push(piece);
        from = end + 1;
      }
      if (from < bytes.length) {
        pending.push(Buffer.from(bytes.subarray(from)));
        pendingBytes += bytes.length - from;
        if (pendingBytes > longestLine) throw protocolError('a line without end');
      }
      return pieces;
    },
    end() {
      const line = take();
      return timedLine(line, line.toString('latin1', 0, 40));
    },
  };
}

/** What the engine reads of a line at once (bytes); each such piece has its own time before it. */
const pieceBytes = 16 * 1024;

function timedLine(line: Buffer, head: string): TimedLine | null {
  const stamp = stampOf(head);
  if (stamp === null) return null;
  return { stamp, us: microseconds(stamp), bytes: withoutInner(line.subarray(stamp.length + 1)) };
}

function withoutInner(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  while (body.length - from > pieceBytes) {
    const at = from + pieceBytes;
    const stamp = stampOf(body.toString('latin1', at, at + 40));
    if (stamp === null) break;
    parts.push(body.subarray(from, at));
    from = at + stamp.length + 1;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, body.subarray(from)]);
}

const stampOf = (head: string): string | null =>
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) /.exec(head)?.[1] ?? null;

/** Microseconds since the epoch of an RFC 3339 time; 0 for the zero time of Go and for what is none. */
export function microseconds(time: string): number {
  const [, seconds = '', fraction = '', zone = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  const ms = seconds === '' ? Number.NaN : Date.parse(`${seconds}${zone}`);
  return ms > 0 ? ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6)) : 0;
}
