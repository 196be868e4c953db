/** One line that the multiplexer on the host says. */
export type MuxLine =
  | { readonly kind: 'started' | 'taken'; readonly run: number }
  | { readonly kind: 'data'; readonly run: number; readonly stream: MuxStream; readonly packed: string }
  | { readonly kind: 'piece' | 'end'; readonly run: number; readonly stream: MuxStream }
  | { readonly kind: 'exit'; readonly run: number; readonly code: number };

/** A worker on the host that can take commands from now on. */
export interface MuxWorker {
  readonly kind: 'worker';
  readonly slot: number;
}

/** stdout or stderr of a command. */
export type MuxStream = 'o' | 'e';

/** Reads one line; null for what is none of its words. */
export function parseMuxLine(line: string): MuxLine | MuxWorker | null {
  const [verb, number, word] = line.split(' ');
  const run = Number(number);
  if (!Number.isInteger(run)) return null;
  switch (verb) {
    case 'w':
      return { kind: 'worker', slot: run };
    case 's':
      return { kind: 'started', run };
    case 'a':
      return { kind: 'taken', run };
    case 'x':
      return { kind: 'exit', run, code: Number(word) };
    case 'o':
    case 'e':
      if (word === undefined) return null;
      if (word === '.') return { kind: 'piece', run, stream: verb };
      if (word === '-') return { kind: 'end', run, stream: verb };
      return { kind: 'data', run, stream: verb, packed: word };
    default:
      return null;
  }
}

/** Bytes as one word for `printf %b`: without blanks, quotes or a bare backslash. */
export function forPrintf(bytes: Buffer): string {
  let word = '';
  for (const byte of bytes) {
    word += plain.has(byte) ? String.fromCharCode(byte) : `\\0${byte.toString(8).padStart(3, '0')}`;
  }
  return word;
}

const plain = new Set(Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=.,:;_-'));

/** Cuts a stream of ASCII into lines for `take`. */
export function asciiLines(take: (line: string) => void): (bytes: Buffer) => void {
  let pending = '';
  return (bytes) => {
    const lines = (pending + bytes.toString('latin1')).split('\n');
    pending = lines.pop() ?? '';
    for (const line of lines) take(line);
  };
}
