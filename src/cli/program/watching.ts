import { type Command, Option } from 'commander';
import { scenarioNames } from '../../demo/scenario-names.js';
import { givenOptions, onTarget } from './on-target.js';
import {
  graceOption,
  hostWords,
  launchOptions,
  preflightOption,
  sshOptions,
  waitOptions,
  watchedOptions,
} from './options.js';
import { oneOf, positiveNumber } from './values.js';

/** `demo`, `watch`, `wait` and `launch`. */
export function addWatching(program: Command): void {
  waitOptions(program.command('demo'))
    .summary('a whole launch on a simulated box: no GPU, nothing to set up')
    .description('a whole launch on an embedded SSH server on loopback: no GPU, nothing to set up')
    .addOption(
      new Option('--scenario <name>', `which launch to play: ${scenarioNames.join(', ')}`).argParser(
        oneOf('scenario', scenarioNames),
      ),
    )
    .option('--speed <n>', 'how much faster than life', positiveNumber, 1)
    .option('--headless', 'no screen: lines of text and an exit code')
    .option('--json', jsonLines)
    .action(async (options) => (await import('../commands/demo.js')).demo(options));

  watching(program.command('watch'))
    .description('the live screen on a server that someone starts or has started')
    .action(onTarget(async (host, options) => (await import('../commands/watch.js')).watch(host, options)));

  watching(program.command('wait'))
    .summary('the same without a screen; the verdict is the exit code')
    .description('like watch, without a screen: a line per change, and the verdict as the exit code')
    .action(onTarget(async (host, options) => (await import('../commands/watch.js')).wait(host, options)));

  const launch = program.command('launch').argument('<HOST|TARGET>', hostWords);
  launchOptions(launch.argument('[COMMAND...]', 'what to start; else the command of the target'));
  sshOptions(waitOptions(launch))
    .summary('start a server detached on the host, then watch it')
    .description('start a command (or the one of the target) detached on the host, then watch it')
    .option('--detach', 'start it, print where it is, and leave')
    .option('--yes', 'start it also where pre-flight finds something in the way')
    .addOption(preflightOption())
    .addOption(graceOption())
    .option('--json', jsonLines)
    .action(async (host, words, given, launching: Command) => {
      const { resolveLaunch } = await import('../resolve-target.js');
      const resolved = await resolveLaunch(host, words, given, givenOptions(launching));
      const { label, command, options } = resolved;
      await (await import('../commands/launch.js')).launch(label, command, options);
    });
}

const jsonLines = 'every line of output is one JSON object';

const watching = (command: Command): Command =>
  sshOptions(waitOptions(watchedOptions(command.argument('<HOST|TARGET>', hostWords))))
    .addOption(graceOption())
    .option('--json', jsonLines);
