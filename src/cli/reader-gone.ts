import { fstatSync, readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs';

/**
 * Calls `gone` once the reader of the pipe or socket `fd` has gone, also while there is nothing to write for it (else
 * EPIPE tells). Returns what stops the looking. Node cannot poll a pipe for that, so its reader is looked up in `/proc`
 * and then looked after: a reader that was never seen (another user's, another namespace's, gone at once) is never said
 * to have gone. Of a file nothing can be told.
 */
export function watchReader(fd: number, gone: () => void, everyMs = 500): () => void {
  const stat = fstatSync(fd);
  const isGone = stat.isSocket() ? () => socketIsShut(fd) : stat.isFIFO() ? pipeCheck(fd) : null;
  if (isGone === null) return () => {};
  // At once: a reader of the first lines only may be gone at the next look.
  isGone();
  const timer = setInterval(() => {
    if (!isGone()) return;
    clearInterval(timer);
    gone();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** A socket whose other side has gone refuses even no bytes at all. */
function socketIsShut(fd: number): boolean {
  try {
    writeSync(fd, new Uint8Array(0));
    return false;
  } catch (error) {
    return codeOf(error) === 'EPIPE';
  }
}

/** Who was seen to read, as `/proc/PID/fd/N`; all of them are looked for anew when none of those does any more. */
function pipeCheck(fd: number): () => boolean {
  let readers: readonly string[] = [];
  let looks = 0;
  return () => {
    const pipe = linkOf(`/proc/self/fd/${fd}`);
    if (pipe === null) return false;
    // One that became another user's (sudo) cannot be read any more, and lives.
    if (readers.some((path) => [pipe, 'unreadable'].includes(linkOf(path) ?? ''))) return false;
    const wereSeen = readers.length > 0;
    // A shell may have its own ends open for a moment; after that nobody new will come.
    if (!wereSeen && ++looks > 10) return false;
    readers = readersOf(pipe);
    return wereSeen && readers.length === 0;
  };
}

function readersOf(pipe: string): readonly string[] {
  const found: string[] = [];
  for (const pid of namesIn('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    for (const number of namesIn(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${number}`;
      if (linkOf(path) === pipe && mayRead(`/proc/${pid}/fdinfo/${number}`)) found.push(path);
    }
  }
  return found;
}

/** The last octal digit of `flags:` is 1 for what is open for writing only (proc(5), open(2)). */
function mayRead(fdinfo: string): boolean {
  try {
    return !/^flags:\s+\d*[1357]$/m.test(readFileSync(fdinfo, 'utf8'));
  } catch {
    return false;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? null : 'unreadable';
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : null);
