import { connectionError } from '../../../errors.js';
import type { Channel } from '../../host.js';
import { type MuxRun, muxRun } from './mux-run.js';
import { asciiLines, forPrintf, parseMuxLine } from './wire.js';

/** Many commands over one session channel, for servers that grant only a few (`MaxSessions`). */
export interface Mux {
  /** As `Host.exec`; waits while all workers are busy. */
  exec(command: string, signal: AbortSignal): Promise<Channel>;
  /** True once the host's side has ended. */
  ended(): boolean;
  /** Ends it; what still runs over it gets EOF. */
  close(): void;
}

/**
 * Speaks with a multiplexer that has been started on `raw` (its command and input are those of `muxCommand`). Resolves
 * when it has said hello; with null when the host cannot run it. Keeps it alive until `close`.
 */
export async function openMux(raw: Channel, nonce: string, input: string): Promise<Mux | null> {
  const runs = new Map<number, MuxRun>();
  const started = new Map<number, () => void>();
  const free: number[] = [];
  const waiting: (() => void)[] = [];
  let count = 0;
  let ended = false;
  let unpack = (packed: string) => Buffer.from(packed, 'base64');

  const say = (line: string) => {
    if (!ended && raw.stdin.writable) raw.stdin.write(`${line}\n`);
  };
  const release = (worker: number) => {
    free.push(worker);
    waiting.shift()?.();
  };
  const take = (line: string) => {
    const parsed = parseMuxLine(line);
    if (parsed === null) return;
    if (parsed.kind === 'worker') release(parsed.slot);
    else if (parsed.kind === 'started') started.get(parsed.run)?.();
    else runs.get(parsed.run)?.take(parsed);
  };

  const hello = new Promise<string>((resolve) => {
    let greeted = false;
    const lines = asciiLines((line) => {
      if (greeted) return take(line);
      // An rc file may have printed before it.
      if (!line.startsWith(`#${nonce} `)) return;
      greeted = true;
      resolve(/ mux=(\w+)/.exec(line)?.[1] ?? 'none');
    });
    raw.stdout.on('data', lines);
    raw.stderr.resume();
    void raw.exited.then(() => {
      ended = true;
      clearInterval(beats);
      resolve('none');
      for (const run of runs.values()) run.lose();
      runs.clear();
      for (const wake of [...started.values(), ...waiting.splice(0)]) wake();
    });
  });
  raw.stdin.on('error', () => {});
  raw.stdin.write(input);
  const beats = setInterval(() => say('.'), beatMs);

  const code = await hello;
  if (code === 'hex') unpack = (packed) => Buffer.from(packed, 'hex');
  if (code !== 'hex' && code !== 'base64') {
    clearInterval(beats);
    raw.close();
    return null;
  }

  const slot = async (signal: AbortSignal): Promise<number> => {
    for (;;) {
      signal.throwIfAborted();
      if (ended) throw gone();
      const number = free.shift();
      if (number !== undefined) return number;
      await new Promise<void>((resolve) => {
        const wake = () => {
          signal.removeEventListener('abort', wake);
          // Who has left must not take the wake of another.
          const place = waiting.indexOf(wake);
          if (place >= 0) waiting.splice(place, 1);
          resolve();
        };
        signal.addEventListener('abort', wake, { once: true });
        waiting.push(wake);
      });
    }
  };

  return {
    async exec(command, signal) {
      const worker = await slot(signal);
      const id = ++count;
      const run = muxRun({
        unpack,
        say: (verb, bytes) =>
          say(verb === 'o' || verb === 'e' ? `${verb} ${worker}` : `${verb} ${worker} ${id} ${bytes ?? ''}`),
        onFree() {
          runs.delete(id);
          release(worker);
        },
      });
      runs.set(id, run);
      const standing = new Promise<void>((resolve) => started.set(id, resolve));
      say(`r ${worker} ${id} ${forPrintf(Buffer.from(command))}`);
      await standing;
      started.delete(id);
      if (ended) throw gone();
      // Nobody waits for it any more.
      if (signal.aborted) run.channel.close();
      return run.channel;
    },
    ended: () => ended,
    close() {
      clearInterval(beats);
      raw.close();
    },
  };
}

const gone = () =>
  connectionError('exec-refused', 'The shell on the host that runs our commands has ended by itself.');

// Well under the 24 s after which the host's side ends itself.
const beatMs = 4000;
