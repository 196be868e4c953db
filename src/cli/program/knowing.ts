import type { Command } from 'commander';
import { usageError } from '../../errors.js';
import { addHelp } from './help.js';
import { fileWords } from './looking.js';
import { givenOptions } from './on-target.js';
import { configOption, engineOption, graceOption, launchOptions, sshOptions } from './options.js';
import { duration } from './values.js';

/** `engines`, `config`, `themes` and `help`: what firedup knows and is told. */
export function addKnowing(program: Command): void {
  addEngines(program);
  addConfig(program);

  program
    .command('themes')
    .summary('the themes of the screen, each in its colours')
    .description('the themes of the screen, each with its parts in its colours; the names alone into a pipe')
    .option('--json', 'output as one line of JSON')
    .action(async (options) => (await import('../commands/themes.js')).themes(options));
  addHelp(program);
}

function addEngines(program: Command): void {
  const engines = program
    .command('engines')
    .enablePositionalOptions()
    .summary('the engines that are known, and what their rules make of a log')
    .description('the engines that are known; show NAME for one, check FILE for what the rules make of a log')
    .option('--json', 'output as JSON')
    .addOption(configOption())
    .action(async (options) => (await import('../commands/engines.js')).listEngines(options));
  engines
    .command('show')
    .summary('one engine: phases, lines, failures, remedies')
    .description('phases, ready and dying lines, failures and remedies of one engine')
    .argument('<NAME>', 'an engine')
    .option('--json', 'output as JSON')
    .addOption(configOption())
    .action(async (name, options) => (await import('../commands/engines.js')).showEngine(name, options));
  sshOptions(engines.command('check').argument('[FILE]', fileWords, '-'))
    .summary('which rule matches which lines of a log')
    .description('which rule matches which lines of a log, and which error-like lines none explains')
    .addOption(engineOption())
    .option('--json', 'output as one line of JSON')
    .action(async (file, options) => (await import('../commands/engines-check.js')).checkLog(file, options));
}

function addConfig(program: Command): void {
  const config = program
    .command('config')
    .enablePositionalOptions()
    .summary('what is wrong in the config, and what holds and why')
    .description('the config: check FILE for what is wrong in it, print for what holds and why')
    .action(() => {
      throw usageError('config needs a command: check or print.', 'firedup config --help shows them.');
    });
  config
    .command('check')
    .summary('what is wrong in a config, with line and column')
    .description('what is wrong in a config, with line and column; exit code 2 where there is something')
    .argument('[FILE]', 'the config that counts, where none is named')
    .addOption(configOption())
    .action(async (file, options) => (await import('../commands/config.js')).check(file, options));
  const print = config.command('print');
  launchOptions(print.argument('[TARGET]', 'a target of the config; all, where none is named'));
  sshOptions(print)
    .summary('every value, and where it comes from')
    .description('every value of a target, or of all, and where it comes from; secrets redacted')
    .option('--timeout <duration>', 'as for watch', duration)
    .addOption(graceOption())
    .option('--json', 'output as one line of JSON')
    .action(async (target, options, command: Command) =>
      (await import('../commands/config.js')).print(target, options, givenOptions(command)),
    );
}
