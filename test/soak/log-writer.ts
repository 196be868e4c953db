import { createHash } from 'node:crypto';
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';

export interface LogWriter {
  readonly lines: () => number;
  readonly bytes: () => number;
  readonly rotations: () => number;
  /** Lets the next `count` rotations happen when their lines come. */
  readonly allowRotation: () => void;
  /** Sha256 of everything that was written, over all files. */
  readonly digest: () => string;
  readonly done: Promise<void>;
  readonly stop: () => void;
}

/**
 * Writes `lines` lines of multi-byte text to `path` at up to `linesPerSecond`, in pieces that end anywhere. Rotates by
 * rename, oldest file with the highest number, `rotations` times spread evenly, each only once it was allowed.
 */
export function startLogWriter(options: {
  readonly path: string;
  readonly lines: number;
  readonly linesPerSecond: number;
  readonly rotations: number;
  /** What the file holds already (bytes); none by default. */
  readonly oldBytes?: number;
}): LogWriter {
  const { path, rotations } = options;
  const hash = createHash('sha256');
  const began = performance.now();
  let file = openSync(path, 'a');
  let lines = 0;
  let bytes = 0;
  let done = 0;
  let allowed = 0;
  let pending: Buffer = Buffer.alloc(0);
  let stopped = false;

  const put = (piece: Buffer): void => {
    writeSync(file, piece);
    hash.update(piece);
    bytes += piece.length;
  };
  const rotate = (): void => {
    for (let number = done; number >= 1; number -= 1)
      renameSync(`${path}.${number}`, `${path}.${number + 1}`);
    renameSync(path, `${path}.1`);
    closeSync(file);
    file = openSync(path, 'a');
    done += 1;
    allowed -= 1;
  };
  const write = (): void => {
    const due = Math.min(
      options.lines,
      Math.floor(((performance.now() - began) / 1000) * options.linesPerSecond),
    );
    const text: string[] = [];
    // A piece at a time, so that a late timer does not write a second's lines at once.
    const upTo = Math.min(due, lines + 2000);
    for (; lines < upTo; lines += 1) text.push(`${lines} ${samples[lines % samples.length] ?? ''}\n`);
    const all = Buffer.concat([pending, Buffer.from(text.join(''))]);
    const isLast = lines === options.lines;
    // The cut may fall into a character.
    const keep = isLast ? 0 : Math.min(all.length, lines % 7);
    put(all.subarray(0, all.length - keep));
    pending = Buffer.from(all.subarray(all.length - keep));
    const wanted = Math.floor((lines / options.lines) * (rotations + 0.5));
    if (done < wanted && allowed > 0) rotate();
  };

  for (let n = 0; bytes < (options.oldBytes ?? 0); n += 1) {
    put(
      Buffer.from(
        Array.from(
          { length: 4000 },
          (_, line) => `old ${n}.${line} ${samples[line % samples.length]}\n`,
        ).join(''),
      ),
    );
  }

  let timer: NodeJS.Timeout | null = null;
  const finished = new Promise<void>((resolve) => {
    timer = setInterval(() => {
      if (!stopped) write();
      if (!stopped && lines < options.lines) return;
      if (timer) clearInterval(timer);
      if (!stopped) closeSync(file);
      stopped = true;
      resolve();
    }, 5);
  });
  return {
    lines: () => lines,
    bytes: () => bytes,
    rotations: () => done,
    allowRotation: () => {
      allowed = 1;
    },
    digest: () => hash.copy().digest('hex'),
    done: finished,
    stop: () => {
      stopped = true;
    },
  };
}

const samples = [
  'Loading weights: línea é€😀 ééééé',
  'plain ascii line of a server',
  '日本語のログ行です',
  '\x1b[32mgreen\x1b[0m\rprogress 10%\rprogress 20%',
  `long ${'x€'.repeat(120)}`,
  '',
];
