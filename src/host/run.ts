import type { Readable } from 'node:stream';
import { connectionError } from '../errors.js';
import { interrupted } from './failures.js';
import type { Channel, Finished, Host } from './host.js';
import { onAbort } from './on-abort.js';

export interface RunOptions {
  /** Written to the command's stdin, which is then closed; without it stdin is closed at once. */
  readonly stdin?: string | Uint8Array;
  /** Over the whole run; 30 s by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Bound of both outputs together; 8 MiB by default. */
  readonly maxBytes?: number;
}

/**
 * Runs one command line to its end and collects what it put out. A status other than 0 is an answer, not an
 * error. Rejects with `FiredupError`: `command-timeout`, `output-too-large`, `interrupted`, and what `exec` does.
 */
export async function run(host: Host, command: string, options: RunOptions = {}): Promise<Finished> {
  const timeoutMs = options.timeoutMs ?? 30_000;
  const stop = new AbortController();
  return new Promise<Finished>((resolve, reject) => {
    let channel: Channel | null = null;
    const fail = (error: unknown) => {
      finish();
      stop.abort();
      channel?.close();
      reject(error);
    };
    const timer = setTimeout(
      () =>
        fail(
          connectionError('command-timeout', `A command on ${host.label} gave no result in ${timeoutMs} ms.`),
        ),
      timeoutMs,
    );
    const finish = () => {
      clearTimeout(timer);
      off();
    };
    let off = () => {};
    off = onAbort(options.signal, () => fail(interrupted('The command')));
    if (stop.signal.aborted) return;

    host
      .exec(command, { signal: stop.signal })
      .then((opened) => {
        channel = opened;
        if (stop.signal.aborted) return opened.close();
        return collect(opened, options).then((finished) => {
          finish();
          resolve(finished);
        });
      })
      .catch(fail);
  });
}

async function collect(channel: Channel, options: RunOptions): Promise<Finished> {
  const budget = { left: options.maxBytes ?? 8 * 1024 * 1024 };
  channel.stdin.on('error', () => {});
  channel.stdin.end(options.stdin ?? '');
  const [stdout, stderr, exit] = await Promise.all([
    text(channel.stdout, budget),
    text(channel.stderr, budget),
    channel.exited,
  ]);
  return { ...exit, stdout, stderr };
}

async function text(stream: Readable, budget: { left: number }): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    budget.left -= chunk.length;
    if (budget.left < 0)
      throw connectionError('output-too-large', 'A command put out more than was asked for.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
