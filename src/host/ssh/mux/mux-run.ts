import { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Channel, Exit } from '../../host.js';
import { highWaterMark } from '../streams.js';
import { forPrintf, type MuxLine, type MuxStream } from './wire.js';

/** One command that runs over the multiplexer. */
export interface MuxRun {
  readonly channel: Channel;
  take(line: MuxLine): void;
  /** The multiplexer is gone: nothing is known of the command. */
  lose(): void;
}

export interface MuxRunOptions {
  readonly unpack: (packed: string) => Buffer;
  /** Says a line about this run: its verb, and bytes for `i`. */
  readonly say: (verb: 'i' | 'q' | 'o' | 'e' | 'c', bytes?: string) => void;
  /** The worker on the host is free again; for a closed command this may be long after `exited`. */
  readonly onFree: () => void;
}

/** The streams and the end of one command, from the lines of the multiplexer. */
export function muxRun(options: MuxRunOptions): MuxRun {
  const outputs = { o: output('o', options), e: output('e', options) };
  const input = inputWindow(options);
  let exit: Exit | null = null;
  let closed = false;
  let free = false;
  let giveUp: () => void = () => {};
  const gaveUp = new Promise<void>((resolve) => {
    giveUp = resolve;
  });

  const streams = [outputs.o.stream, outputs.e.stream];
  const ended = Promise.all(streams.map((stream) => finished(stream).catch(() => {})));
  let over: () => void = () => {};
  const exitSeen = new Promise<void>((resolve) => {
    over = resolve;
  });
  const settle = () => {
    if (free || exit === null || !outputs.o.ended() || !outputs.e.ended()) return;
    free = true;
    input.stop();
    options.onFree();
  };

  return {
    channel: {
      stdin: input.stream,
      stdout: outputs.o.stream,
      stderr: outputs.e.stream,
      exited: Promise.race([gaveUp, Promise.all([exitSeen, ended])]).then(
        () => exit ?? { code: null, signal: null, lost: false },
      ),
      close() {
        if (closed || free) return;
        closed = true;
        options.say('c');
        input.stop();
        outputs.o.end();
        outputs.e.end();
        giveUp();
      },
    },
    take(line) {
      switch (line.kind) {
        case 'taken':
          return input.taken();
        case 'data':
          return outputs[line.stream].data(line.packed);
        case 'piece':
          return outputs[line.stream].piece();
        case 'end':
          outputs[line.stream].hostEnded();
          return settle();
        case 'exit':
          // A shell tells a signal as 128 + its number, and so do we: the two cannot be told apart here.
          exit = { code: line.code, signal: null, lost: false };
          over();
          return settle();
        case 'started':
          return;
      }
    },
    lose() {
      exit ??= { code: null, signal: null, lost: !closed };
      free = true;
      input.stop();
      outputs.o.end();
      outputs.e.end();
      over();
    },
  };
}

/** One output; a piece is acknowledged once its reader wants more, which holds the command back. */
function output(name: MuxStream, { unpack, say }: MuxRunOptions) {
  let owed = 0;
  let over = false;
  let endedThere = false;
  const settleDebt = () => {
    for (; owed > 0; owed--) say(name);
  };
  const stream = new Readable({
    highWaterMark,
    read: settleDebt,
    destroy(_error, done) {
      over = true;
      settleDebt();
      done(null);
    },
  });
  const end = () => {
    if (over) return;
    over = true;
    stream.push(null);
  };
  let wantsMore = true;
  return {
    stream,
    end,
    ended: () => endedThere,
    data(packed: string) {
      if (!over) wantsMore = stream.push(unpack(packed));
    },
    piece() {
      owed++;
      if (over || wantsMore) settleDebt();
    },
    hostEnded() {
      endedThere = true;
      end();
    },
  };
}

/** stdin, a window of lines ahead of the command. Never emits `error`; what a gone command does not read is dropped. */
function inputWindow({ say }: MuxRunOptions) {
  let waiting: (() => void) | null = null;
  let untaken = 0;
  let stopped = false;
  const room = () =>
    untaken < lineWindow || stopped
      ? Promise.resolve()
      : new Promise<void>((resolve) => {
          waiting = resolve;
        });
  const stream = new Writable({
    highWaterMark,
    write(chunk: Buffer, _encoding, done) {
      void (async () => {
        for (let at = 0; at < chunk.length && !stopped; at += lineBytes) {
          await room();
          if (stopped) break;
          untaken++;
          say('i', forPrintf(chunk.subarray(at, at + lineBytes)));
        }
        done();
      })();
    },
    final(done) {
      if (!stopped) say('q');
      done();
    },
  });
  const wake = () => {
    waiting?.();
    waiting = null;
  };
  return {
    stream,
    taken() {
      untaken--;
      wake();
    },
    stop() {
      if (stopped) return;
      stopped = true;
      wake();
      stream.destroy();
    },
  };
}

// Octal escapes are five times as long, and what waits in a worker's FIFO (64 KiB) must never block the listener.
const lineBytes = 2048;
const lineWindow = 4;
