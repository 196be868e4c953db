import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { exitCodes, FiredupError } from '../errors.js';
import { redact } from '../ingest/redact.js';
import { type HistoryEntry, historyEntry } from './history-entry.js';
import { fileNamePart, type PathEnvironment, stateFolder } from './paths.js';

/** `…/firedup/.history/HOST/NAME.ndjson`: one JSON object a line, the first attempt first. */
export function historyPath(env: PathEnvironment, host: string, name: string): string {
  return join(stateFolder(env), '.history', fileNamePart(host), `${fileNamePart(name)}.ndjson`);
}

/**
 * Adds an entry (secrets redacted, at most 40 lines) with one write to the end of the file, so that two firedups do
 * not tear each other's lines. A second entry with the same id replaces the first when read. Rejects with
 * `FiredupError` `history-not-written`.
 */
export async function appendHistory(env: PathEnvironment, entry: HistoryEntry): Promise<void> {
  const path = historyPath(env, entry.host, entry.name);
  const kept: HistoryEntry = {
    ...entry,
    command: redact(entry.command),
    cause: entry.cause === null ? null : redact(entry.cause),
    change: entry.change === null ? null : redact(entry.change),
    lastLines: entry.lastLines.slice(-40).map(redact),
  };
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // Begins with a line end: an entry that a full disk cut short spoils itself only.
    await appendFile(path, `\n${JSON.stringify(kept)}\n`, { mode: 0o600 });
  } catch (error) {
    throw new FiredupError('history-not-written', `The history cannot be written to ${path}.`, {
      exitCode: exitCodes.usage,
      hint: 'Set XDG_STATE_HOME to a folder that can be written.',
      cause: error,
    });
  }
}

/**
 * The attempts of one server, the first first. What is no entry (torn by a crash, of a later version) is left out and
 * counted. No file is an empty history. Rejects with `FiredupError` `history-unreadable`.
 */
export async function readHistory(
  env: PathEnvironment,
  host: string,
  name: string,
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly unreadable: number }> {
  const path = historyPath(env, host, name);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw new FiredupError('history-unreadable', `The history ${path} cannot be read.`, {
      exitCode: exitCodes.usage,
      cause: error,
    });
  });
  const entries = new Map<string, HistoryEntry>();
  let unreadable = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const entry = parse(line);
    if (entry === null) unreadable += 1;
    else entries.set(entry.id ?? `line ${entries.size}`, entry);
  }
  return { entries: [...entries.values()], unreadable };
}

function parse(line: string): HistoryEntry | null {
  try {
    const result = historyEntry.safeParse(JSON.parse(line));
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}
