import { exitCodes } from '../errors.js';
import { leave } from './last-will.js';
import { printVersion } from './version.js';

/**
 * The command line's beginning and end: nothing that is thrown anywhere leaves without its exit code. Commands
 * and their libraries are loaded only when they are asked for, so that `--version` costs next to nothing.
 */
async function main(argv: readonly string[]): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) return printVersion();
  const { runProgram } = await import('./program.js');
  await runProgram(argv);
}

process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
// A reader that has seen enough (`| head`) is no fault, but no verdict either; a terminal that went away says so by
// SIGHUP as well.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') return leave(exitCodes.interrupted);
  if (error.code === 'ENOSPC') {
    process.stderr.write('firedup: The output cannot be written: no space left on its device.\n');
    process.exit(exitCodes.usage);
  }
  if (error.code !== 'EIO') fail(error);
});
process.stderr.on('error', () => {});

main(process.argv.slice(2)).catch(fail);

function fail(error: unknown): void {
  void import('./failure.js').then(({ reportFailure }) => process.exit(reportFailure(error)));
}
