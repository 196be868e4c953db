import { Readable, Writable } from 'node:stream';

/**
 * ssh2's channels are not well-behaved streams (no `close` after `destroy`, writes on a lost link that vanish,
 * callbacks that never come). These wrappers are: they end when the channel ends, and never emit `error`.
 */
export interface OutputStream {
  readonly stream: Readable;
  /** Ends the output now; what still comes in is thrown away. */
  end(): void;
}

/** What comes out of `source`, with its backpressure: a reader that pauses stops the remote side. */
export function outputOf(source: Readable): OutputStream {
  let ended = false;
  const stream = new Readable({
    highWaterMark,
    read: () => void source.resume(),
    destroy(_error, done) {
      // Nobody reads any more: let the rest flow away, or the channel never closes.
      source.resume();
      done(null);
    },
  });
  const end = () => {
    if (ended) return;
    ended = true;
    stream.push(null);
    source.resume();
  };
  source.on('data', (chunk: Buffer) => {
    if (!ended && !stream.destroyed && !stream.push(chunk)) source.pause();
  });
  source.once('end', end);
  source.once('close', end);
  return { stream, end };
}

/** What goes into `sink`; once the channel has closed, waiting writes fail through their callbacks only. */
export function inputOf(sink: Writable): Writable {
  const stream = new Writable({
    highWaterMark,
    write(chunk, encoding, done) {
      sink.write(chunk, encoding, () => done());
    },
    final(done) {
      sink.end();
      done();
    },
  });
  sink.once('close', () => stream.destroy());
  return stream;
}

/** Bytes kept between us and the reader; beyond them the remote side is held back. */
export const highWaterMark = 256 * 1024;
