import type { Command } from 'commander';
import { givenOptions, onTarget } from './on-target.js';
import { engineOption, hostWords, serverOptions, sshOptions, variableOption } from './options.js';
import { port, tailLines, wholeNumber } from './values.js';

/** `status`, `triage`, `dump`, `tail`, `history` and `doctor`: they look and change nothing. */
export function addLooking(program: Command): void {
  looking(program.command('status').argument('[HOST|TARGET]', hostWords))
    .summary('the state of one server, of those on a host, or of all targets')
    .description('the state of a target, of the servers on a host, or of all targets')
    .option('--json', 'output as one line of JSON')
    .action(async (host, options, command: Command) =>
      (await import('../commands/status.js')).status(host, options, givenOptions(command)),
    );

  sshOptions(program.command('triage').argument('[FILE]', fileWords, '-'))
    .description('a report on a finished or running log')
    .option('-n, --lines <n>', 'last lines to show', wholeNumber, 40)
    .addOption(engineOption())
    .option('--json', 'the report as one line of JSON')
    .action(async (file, options) => (await import('../commands/triage.js')).triage(file, options));

  looking(program.command('dump').argument('<HOST|TARGET>', hostWords))
    .description('the last lines of the log, unfiltered')
    .option('-n, --lines <n>', 'how many', wholeNumber, 40)
    .option('--json', 'output as one line of JSON')
    .action(onTarget(async (host, options) => (await import('../commands/dump.js')).dump(host, options)));

  looking(program.command('tail').argument('<HOST|TARGET>', hostWords))
    .summary('the log to standard output as it grows')
    .description('the log to standard output as it grows, across rotations and lost connections')
    .option('-n, --lines <n>', 'last lines to begin with; +1 begins at the first byte', tailLines, 40)
    .option('--until-exit', 'end with the server, after its last bytes')
    .action(onTarget(async (host, options) => (await import('../commands/tail.js')).tail(host, options)));

  looking(program.command('history').argument('<HOST|TARGET>', hostWords))
    .summary('the attempts so far: outcome, cause, change, what helped')
    .description(
      'the attempts that are kept on this machine: outcome, cause, time to ready, change, what helped',
    )
    .option('-n, --lines <n>', 'how many of a server, the newest', wholeNumber, 40)
    .option('--json', 'one attempt a line as JSON')
    .action(
      onTarget(async (host, options) => (await import('../commands/history.js')).history(host, options)),
    );

  const doctor = program.command('doctor').argument('<HOST|TARGET>', hostWords);
  sshOptions(doctor.argument('[COMMAND...]', 'what would be started; else that of the target, or the last'))
    .summary('what a host allows, and what would be in the way of a launch')
    .description('what can be reached, read and run there, and what would be in the way of a launch')
    .option('--name <name>', 'without a command: the one launched last under this name')
    .option('--log <path>', 'log file of the launch')
    .option('--port <port>', 'HTTP port that must answer before READY', port)
    .addOption(variableOption('environment variable for the command (repeatable)'))
    .option('--cwd <folder>', 'folder to start in')
    .option('--shell', 'it would be run through bash -lc')
    .option('--json', 'output as one line of JSON')
    .action(async (host, words, options, command: Command) =>
      (await import('../commands/doctor.js')).doctor(host, words, options, givenOptions(command)),
    );
}

/** Where a log is taken. */
export const fileWords = 'a log file, HOST:PATH, or - for standard input';

const looking = (command: Command): Command => sshOptions(serverOptions(command));
