import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { connectionError, describeError } from '../../errors.js';
import { plainText } from '../plain-text.js';

/**
 * The byte stream of a ProxyCommand: runs it as ssh does (`$SHELL -c "exec …"`, tokens already put in) and speaks
 * through its stdin and stdout. Destroying the stream ends the command. Rejects with `unreachable` when it cannot start.
 */
export async function openProxyCommand(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProxyStream> {
  // Its own process group, so that all of it is ended, and so that Ctrl-C on our terminal does not reach it.
  const child = spawn(env.SHELL || '/bin/sh', ['-c', `exec ${command}`], { env: { ...env }, detached: true });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw connectionError('unreachable', `The ProxyCommand cannot be started: ${describeError(error)}`);
  }
  return new ProxyStream(child);
}

/** The command's pipes as one stream that ends when the command ends and never emits `error`. */
export class ProxyStream extends Duplex {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  #complaint = '';
  bytesWritten = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    super({ allowHalfOpen: false });
    this.#child = child;
    child.stdin.on('error', () => this.destroy());
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.destroyed && !this.push(chunk)) child.stdout.pause();
    });
    child.stdout.once('end', () => void (this.destroyed || this.push(null)));
    // It would go over the screen; its last words explain a failure.
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-500);
    });
    this.#ended = new Promise((resolve) => {
      child.once('close', () => {
        this.destroy();
        resolve();
      });
    });
  }

  /** The last line that the command said on stderr, once it has ended; null when there is none. */
  async complaint(): Promise<string | null> {
    await Promise.race([this.#ended, pause(complaintMs, undefined, { ref: false })]);
    return plainText(this.#complaint.trim().split('\n').at(-1) ?? '') || null;
  }

  override _read(): void {
    this.#child.stdout.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.bytesWritten += chunk.length;
    this.#child.stdin.write(chunk, () => done());
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#child.stdin.end();
    done();
  }

  override _destroy(_error: Error | null, done: (error?: Error | null) => void): void {
    this.#child.stdin.destroy();
    const { pid, exitCode, signalCode } = this.#child;
    if (pid !== undefined && exitCode === null && signalCode === null) endGroup(pid);
    done(null);
  }
}

const complaintMs = 500;

// As ssh ends it.
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGHUP');
  } catch {
    // Gone meanwhile.
  }
}
