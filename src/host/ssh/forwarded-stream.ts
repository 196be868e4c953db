import { Duplex } from 'node:stream';
import { highWaterMark } from './streams.js';

/**
 * A forwarded connection as one well-behaved stream: `destroy()` closes its channel, and it has what `node:http`
 * expects of a socket. It ends, and never emits `error`, when the other side or the link goes.
 */
export class ForwardedStream extends Duplex {
  readonly #channel: ForwardedChannel;
  #idle: NodeJS.Timeout | undefined;
  #idleMs = 0;
  /** Bytes handed to the channel so far. */
  bytesWritten = 0;

  constructor(channel: ForwardedChannel) {
    super({ highWaterMark });
    this.#channel = channel;
    channel.on('error', () => {});
    channel.on('data', (chunk: Buffer) => {
      this.#moved();
      if (!this.destroyed && !this.push(chunk)) channel.pause();
    });
    channel.once('end', () => void (this.destroyed || this.push(null)));
    channel.once('close', () => {
      // What was received is still there to be read; only then is the stream gone.
      if (this.readableEnded) this.destroy();
      else this.once('end', () => this.destroy());
    });
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#moved();
    this.bytesWritten += chunk.length;
    this.#channel.write(chunk, encoding, () => done());
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#channel.end();
    done();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#idle);
    this.#channel.resume();
    this.#channel.close();
    done(null);
  }

  /** As on a socket: emits `timeout` after `idleMs` without traffic; 0 switches it off. */
  setTimeout(idleMs: number, onTimeout?: () => void): this {
    this.#idleMs = idleMs;
    if (onTimeout !== undefined) this.once('timeout', onTimeout);
    this.#moved();
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  #moved(): void {
    clearTimeout(this.#idle);
    if (this.#idleMs > 0 && !this.destroyed)
      this.#idle = setTimeout(() => this.emit('timeout'), this.#idleMs);
  }
}

type ForwardedChannel = Duplex & { close(): void };
