import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { exitCodes } from '../errors.js';
import { isInteractive } from './is-interactive.js';
import type { TargetOptions } from './resolve-target.js';
import { packageVersion } from './version.js';

/** Parses the command line and runs the command that it names, each from its own file. */
export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = createProgram();
  if (argv.length === 0 && isInteractive() && (await (await import('./commands/pick.js')).pick())) return;
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has already said what is wrong, or has printed the help that was asked for.
    process.exitCode = error.exitCode === 0 ? exitCodes.ready : exitCodes.usage;
  }
}

/** All commands with their options; `docs/commands.md` explains them. */
export function createProgram(): Command {
  const program = new Command('firedup')
    .description(
      'Watches an LLM inference server come up: ready, crashed or stuck, why, and what to do next.',
    )
    .version(packageVersion(), '-V, --version')
    .addHelpText('after', '\nAlone, on a terminal, it shows the targets of the config: docs/config.md.')
    .showHelpAfterError('(firedup --help shows all commands)')
    .exitOverride();
  // Options come before the command that is to be launched, and `--` ends them.
  program.enablePositionalOptions();

  program
    .command('demo')
    .description('a whole launch on an embedded SSH server on loopback: no GPU, nothing to set up')
    .addOption(new Option('--scenario <name>', 'which launch to play').choices(scenarioNames))
    .option('--speed <n>', 'how much faster than life', positiveNumber, 1)
    .option('--headless', 'no screen: lines of text and an exit code')
    .option('--timeout <duration>', 'give up waiting after this long')
    .option('--heartbeat <duration>', 'longest silence of the text output', '15s')
    .option('--json', 'every line of output is one JSON object')
    .action(async (options) => (await import('./commands/demo.js')).demo(options));

  watching(program.command('watch').argument('<host>', hostWords))
    .description('the live screen on a server that someone starts or has started')
    .action(onTarget(async (host, options) => (await import('./commands/watch.js')).watch(host, options)));

  watching(program.command('wait').argument('<host>', hostWords))
    .description('like watch, without a screen: a line per change, and the verdict as the exit code')
    .action(onTarget(async (host, options) => (await import('./commands/watch.js')).wait(host, options)));

  const toStart = program.command('launch').argument('<host>', hostWords);
  launchOptions(connecting(toStart.argument('[command...]', 'after --; else that of the target')))
    .description('start a command (or the one of the target) detached on the host, then watch it')
    .option('--detach', 'start it, print where it is, and leave')
    .option('--yes', 'start it also where pre-flight finds something in the way')
    .addOption(preflightOption())
    .addOption(graceOption())
    .action(async (host, words, given, launching: Command) => {
      const { resolveLaunch } = await import('./resolve-target.js');
      const resolved = await resolveLaunch(host, words, given, givenOptions(launching));
      const { label, command, options } = resolved;
      await (await import('./commands/launch.js')).launch(label, command, options);
    });

  program
    .command('triage')
    .description('a report on a finished or running log')
    .argument('[file]', 'a log file, HOST:PATH, or - for standard input', '-')
    .option('--json', 'the report as one line of JSON')
    .option('-n, --lines <n>', 'last lines to show', wholeNumber, 40)
    .addOption(engineOption())
    .action(async (file, options) => (await import('./commands/triage.js')).triage(file, options));
  sshOptions(program.commands.at(-1) ?? program);

  addEngines(program);
  addConfig(program);

  program
    .command('themes')
    .description('the themes of the screen, each with its parts in its colours; the names alone into a pipe')
    .option('--json', 'output as one line of JSON')
    .action(async (options) => (await import('./commands/themes.js')).themes(options));

  acting(program.command('dump').argument('<host>', hostWords))
    .description('the last lines of the log, unfiltered')
    .option('-n, --lines <n>', 'how many', wholeNumber, 40)
    .action(onTarget(async (host, options) => (await import('./commands/dump.js')).dump(host, options)));

  acting(program.command('history').argument('<host>', hostWords))
    .description(
      'the attempts that are kept on this machine: outcome, cause, time to ready, change, what helped',
    )
    .option('-n, --lines <n>', 'how many of a server, the newest', wholeNumber, 40)
    .action(
      onTarget(async (host, options) => (await import('./commands/history.js')).history(host, options)),
    );

  sshOptions(serverOptions(program.command('tail').argument('<host>', hostWords)))
    .description('the log to standard output as it grows, across rotations and lost connections')
    .option('-n, --lines <n>', 'last lines to begin with; +1 begins at the first byte', tailLines, 40)
    .option('--until-exit', 'end with the server, after its last bytes')
    .action(onTarget(async (host, options) => (await import('./commands/tail.js')).tail(host, options)));

  acting(program.command('kill').argument('<host>', hostWords))
    .description('end the server and every process of its tree')
    .option('--yes', 'do not ask')
    .addOption(signalOption())
    .addOption(alsoOption())
    .addOption(graceOption())
    .action(onTarget(async (host, options) => (await import('./commands/kill.js')).kill(host, options)));

  acting(program.command('relaunch').argument('<host>', hostWords))
    .description('kill the server and start it again as the next attempt, then watch it')
    .option('--yes', 'do not ask')
    .option('--env <name=value>', 'environment variable to add or change (repeatable)', collect)
    .option(
      '--before <command>',
      'run this on the host before the start, or @FILE: this script of yours (repeatable)',
      collect,
    )
    .option('--detach', 'start it, print where it is, and leave')
    .option('--timeout <duration>', 'give up waiting after this long; the server is left alone')
    .option('--heartbeat <duration>', 'longest silence of the text output', '15s')
    .addOption(preflightOption())
    .addOption(signalOption())
    .addOption(alsoOption())
    .addOption(graceOption())
    .action(
      onTarget(async (host, options) => (await import('./commands/relaunch.js')).relaunch(host, options)),
    );

  acting(program.command('status').argument('[host]', hostWords))
    .description('the state of a target, of the servers on a host, or of all targets')
    .action(async (host, options, command: Command) =>
      (await import('./commands/status.js')).status(host, options, givenOptions(command)),
    );

  const toAsk = program.command('doctor').argument('<host>', hostWords);
  sshOptions(toAsk.argument('[command...]', 'after --; else that of the target, or the one launched last'))
    .description('what can be reached, read and run there, and what would be in the way of a launch')
    .option('--name <name>', 'without a command: the one launched last under this name')
    .option('--log <path>', 'log file of the launch')
    .option('--port <port>', 'HTTP port that must answer before READY', port)
    .option('--env <name=value>', 'environment variable for the command (repeatable)', collect)
    .option('--cwd <folder>', 'folder to start in')
    .option('--shell', 'it would be run through bash -lc')
    .option('--json', 'output as one line of JSON')
    .action(async (host, words, options, command: Command) =>
      (await import('./commands/doctor.js')).doctor(host, words, options, givenOptions(command)),
    );

  return program;
}

/** The demo's scenarios, as `src/demo/scenarios.ts` has them; a test holds the two together. */
export const scenarioNames = [
  'story',
  'ready',
  'missing-method',
  'context-length',
  'oom',
  'stall',
  'silent-death',
  'late-log',
] as const;

function watching(command: Command): Command {
  return connecting(command)
    .option('--name <name>', 'a server that firedup launched under this name')
    .option('--log <path>', 'its log file')
    .option('--pid <pid>', 'its process', wholeNumber)
    .option('--port <port>', 'HTTP port that must answer before READY', port)
    .addOption(containerOption())
    .addOption(engineOption())
    .addOption(graceOption());
}

function connecting(command: Command): Command {
  return sshOptions(command)
    .option('--json', 'every line of output is one JSON object')
    .option('--timeout <duration>', 'give up waiting after this long; the server is left alone')
    .option('--heartbeat <duration>', 'longest silence of the text output', '15s');
}

function acting(command: Command): Command {
  return serverOptions(sshOptions(command)).option('--json', 'output as JSON');
}

/** Which of the host's servers is meant. */
function serverOptions(command: Command): Command {
  return command
    .option('--name <name>', 'the server that firedup launched under this name')
    .option('--log <path>', 'the server that writes this log')
    .option('--pid <pid>', 'the server with this process', wholeNumber)
    .option('--port <port>', 'the server that listens on this port', port)
    .addOption(containerOption());
}

/** `firedup engines`, and its `show` and `check`. */
function addEngines(program: Command): void {
  const engines = program
    .command('engines')
    .enablePositionalOptions()
    .description('the engines that are known; show NAME for one, check FILE for what the rules make of a log')
    .option('--json', 'output as JSON')
    .addOption(configOption())
    .action(async (options) => (await import('./commands/engines.js')).listEngines(options));
  engines
    .command('show')
    .description('phases, ready and dying lines, failures and remedies of one engine')
    .argument('<name>', 'an engine')
    .option('--json', 'output as JSON')
    .addOption(configOption())
    .action(async (name, options) => (await import('./commands/engines.js')).showEngine(name, options));
  sshOptions(engines.command('check'))
    .description('which rule matches which lines of a log, and which error-like lines none explains')
    .argument('[file]', 'a log file, HOST:PATH, or - for standard input', '-')
    .option('--json', 'output as one line of JSON')
    .addOption(engineOption())
    .action(async (file, options) => (await import('./commands/engines-check.js')).checkLog(file, options));
}

/** `firedup config check` and `print`. */
function addConfig(program: Command): void {
  const config = program
    .command('config')
    .enablePositionalOptions()
    .description('the config: check FILE for what is wrong in it, print for what holds and why');
  config
    .command('check')
    .description('what is wrong in a config, with line and column; exit code 2 where there is something')
    .argument('[file]', 'the config that counts, where none is named')
    .addOption(configOption())
    .action(async (file, options) => (await import('./commands/config.js')).check(file, options));
  launchOptions(sshOptions(config.command('print')))
    .description('every value of a target, or of all, and where it comes from; secrets redacted')
    .argument('[target]', 'a target of the config; all, where none is named')
    .option('--timeout <duration>', 'as for watch')
    .option('--json', 'output as one line of JSON')
    .addOption(graceOption())
    .action(async (target, options, command: Command) =>
      (await import('./commands/config.js')).print(target, options, givenOptions(command)),
    );
}

/** What a launch consists of. */
function launchOptions(command: Command): Command {
  return command
    .option('--name <name>', 'name of this server on the host (the target, or default)')
    .option('--log <path>', 'log file; {attempt} in it is replaced by the number')
    .option('--port <port>', 'HTTP port that must answer before READY', port)
    .addOption(engineOption())
    .option('--env <name=value>', 'environment variable for the command (repeatable)', collect)
    .option('--cwd <folder>', 'folder to start in')
    .option('--shell', 'run it through bash -lc')
    .option(
      '--before <command>',
      'run this on the host first, or @FILE: this script of yours (repeatable)',
      collect,
    );
}

/** They mean what they mean to `ssh`. */
function sshOptions(command: Command): Command {
  return command
    .option('-F <file>', 'ssh config file')
    .option('-i <file>', 'identity file')
    .option('-p <port>', 'ssh port', port)
    .option('-J <hosts>', 'jump hosts')
    .addOption(
      new Option('--transport <which>', "who speaks SSH: the system's ssh, or ssh2 in here").choices([
        'ssh',
        'ssh2',
      ]),
    )
    .option('--accept-new', 'take an unknown host key without asking')
    .option('--read-only', 'switch every action off')
    .addOption(configOption());
}

const hostWords = 'a target of the config, local, an ssh alias, or [user@]host[:port]';

/** An action on HOST|TARGET: what the config says of the target is in the options that it gets. */
const onTarget =
  <Options extends TargetOptions>(act: (host: string, options: Options) => Promise<void>) =>
  async (host: string, given: Options, command: Command): Promise<void> => {
    const { resolveTarget } = await import('./resolve-target.js');
    const { label, options } = await resolveTarget(host, given, givenOptions(command));
    await act(label, options);
  };

/** Names of the options that stand on the command line. */
const givenOptions = (command: Command): ReadonlySet<string> =>
  new Set(Object.keys(command.opts()).filter((name) => command.getOptionValueSource(name) === 'cli'));

const engineOption = (): Option =>
  new Option('--engine <name>', 'which engine it is, instead of finding out; firedup engines lists them');

const configOption = (): Option =>
  new Option('--config <file>', 'config file, instead of ./firedup.yaml or ~/.config/firedup/config.yaml');

const preflightOption = (): Option =>
  new Option('--no-preflight', 'do not look at the host before the start');

const containerOption = (): Option =>
  new Option('--container <name>', 'the server that runs in this container of docker or podman');

const graceOption = (): Option =>
  new Option('--grace <duration>', 'time between TERM and KILL').default('10s');

const signalOption = (): Option =>
  new Option('--signal <name>', 'first signal: TERM, INT or KILL').default('TERM');

const alsoOption = (): Option =>
  new Option('--also <pid>', 'end this process outside its tree as well, it alone (repeatable)').argParser(
    (text: string, earlier: readonly number[] = []) => [...earlier, wholeNumber(text)],
  );

const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number.parseInt(text, 10);
}

const tailLines = (text: string): number | 'all' => (text === '+1' ? 'all' : wholeNumber(text));

function port(text: string): number {
  const value = wholeNumber(text);
  if (value < 1 || value > 65_535) throw new InvalidArgumentError('It must be a port, 1 to 65535.');
  return value;
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}
