import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HistoryEntry, laterWord, withEntry } from '../core/history.js';
import { exitCodes, FiredupError } from '../errors.js';
import { keepable, parseEntry } from './history-entry.js';
import { notWritten } from './not-written.js';
import { fileNamePart, type PathEnvironment, stateFolder } from './paths.js';

/** Attempts kept of one server; older ones go. */
const mostEntries = 200;

/** `…/firedup/.history/HOST/NAME/`: one file an attempt. */
export function historyFolder(env: PathEnvironment, host: string, name: string): string {
  return join(hostFolder(env, host), fileNamePart(name));
}

const hostFolder = (env: PathEnvironment, host: string): string =>
  join(stateFolder(env), '.history', fileNamePart(host));

/**
 * Keeps an entry (secrets redacted, at most 40 lines); what is kept of the same attempt already is made fuller by it.
 * A file each, put in its place by a rename: two firedups, or a crash in the middle, cannot tear anything, and no lock
 * can be left behind. The newest 200 stay. Rejects with `FiredupError` `history-not-written`.
 */
export async function writeHistory(env: PathEnvironment, entry: HistoryEntry): Promise<void> {
  const folder = historyFolder(env, entry.host, entry.name);
  const path = join(folder, `${fileNamePart(entry.id)}.json`);
  const fresh = `${path}.${randomUUID().slice(0, 8)}.new`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const earlier = await readEntry(path);
    const kept = keepable(earlier === null ? entry : laterWord(earlier, entry));
    await writeFile(fresh, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: 'wx' });
    await rename(fresh, path);
    await dropOldest(folder);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => {});
    throw notWritten('history-not-written', 'The history', folder, error as NodeJS.ErrnoException);
  }
}

/**
 * The attempts of one server, the first first. What is no entry (of a later version, spoilt by a broken disk) is left
 * out and counted. No folder is an empty history. Rejects with `FiredupError` `history-unreadable`.
 */
export async function readHistory(
  env: PathEnvironment,
  host: string,
  name: string,
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly unreadable: number }> {
  return readFolder(historyFolder(env, host, name));
}

/** Every server of `host` of which something is kept, by its name. */
export async function readHistories(
  env: PathEnvironment,
  host: string,
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  const servers = new Map<string, readonly HistoryEntry[]>();
  const names = new Set((await list(hostFolder(env, host))).map((file) => file.replace(/\.ndjson$/, '')));
  for (const part of [...names].sort()) {
    const { entries } = await readFolder(join(hostFolder(env, host), part));
    const [any] = entries;
    if (any !== undefined) servers.set(any.name, entries);
  }
  return servers;
}

/** The hosts of which something is kept, as they were named. */
export async function historyHosts(env: PathEnvironment): Promise<readonly string[]> {
  const root = join(stateFolder(env), '.history');
  const hosts = new Set<string>();
  for (const part of await list(root)) {
    for (const name of await list(join(root, part))) {
      const [any] = (await readFolder(join(root, part, name.replace(/\.ndjson$/, '')))).entries;
      if (any !== undefined) hosts.add(any.host);
    }
  }
  return [...hosts].sort();
}

async function readFolder(
  folder: string,
): Promise<{ readonly entries: readonly HistoryEntry[]; readonly unreadable: number }> {
  const files = (await list(folder)).filter((file) => file.endsWith('.json'));
  const texts = await Promise.all(files.map((file) => read(join(folder, file))));
  // Up to schema 1: all attempts in one file, a line each.
  const lines = (await read(`${folder}.ndjson`)).split('\n');
  const found = [...lines, ...texts].filter((text) => text.trim() !== '').map(parseEntry);
  const entries = found.filter((entry) => entry !== null);
  return {
    entries: entries.reduce(withEntry, [] as readonly HistoryEntry[]).toSorted(byStart),
    unreadable: found.length - entries.length,
  };
}

const byStart = (one: HistoryEntry, other: HistoryEntry): number =>
  (one.startedAt ?? one.endedAt ?? 0) - (other.startedAt ?? other.endedAt ?? 0) ||
  (one.attempt ?? 0) - (other.attempt ?? 0);

async function dropOldest(folder: string): Promise<void> {
  const files = await list(folder);
  if (files.length <= mostEntries) return;
  const dated = await Promise.all(
    files.map(async (file) => ({
      file,
      at: (await stat(join(folder, file)).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const oldest = dated.toSorted((one, other) => one.at - other.at).slice(0, files.length - mostEntries);
  await Promise.all(oldest.map(({ file }) => rm(join(folder, file), { force: true })));
}

async function readEntry(path: string): Promise<HistoryEntry | null> {
  return parseEntry(await read(path).catch(() => ''));
}

const read = (path: string): Promise<string> => absentIs(path, '', () => readFile(path, 'utf8'));

const list = (folder: string): Promise<readonly string[]> => absentIs(folder, [], () => readdir(folder));

async function absentIs<T>(path: string, absent: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return absent;
    throw new FiredupError('history-unreadable', `The history ${path} cannot be read.`, {
      exitCode: exitCodes.usage,
      cause: error,
    });
  }
}
