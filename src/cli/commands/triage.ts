import { randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { exitCodes, FiredupError } from '../../errors.js';
import { lastFrame } from '../../ingest/frames.js';
import { redact } from '../../ingest/redact.js';
import { sanitize } from '../../ingest/sanitize.js';
import { createLineSplitter } from '../../ingest/split-lines.js';
import { scriptCommand } from '../../remote/script.js';
import { createReading } from '../../triage/reading.js';
import type { EngineId, Outcome, Report } from '../../triage/report.js';
import { connectFirst, hostSpec, type SshOptions } from '../connection.js';
import { reportText } from '../report-text.js';

export interface TriageOptions extends SshOptions {
  readonly json?: boolean;
  readonly lines: number;
  readonly engine?: EngineId;
}

/** `firedup triage`: reads a log once, from its first byte to its last, and reports on it. */
export async function triage(file: string, options: TriageOptions): Promise<void> {
  const source = await openSource(file, options);
  try {
    const { report, lastLines } = await readLog(source.stream, options);
    const failure = await source.ended();
    if (failure) throw failure;
    print(report, lastLines, options);
    process.exitCode = codeOf(report.outcome);
  } finally {
    await source.close();
  }
}

interface Source {
  readonly stream: Readable;
  /** After the stream's end: why it was not the whole file, or null. */
  readonly ended: () => Promise<FiredupError | null>;
  readonly close: () => Promise<void>;
}

const nothing = async (): Promise<null> => null;
const done = async (): Promise<void> => {};

/** An existing local file wins over HOST:PATH. */
async function openSource(file: string, options: TriageOptions): Promise<Source> {
  if (file === '-') return { stream: process.stdin, ended: nothing, close: done };
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw cannotRead(file, error);
  });
  if (found?.isDirectory()) {
    throw new FiredupError('is-folder', `${file} is a folder, not a log.`, {
      exitCode: exitCodes.usage,
      hint: 'Name the log file in it.',
    });
  }
  if (found) {
    await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
      throw cannotRead(file, error);
    });
    return { stream: createReadStream(file, { highWaterMark: 1 << 20 }), ended: nothing, close: done };
  }
  const remote = /^(\[[^\]]+\]|[^:/]+):(.+)$/.exec(file);
  if (!remote?.[1] || !remote[2]) {
    throw new FiredupError('no-file', `There is no file ${file}.`, {
      exitCode: exitCodes.usage,
      hint: 'A log on another host is named HOST:PATH.',
    });
  }
  return openRemote(remote[1], remote[2], options);
}

async function openRemote(label: string, path: string, options: TriageOptions): Promise<Source> {
  const host = await connectFirst(hostSpec(label, options));
  const nonce = randomBytes(8).toString('hex');
  const channel = await host.exec(scriptCommand('read-file', [nonce, path]));
  let said = '';
  channel.stderr.on('data', (bytes: Buffer) => {
    if (said.length < 4096) said += bytes.toString('utf8');
  });
  channel.stdin.end();
  return {
    stream: Readable.from(afterMark(channel.stdout, `\n#${nonce}\n`)),
    ended: async () => {
      const exit = await channel.exited;
      if (exit.lost) {
        return new FiredupError('link-lost', `The connection to ${label} was lost while ${path} was read.`, {
          exitCode: exitCodes.connection,
        });
      }
      return exit.code === 0
        ? null
        : new FiredupError(
            'no-file',
            `${label} cannot read ${path}: ${said.trim().split('\n').at(-1) ?? ''}`,
            {
              exitCode: exitCodes.usage,
            },
          );
    },
    close: () => host.close(),
  };
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

async function readLog(
  stream: Readable,
  options: TriageOptions,
): Promise<{ readonly report: Report; readonly lastLines: readonly string[] }> {
  const reading = createReading({ engine: options.engine ?? null });
  const splitter = createLineSplitter();
  let tail: string[] = [];
  const take = (lines: ReturnType<typeof splitter.push>): void => {
    for (const line of lines) reading.read(line, null);
    tail.push(...lines.slice(-options.lines).map(({ text }) => text));
    if (tail.length > 4 * options.lines) tail = tail.slice(-options.lines);
  };
  try {
    for await (const chunk of stream) take(splitter.push(chunk as Buffer));
  } catch (error) {
    throw cannotRead('the log', error as NodeJS.ErrnoException);
  }
  take(splitter.end());
  return {
    report: reading.report(),
    lastLines: options.lines === 0 ? [] : tail.slice(-options.lines).map(lastFrame),
  };
}

function print(report: Report, lastLines: readonly string[], { json }: TriageOptions): void {
  if (json) {
    process.stdout.write(`${redact(JSON.stringify(report))}\n`);
    return;
  }
  for (const line of reportText(report, lastLines)) process.stdout.write(`${sanitize(redact(line))}\n`);
}

/** Of `triage`: a log that is still loading, is empty or tells nothing is 4. */
function codeOf(outcome: Outcome): number {
  switch (outcome) {
    case 'ready':
      return exitCodes.ready;
    case 'crashed':
      return exitCodes.crashed;
    case 'stalled':
      return exitCodes.stalled;
    case 'stopped':
      return exitCodes.stopped;
    case 'loading':
    case 'unknown':
      return exitCodes.timeout;
  }
}

function cannotRead(file: string, error: NodeJS.ErrnoException): FiredupError {
  const reason = error.code === 'EACCES' ? 'no permission' : error.message;
  return new FiredupError('unreadable', `${file} cannot be read: ${reason}.`, {
    exitCode: exitCodes.usage,
    cause: error,
  });
}
