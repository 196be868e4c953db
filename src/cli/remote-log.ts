import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { exitCodes, FiredupError } from '../errors.js';
import { scriptCommand } from '../remote/script.js';
import { connectFirst, hostSpec } from './connection.js';
import type { LogOptions, LogSource } from './log-source.js';
import { onHost } from './on-host.js';
import { resolveTarget } from './resolve-target.js';
import { unreadableThere } from './unreadable-there.js';

/** The log `path` on the host or target `name`, read over one connection. */
export async function openRemoteLog(name: string, path: string, given: LogOptions): Promise<LogSource> {
  const { label, options } = await resolveTarget(name, given, new Set(Object.keys(given)));
  const host = await connectFirst(hostSpec(label, options)).catch((error: unknown) => {
    throw withHint(error, `${name}:${path}`);
  });
  const nonce = randomBytes(8).toString('hex');
  const channel = await host.exec(scriptCommand('read-file', [nonce, await onHost(host, path)]));
  let said = '';
  channel.stderr.on('data', (bytes: Buffer) => {
    if (said.length < 4096) said += bytes.toString('utf8');
  });
  channel.stdin.end();

  async function* bytes(): AsyncGenerator<Buffer> {
    yield* afterMark(channel.stdout, `\n#${nonce}\n`);
    const exit = await channel.exited;
    if (exit.lost) {
      throw new FiredupError('link-lost', `The connection to ${label} was lost while ${path} was read.`, {
        exitCode: exitCodes.connection,
      });
    }
    if (exit.code !== 0) {
      throw unreadableThere(label, path, said);
    }
  }
  return { name: `${name}:${path}`, bytes: bytes(), close: () => host.close() };
}

/** `nonsense:thing` may have been meant as a file of this machine. */
function withHint(error: unknown, file: string): unknown {
  if (!(error instanceof FiredupError) || error.hint !== null) return error;
  return new FiredupError(error.code, error.message, {
    exitCode: error.exitCode,
    hint: `There is no file ${file} here, so it was taken for HOST:PATH.`,
    cause: error,
  });
}

/** What comes after `mark`: an rc file of the login shell may have printed before it. */
async function* afterMark(stream: Readable, mark: string): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of stream) {
    if (head === null) {
      yield chunk as Buffer;
      continue;
    }
    head = Buffer.concat([head, chunk as Buffer]);
    const at = head.indexOf(mark);
    if (at < 0) continue;
    const rest = head.subarray(at + mark.length);
    head = null;
    if (rest.length > 0) yield rest;
  }
}
