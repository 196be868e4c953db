import { exitCodes, FiredupError } from '../errors.js';
import { sanitizeLines } from '../ingest/sanitize.js';

/**
 * Says on stderr what went wrong and returns the exit code: one sentence and what to try next for what a user can
 * cause; for a fault of ours the stack as well, and code 70, never 1.
 */
export function reportFailure(error: unknown): number {
  if (error instanceof FiredupError) {
    write(`firedup: ${error.message}`);
    if (error.hint) write(`  ${error.hint}`);
    return error.exitCode;
  }
  write(
    `firedup: internal fault: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  write('  This is a bug of firedup; the server is left alone. Please report it with the lines above.');
  return exitCodes.internal;
}

function write(text: string): void {
  process.stderr.write(`${sanitizeLines(text)}\n`);
}
