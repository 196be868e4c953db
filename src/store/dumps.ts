import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { redact } from '../ingest/redact.js';
import { notWritten } from './not-written.js';
import { fileNamePart, type PathEnvironment, stateFolder } from './paths.js';

/** Whose log it is that was dumped, and when (ms since the epoch). */
export interface DumpSource {
  readonly host: string;
  /** The server's name; null where it has none. */
  readonly name: string | null;
  readonly at: number;
}

/**
 * `…/firedup/.dumps/HOST-NAME-20260102T030405.678Z.log`, the time in UTC. Hidden: on a host that is `local`, the names
 * of servers stand beside it.
 */
export function dumpPath(env: PathEnvironment, { host, name, at }: DumpSource): string {
  const time = new Date(at).toISOString().replace(/[-:]/g, '');
  const who = [host, ...(name === null ? [] : [name])].map(fileNamePart).join('-');
  return join(stateFolder(env), '.dumps', `${who}-${time}.log`);
}

/**
 * Writes the lines (secrets redacted) to a new file that only its owner reads, and returns its path. Rejects with
 * `FiredupError` `dump-failed`.
 */
export async function writeDump(
  env: PathEnvironment,
  source: DumpSource,
  lines: readonly string[],
): Promise<string> {
  const path = dumpPath(env, source);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, lines.map((line) => `${redact(line)}\n`).join(''), {
      mode: 0o600,
      flag: 'wx',
    }).catch(
      // Two keys within one millisecond: the same lines.
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      },
    );
  } catch (error) {
    throw notWritten('dump-failed', 'The dump', path, error as NodeJS.ErrnoException);
  }
  return path;
}
