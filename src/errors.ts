/** Exit codes of the commands that end with a verdict; `docs/verdicts.md` explains them to users. */
export const exitCodes = {
  ready: 0,
  crashed: 1,
  usage: 2,
  stalled: 3,
  timeout: 4,
  connection: 5,
  stopped: 6,
  survivors: 7,
  internal: 70,
  interrupted: 130,
} as const;

/**
 * A failure that a user can cause and understand: one sentence, what to try next, and the exit code.
 * Everything else that is thrown is a fault of ours and ends with code 70.
 */
export class FiredupError extends Error {
  readonly code: string;
  readonly exitCode: number;
  readonly hint: string | null;

  /** `code` is a stable id such as `host-key-changed`; `hint` says what to try next. */
  constructor(
    code: string,
    message: string,
    options: { exitCode: number; hint?: string | null; cause?: unknown },
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = 'FiredupError';
    this.code = code;
    this.exitCode = options.exitCode;
    this.hint = options.hint ?? null;
  }
}

/** Wrong words on the command line, or a wrong config. */
export const usageError = (message: string, hint?: string): FiredupError =>
  new FiredupError('usage', message, {
    exitCode: exitCodes.usage,
    hint: hint ?? null,
  });

/** The host could not be reached, trusted or logged in to. */
export const connectionError = (
  code: string,
  message: string,
  hint?: string,
  cause?: unknown,
): FiredupError =>
  new FiredupError(code, message, {
    exitCode: exitCodes.connection,
    hint: hint ?? null,
    cause,
  });

/** `error` as a sentence for people, whatever was thrown. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Why a file cannot be read or written, to stand after "cannot be read: ". `error` is what Node threw; for a file of a
 * host, the words of a tool there in the locale C (`cat: /x: Permission denied`).
 */
export function fileReason(error: NodeJS.ErrnoException | string): string {
  const words = typeof error === 'string' ? error : error.message;
  const code = typeof error === 'string' ? '' : error.code;
  const known = fileReasons.find(([codes, pattern]) => codes.includes(code ?? '') || pattern.test(words));
  return known?.[2] ?? words.trim().split(': ').at(-1) ?? '';
}

/** Names of errno(3), the words that glibc, musl and busybox have for them, and ours. */
const fileReasons: readonly (readonly [readonly string[], RegExp, string])[] = [
  [['ENOENT', 'ENOTDIR'], /no such file|not a directory|nonexistent/i, 'there is no such file'],
  [['EACCES', 'EPERM'], /permission denied|not permitted/i, 'no permission'],
  [['EISDIR'], /is a (?:directory|folder)/i, 'it is a folder'],
  [['EROFS'], /read-only file ?system/i, 'its file system is read-only'],
  [['ENOSPC', 'EDQUOT'], /no space left|quota exceeded/i, 'no space is left'],
  [['EBADF'], /bad file (?:descriptor|number)/i, 'it is not open for reading'],
  [
    ['ELOOP'],
    /too many (?:levels of )?symbolic links|symbolic link loop/i,
    'its symbolic links lead in a circle',
  ],
  [['ENAMETOOLONG'], /file ?name too long/i, 'its name is too long'],
  [['EIO'], /i\/o error|input\/output error/i, 'its disk gives an error'],
  [['ESTALE'], /stale/i, 'its network file system has lost it'],
];
