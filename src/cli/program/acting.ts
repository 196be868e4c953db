import type { Command } from 'commander';
import { onTarget } from './on-target.js';
import {
  alsoOption,
  graceOption,
  hostWords,
  preflightOption,
  signalOption,
  sshOptions,
  variableOption,
  victimOptions,
  waitOptions,
} from './options.js';
import { collectSteps } from './values.js';

/** `kill` and `relaunch`: they ask before they act. */
export function addActing(program: Command): void {
  sshOptions(acting(program.command('kill')))
    .description('end the server and every process of its tree')
    .option('--json', 'output as one line of JSON')
    .action(onTarget(async (host, options) => (await import('../commands/kill.js')).kill(host, options)));

  sshOptions(waitOptions(acting(program.command('relaunch'))))
    .summary('kill the server, start the next attempt, then watch it')
    .description('kill the server and start it again as the next attempt, then watch it')
    .addOption(variableOption('environment variable to add or change (repeatable)'))
    .option(
      '--before <command>',
      'run this on the host before the start, or @FILE: this script of yours (repeatable)',
      collectSteps,
    )
    .option('--detach', 'start it, print where it is, and leave')
    .addOption(preflightOption())
    .option('--json', 'every line of output is one JSON object')
    .action(
      onTarget(async (host, options) => (await import('../commands/relaunch.js')).relaunch(host, options)),
    );
}

const acting = (command: Command): Command =>
  victimOptions(command.argument('<HOST|TARGET>', hostWords))
    .option('--yes', 'do not ask')
    .addOption(signalOption())
    .addOption(alsoOption())
    .addOption(graceOption());
