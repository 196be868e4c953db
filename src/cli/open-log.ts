import { createReadStream, fstatSync, type Stats, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { exitCodes, FiredupError, fileReason, usageError } from '../errors.js';
import type { LogOptions, LogSource } from './log-source.js';
import type { Remark } from './plain-bytes.js';

/**
 * Opens `file`: `-` is standard input; a file of this machine wins over HOST:PATH. A file that grows is read to
 * the size that it has now, so that a busy writer cannot keep the report from coming.
 */
export async function openLog(file: string, options: LogOptions, remark: Remark): Promise<LogSource> {
  if (file === '-') return standardInput(remark);
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw cannotRead(file, error);
  });
  if (found) return openFile(file, found, remark);
  const remote = /^((?:[^@:/]+@)?(?:\[[^\]]+\]|[^:/]+)(?::\d+(?=:))?):(.+)$/s.exec(file);
  if (remote?.[1] && remote[2]) {
    // The connection's libraries are loaded only for a log that lies elsewhere.
    const { openRemoteLog } = await import('./remote-log.js');
    return openRemoteLog(remote[1], remote[2], options);
  }
  throw new FiredupError('no-file', `There is no file ${file}.`, {
    exitCode: exitCodes.usage,
    hint: (await isTarget(file, options))
      ? `${file} is a target of the config: its log is named ${file}:PATH; firedup watch ${file} finds it by itself.`
      : 'A log on another host is named HOST:PATH.',
  });
}

async function isTarget(name: string, { config }: LogOptions): Promise<boolean> {
  const { loadConfig } = await import('./load-config.js');
  // What is wrong in a config is not what was asked about.
  return (await loadConfig(config).catch(() => null))?.targets.has(name) ?? false;
}

async function openFile(file: string, found: Stats, remark: Remark): Promise<LogSource> {
  refuseNoFile(file, found);
  if (found.isFIFO()) {
    const pipe = createReadStream(file, { highWaterMark: chunkBytes });
    return { name: file, bytes: remarkWait(read(pipe, file), file, remark), close: closing(pipe) };
  }
  if (found.isSocket()) {
    throw usageError(`${file} is a socket, not a log.`, 'Name a file, or - for standard input.');
  }
  const handle = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(file, error);
  });
  const { size } = await handle.stat();
  // What /proc shows has the size 0 and is read to its end.
  const end = found.isFile() && size > 0 ? { end: size - 1 } : {};
  const stream = createReadStream(file, { fd: handle, highWaterMark: chunkBytes, ...end });
  return { name: file, bytes: read(stream, file), close: closing(stream) };
}

const closing = (stream: Readable) => async (): Promise<void> => {
  stream.destroy();
};

// Larger ones are not read faster, and wait in the memory until they are collected.
const chunkBytes = 1 << 18;

function refuseNoFile(file: string, found: Stats): void {
  if (found.isDirectory()) {
    throw new FiredupError('is-folder', `${file} is a folder, not a log.`, {
      exitCode: exitCodes.usage,
      hint: 'Name the log file in it.',
    });
  }
  const isEndless = found.isCharacterDevice() && !isNull(found);
  if (isEndless || found.isBlockDevice()) {
    throw usageError(`${file} is a device, not a log.`, 'Name a file, or - for standard input.');
  }
}

/** Node opens /dev/null where standard input is closed: both mean that nobody gives us a log. */
function standardInput(remark: Remark): LogSource {
  const name = 'Standard input';
  let found: Stats;
  try {
    found = fstatSync(0);
  } catch (error) {
    throw cannotRead(name, error as NodeJS.ErrnoException);
  }
  if (process.stdin.isTTY || isNull(found)) {
    const what = process.stdin.isTTY ? 'Standard input is a terminal' : 'Standard input is closed';
    throw usageError(
      `${what}: there is no log to read.`,
      'Name a log file or HOST:PATH, or pipe one in: kubectl logs POD | firedup triage',
    );
  }
  refuseNoFile(name, found);
  const bytes = read(process.stdin, name);
  return {
    name,
    bytes: found.isFile() ? bytes : remarkWait(bytes, name, remark),
    close: closing(process.stdin),
  };
}

function isNull(found: Stats): boolean {
  try {
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

async function* read(stream: Readable, name: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw cannotRead(name, error as NodeJS.ErrnoException);
  }
}

const patienceMs = 3000;

/** A pipe may have no writer for ever: after a while that is said, once. */
async function* remarkWait(
  bytes: AsyncGenerator<Buffer>,
  name: string,
  remark: Remark,
): AsyncGenerator<Buffer> {
  const timer = setTimeout(() => remark(`${name} has said nothing yet; waiting for its writer.`), patienceMs);
  try {
    for await (const chunk of bytes) {
      clearTimeout(timer);
      yield chunk;
    }
  } finally {
    clearTimeout(timer);
  }
}

function cannotRead(name: string, error: NodeJS.ErrnoException): FiredupError {
  return new FiredupError('unreadable', `${name} cannot be read: ${fileReason(error)}.`, {
    exitCode: exitCodes.usage,
    cause: error,
  });
}
