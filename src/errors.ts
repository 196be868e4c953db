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
